package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/paper"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

func trainCommand() *cli.Command {
	flags := append(dataFlags(),
		&cli.StringFlag{Name: "method", Value: "sml", Usage: "training `METHOD` (see \"sml methods\")"},
		setFlag(),
		&cli.StringFlag{Name: "hidden", Value: "50,50", Usage: "`WIDTHS` of the hidden layers; \"\" for a linear model"},
		&cli.StringFlag{Name: "activation", Value: "relu", Usage: "`FUNCTION` of hidden units: " + oneOf(models.Activations())},
		&cli.Float64Flag{Name: "dropout", Value: 0.1, Usage: "`PROBABILITY` that a unit is dropped"},
		&cli.StringFlag{Name: "drop-layers", Usage: "hidden `LAYERS` that drop units: all, last, none", DefaultText: "the method's"},
		&cli.IntFlag{Name: "epochs", Usage: "`NUMBER` of passes over the training rows", DefaultText: "the paper's for the data set, or for its size"},
		&cli.IntFlag{Name: "batch", Usage: "`NUMBER` of rows in a step", DefaultText: "the paper's"},
		&cli.Float64Flag{Name: "lr", Usage: "learning `RATE`", DefaultText: "0.001"},
		&cli.StringFlag{Name: "schedule", Value: string(trainers.Constant), Usage: "`COURSE` of the learning rate: " + oneOf(trainers.Schedules())},
		&cli.Float64Flag{Name: "adam-beta1", Value: 0.9, Usage: "`DECAY` of Adam's first moment"},
		&cli.Float64Flag{Name: "adam-beta2", Value: 0.999, Usage: "`DECAY` of Adam's second moment"},
		&cli.Float64Flag{Name: "adam-epsilon", Value: 1e-8, Usage: "Adam's epsilon, a small `NUMBER`"},
		&cli.Float64Flag{Name: "clip", Usage: "largest `NORM` of the gradient", DefaultText: "no bound"},
		&cli.Float64Flag{Name: "weight-decay", Usage: "decoupled weight decay, a `NUMBER`"},
		&cli.Float64Flag{Name: "val", Usage: "`SHARE` of the training rows that is not trained on; the epoch with the lowest loss on it is kept"},
		&cli.IntFlag{Name: "patience", Usage: "stop after this `NUMBER` of epochs without a better validation loss", DefaultText: "never"},
		&cli.IntFlag{Name: "members", Usage: "`NUMBER` of networks in an ensemble", DefaultText: "the method's"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that all randomness follows from: split, initial weights, shuffling, masks"},
		&cli.StringFlag{Name: "split", Value: noSplit, Usage: "`KIND` of split, which says what rows to train on: " + noSplit + " (all), " + strings.Join(data.SplitNames(), ", ")},
		&cli.IntFlag{Name: "fold", Usage: "`FOLD` of the split, from 0, that is left for testing"},
		&cli.StringFlag{Name: "mode", Value: string(data.Paper), Usage: "`MODE`: paper (as published) or sound (its quirks mended)"},
		&cli.StringFlag{Name: "init-from", Usage: "start from the weights and scale of `MODEL`"},
		&cli.StringFlag{Name: "out", Usage: "write the model to the new directory `DIR`"},
		&cli.BoolFlag{Name: "force", Usage: "replace the model in --out if there is one, or its interrupted training"},
		&cli.BoolFlag{Name: "resume", Usage: "go on with the interrupted training of --out; all settings are those it began with"},
		engineFlag(),
		jsonFlag(), quietFlag(),
	)
	return &cli.Command{
		Name:      "train",
		Usage:     "train one method on one table",
		UsageText: "sml train --data NAME|FILE.csv --method METHOD --out DIR [options]",
		Flags:     flags,
		Action:    train,
	}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "no progress"}
}

func engineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Usage: "`ENGINE` that evaluates graphs: " + oneOf(graph.Engines()), DefaultText: string(graph.Engines()[0])}
}

// job is a training as the command line asks for it, and as a checkpoint
// keeps it.
type job struct {
	Source   source            `json:"source"`
	Dir      string            `json:"data_dir,omitempty"`
	Spec     models.Spec       `json:"spec"`
	Settings trainers.Settings `json:"settings"`
	InitFrom string            `json:"init_from,omitempty"`

	// What the columns are standardised by, once it is known: a resumed
	// training keeps it, whatever has become of InitFrom.
	Inputs  []models.Column `json:"inputs,omitempty"`
	Targets []models.Column `json:"targets,omitempty"`

	Replace bool `json:"replace,omitempty"` // the model that is in its place
}

// training is a job with its data.
type training struct {
	job
	table *data.Table
	split data.Split
	rows  data.Subset // to train on
	test  data.Subset // that are held out
	init  []*graph.Params
}

func train(c *cli.Context) error {
	if _, err := arguments(c); err != nil {
		return err
	}
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	release, err := claim(c, out, beside(out, lockSuffix))
	if err != nil {
		return err
	}
	defer release()
	var t *training
	var states []trainers.State
	if c.Bool("resume") {
		var j job
		if j, states, err = interruptedJob(c, out); err != nil {
			return err
		}
		if m := j.written(out, states); m != nil {
			if m.Scores != nil || j.Source.Split == noSplit {
				return tellWritten(c, out, m)
			}
			j.Replace = true // it is only to be judged yet
		}
		if err := place(out, j.Replace); err != nil {
			return err
		}
		t, err = await(c.Context, func() (*training, error) { return j.resume(c, out) })
	} else {
		if err := place(out, c.Bool("force")); err != nil {
			return err
		}
		if err := placeCheckpoint(checkpointOf(out), c.Bool("force")); err != nil {
			return err
		}
		t, err = await(c.Context, func() (*training, error) { return plan(c) })
	}
	if err != nil {
		return err
	}
	return t.finish(c, out, states)
}

// finish trains, writes the model, judges it and writes its scores into it.
// Whatever fails or ends it, what was trained until then is kept; and the
// checkpoint, as long as going on from it can add something.
func (t *training) finish(c *cli.Context, out string, states []trainers.State) error {
	model, warnings, kept, err := t.run(c, out, states)
	if err != nil {
		return err
	}
	if err := model.Save(out, t.Replace); err != nil {
		return unwritten(out, err, kept)
	}
	scores, unjudged := t.judge(c, model)
	if unjudged == nil && scores != nil {
		model.Scores = mustJSON(scores)
		if err := model.Save(out, true); err != nil {
			return fmt.Errorf("%s is trained and written, and its test scores cannot be: %w\nMend that, then add them with \"sml train --resume --out %s\"", out, err, out)
		}
	}
	if errors.Is(unjudged, errInterrupted) {
		return fmt.Errorf("%w: the model is trained and written, without its test scores; add them with \"sml train --resume --out %s\"", unjudged, out)
	}
	if err := trainers.RemoveCheckpoint(checkpointOf(out)); err != nil {
		return fmt.Errorf("%s is trained and written, but %s cannot be removed: %w", out, checkpointOf(out), err)
	}
	if unjudged != nil {
		return fmt.Errorf("%s is trained and written, without its test scores: %w", out, unjudged)
	}
	return t.tell(c, out, model, warnings, scores)
}

// plan makes a training of the command line.
func plan(c *cli.Context) (*training, error) {
	j := job{
		Source: source{
			Data: c.String("data"), Target: c.StringSlice("target"), Drop: c.StringSlice("drop"), Header: c.String("header"),
			Split: c.String("split"), Fold: c.Int("fold"), Seed: c.Uint64("seed"), Mode: c.String("mode"),
		},
		Dir:      c.String("data-dir"),
		InitFrom: c.String("init-from"),
		Replace:  c.Bool("force"),
		Settings: trainers.Settings{
			Epochs: c.Int("epochs"), Batch: c.Int("batch"), LearningRate: c.Float64("lr"), Schedule: trainers.Schedule(c.String("schedule")),
			Adam: trainers.Adam{Beta1: c.Float64("adam-beta1"), Beta2: c.Float64("adam-beta2"), Epsilon: c.Float64("adam-epsilon")},
			Clip: c.Float64("clip"), Decay: c.Float64("weight-decay"), Validation: c.Float64("val"), Patience: c.Int("patience"),
			Members: c.Int("members"), Protocol: data.Protocol(c.String("mode")), Seed: c.Uint64("seed"), Engine: graph.Engine(c.String("engine")),
		},
	}
	if fold := c.Int("fold"); j.Source.Split != noSplit {
		kind, err := data.LookupSplit(j.Source.Split)
		if err != nil {
			return nil, usage("--split: %w, or %s", err, noSplit)
		}
		if err := kind.CheckFold(fold); err != nil {
			return nil, usage("--fold %d: %w", fold, err)
		}
		j.Settings.Split, j.Settings.Fold = j.Source.Split, fold
	} else if c.IsSet("fold") {
		return nil, usage("--fold %d needs a --split: %s", fold, strings.Join(data.SplitNames(), ", "))
	}
	if err := notZero(c, "epochs", "batch", "lr", "members", "adam-epsilon"); err != nil {
		return nil, err
	}
	chosen, err := models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return nil, usageError{err}
	}
	hidden, err := widths(c.String("hidden"))
	if err != nil {
		return nil, err
	}
	if _, err := models.Lookup(c.String("method")); err != nil {
		return nil, usageError{err}
	}
	if _, err := data.ParseProtocol(c.String("mode")); err != nil {
		return nil, usageError{err}
	}
	if err := heeded(c, j.Source.Data); err != nil {
		return nil, err
	}
	stop := meanwhile(c, "reading "+j.Source.Data)
	defer stop()
	t, err := readTable(c.Context, j.Source, j.Dir)
	if err != nil {
		return nil, err
	}
	warn(c, t)
	layout := t.FileLayout()
	j.Source.Rows, j.Source.Layout = t.Rows(), &layout
	if j.Source.Checksum, err = t.Checksum(c.Context); err != nil {
		return nil, interruption(err)
	}
	j.Spec, err = models.NewSpec(c.String("method"), chosen, models.Architecture{
		Inputs: len(t.Columns), Targets: len(t.Targets), Hidden: hidden,
		Activation: c.String("activation"), Dropout: c.Float64("dropout"), Drop: models.Layers(c.String("drop-layers")),
	})
	if err != nil {
		return nil, usageError{err}
	}
	j.defaults(t)
	if j.Settings, err = trainers.Resolve(j.Spec, j.Settings); err != nil {
		return nil, usageError{err}
	}
	return load(c, j, t)
}

// notZero refuses a 0, or −0: where settings are kept it means the default,
// which is not what a 0 in the command line asks for.
func notZero(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		zero := false
		switch v := c.Value(name).(type) {
		case int:
			zero = v == 0
		case float64:
			zero = v == 0
		}
		if zero && c.IsSet(name) {
			return usage("--%s %v: it must be more than 0; leave it out for its default", name, c.Value(name))
		}
	}
	return nil
}

// defaults fills in the paper's epochs and batch: those of the data set, or
// those of a set of that size.
func (j *job) defaults(t *data.Table) {
	r := paper.RecipeFor(j.Source.Data, t.Rows())
	s := &j.Settings
	if s.Epochs == 0 {
		s.Epochs = r.Epochs
	}
	if s.Batch == 0 {
		s.Batch = min(r.Batch, max(1, t.Rows()/2)) // a small table still makes two steps an epoch
	}
}

// widths reads a list such as 50,50, with commas or blanks between.
func widths(text string) ([]int, error) {
	list := []int{}
	if strings.TrimSpace(text) == "" {
		return list, nil
	}
	for _, part := range strings.Split(text, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 { // two commas, or one at an end
			return nil, usage("--hidden %q: want widths such as 50,50", text)
		}
		for _, field := range fields {
			n, err := strconv.Atoi(field)
			if errors.Is(err, strconv.ErrRange) || err == nil && !models.Limits.Units.Has(float64(n)) {
				return nil, usage("--hidden %q: a layer of %s units: want %v", text, field, models.Limits.Units)
			}
			if err != nil {
				return nil, usage("--hidden %q: want widths such as 50,50", text)
			}
			list = append(list, n)
		}
	}
	return list, nil
}

// load prepares a job's rows.
func load(c *cli.Context, j job, table *data.Table) (*training, error) {
	t := &training{job: j, table: table}
	var err error
	if t.split, err = j.Source.cut(c.Context, table); err != nil {
		return nil, err
	}
	inputs := data.FitScaler(table.X, len(table.Columns), t.split.Train)
	targets := data.FitScaler(table.Y, len(table.Targets), t.split.Train)
	switch {
	case j.Inputs != nil:
		if x, y := trainers.Columns(table.Columns, inputs), trainers.Columns(table.Targets, targets); j.InitFrom == "" && !(slices.Equal(x, j.Inputs) && slices.Equal(y, j.Targets)) {
			return nil, errors.New("the interrupted training standardises its columns by others than its own training rows: train anew without --resume")
		}
		inputs, targets = trainers.Scaler(j.Inputs), trainers.Scaler(j.Targets)
	case j.InitFrom != "":
		from, err := loadModel(c, j.InitFrom)
		if err != nil {
			return nil, err
		}
		if err := j.takes(from, table); err != nil {
			return nil, fmt.Errorf("--init-from %s: %w", j.InitFrom, err)
		}
		inputs, targets, t.init = trainers.Scaler(from.Inputs), trainers.Scaler(from.Targets), from.Members
	}
	t.Inputs, t.Targets = trainers.Columns(table.Columns, inputs), trainers.Columns(table.Targets, targets)
	t.rows = table.Subset(t.split.Train, inputs, targets)
	t.test = table.Subset(t.split.Test, inputs, targets)
	return t, nil
}

// takes tells whether a training can start from a model: its weights must
// mean the same in the job's network.
func (j job) takes(from *models.Model, table *data.Table) error {
	has, want := from.Architecture, j.Spec.Architecture
	switch {
	case !slices.Equal(names(from.Inputs), table.Columns) || !slices.Equal(names(from.Targets), table.Targets):
		return fmt.Errorf("its columns are %s for %s, and those of %s are %s for %s; they must be the same in the same order",
			strings.Join(names(from.Inputs), ", "), strings.Join(names(from.Targets), ", "),
			table.Name, strings.Join(table.Columns, ", "), strings.Join(table.Targets, ", "))
	case !slices.Equal(has.Hidden, want.Hidden) || has.Activation != want.Activation:
		widths := strings.Trim(strings.ReplaceAll(fmt.Sprint(has.Hidden), " ", ","), "[]")
		return usage("its network is another; train with --hidden %q --activation %s", widths, has.Activation)
	case has.Outputs != want.Outputs:
		return usage("its method, %s, has %d network outputs and %s has %d; start from a model of %[3]s", from.Method, has.Outputs, j.Spec.Method, want.Outputs)
	}
	return nil
}

// run trains. An interrupted training leaves its checkpoint, and so does a
// complete one, if it could be written: kept.
func (t *training) run(c *cli.Context, out string, states []trainers.State) (m *models.Model, warnings []string, kept bool, err error) {
	what := fmt.Sprintf("%s on %s", t.Spec.Method, t.Source.Data)
	p := newProgress(c.App.ErrWriter, what, c.Bool("quiet"))
	defer p.end()
	epochs := make([]int, t.Settings.Members)
	for i, s := range states {
		epochs[i] = s.Epoch
		p.resume(s.Epoch)
	}
	kept, warned := len(states) > 0, false
	result, err := trainers.Train(c.Context, t.Spec, t.rows, t.Settings, trainers.Options{
		From: t.init, Resume: states,
		Checkpoint: checkpointOf(out), Job: mustJSON(t.job), Program: programVersion(),
		Checkpointed: func(err error) {
			if kept = err == nil; !kept && !warned {
				warned = true
				fmt.Fprintf(c.App.ErrWriter, "sml: the checkpoint could not be written, the training goes on: %v\n", err)
			}
		},
		Progress: func(now trainers.Progress) {
			epochs[now.Member] = now.Epoch
			if now.Stopped {
				epochs[now.Member] = now.Epochs
			}
			done := 0
			for _, e := range epochs {
				done += e
			}
			p.at(done, now.Epochs*now.Members, fmt.Sprintf(", epoch %d of %d, loss %.4g", now.Epoch, now.Epochs, now.Loss))
		},
	})
	var interrupted *trainers.Interrupted
	if errors.As(err, &interrupted) {
		return nil, nil, false, fmt.Errorf("%w: go on with \"sml train --resume --out %s\"", errInterrupted, out)
	}
	if err != nil {
		return nil, nil, false, err
	}
	m = result.Model(t.Spec, t.table, trainers.Scaler(t.Inputs), trainers.Scaler(t.Targets))
	m.Data, m.Training, m.Versions = mustJSON(t.Source), mustJSON(result.Settings), mustJSON(version())
	return m, result.Warnings, kept, nil
}

// judge evaluates the model on the held-out rows, if there are any.
func (t *training) judge(c *cli.Context, m *models.Model) (*evaluation.Evaluation, error) {
	if len(t.split.Test) == 0 {
		return nil, nil
	}
	return judge(c, m, t.test, t.table.TargetsOf(t.split.Test), evaluation.Sampling{Seed: t.Settings.RandomSeed(), Engine: t.Settings.Engine}, t.Settings.Protocol)
}

// judge evaluates a model on rows with targets y.
func judge(c *cli.Context, m *models.Model, rows data.Subset, y []float64, s evaluation.Sampling, mode data.Protocol) (*evaluation.Evaluation, error) {
	p, err := predictions(c, m, rows, s)
	if err != nil {
		return nil, err
	}
	e, err := await(c.Context, func() (evaluation.Evaluation, error) { return evaluation.Evaluate(p, y, m.Targets, mode) })
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// predictions runs rows through a model.
func predictions(c *cli.Context, m *models.Model, rows data.Subset, s evaluation.Sampling) (*evaluation.Predictions, error) {
	p := newProgress(c.App.ErrWriter, "sampling sub-networks", c.Bool("quiet"))
	defer p.end()
	s.Progress = func(done, total int) { p.at(done, total, "") }
	found, err := evaluation.Predict(c.Context, m, rows, s)
	return found, interruption(err)
}

// tell reports what was trained.
func (t *training) tell(c *cli.Context, out string, m *models.Model, warnings []string, scores *evaluation.Evaluation) error {
	last := m.History.Rows[len(m.History.Rows)-1]
	if c.Bool("json") {
		return writeJSON(c, struct {
			Model    string                 `json:"model"`
			Method   string                 `json:"method"`
			Data     source                 `json:"data"`
			Training trainers.Settings      `json:"training"`
			Loss     float64                `json:"loss"`
			Warnings []string               `json:"warnings"`
			Test     *evaluation.Evaluation `json:"test,omitempty"`
		}{out, t.Spec.Method, t.Source, t.Settings, last.Values[0], append([]string{}, warnings...), scores})
	}
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s trained on %d of the %d rows of %s, %d epochs of batches of %d, learning rate %g, final loss %.4g\n",
		out, t.Spec.Method, len(t.split.Train), t.Source.Rows, t.Source.Data, last.Number, t.Settings.Batch, t.Settings.LearningRate, last.Values[0])
	for _, warning := range warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	if scores == nil {
		return nil
	}
	fmt.Fprintf(w, "on the %d rows held out:\n", len(t.split.Test))
	return scoresTable(w, scores, t.Targets)
}

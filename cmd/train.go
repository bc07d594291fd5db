package cmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

func trainCommand() *cli.Command {
	flags := slices.Concat(dataFlags(), []cli.Flag{
		&cli.StringFlag{Name: "method", Value: "sml", Usage: "train this `METHOD` (see \"sml methods\")"},
		setFlag(),
	}, settingFlags("network"), settingFlags("training"), []cli.Flag{
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of all randomness, a `NUMBER`: split, initial weights, shuffling, dropout masks"},
	}, splitFlags(), settingFlags("calibration"), settingFlags("prediction"), []cli.Flag{
		protocolFlag("", "paper for the paper's data sets, otherwise sound"),
		&cli.StringFlag{Name: "init-from", Usage: "start from the weights and scale of `MODEL`, without its calibration"},
		&cli.StringFlag{Name: "out", Usage: "write the model to the new directory `DIR`"},
		&cli.BoolFlag{Name: "force", Usage: "replace the model in --out, or its interrupted training"},
		trackFlag(),
		&cli.BoolFlag{Name: "resume", Usage: "continue the interrupted training of --out with the settings that it began with"},
		measuresFlag(),
		engineFlag(),
		&cli.IntFlag{Name: "threads", Usage: "train one large network on this `NUMBER` of cores; the result is the same", DefaultText: "all cores, divided among the networks that train at the same time"},
		jsonFlag(), quietFlag(),
	})
	return &cli.Command{
		Name:      "train",
		Usage:     "train a model on a table",
		UsageText: "sml train --data NAME|FILE|- --method METHOD --out DIR [options]",
		Flags:     flags,
		Action:    train,
	}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "do not report progress"}
}

func engineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Usage: "evaluate graphs with this `ENGINE`: " + oneOf(graph.Engines()), DefaultText: string(graph.Engines()[0])}
}

// job is a training as a checkpoint keeps it.
type job struct {
	experiment.Settings
	Dir string `json:"data_dir,omitempty"`

	// Of the model that it starts from; nil if it starts from none.
	Preparation *preparation.Preparation `json:"preparation,omitempty"`
	Parent      *experiment.Parent       `json:"parent,omitempty"`

	// What the columns are standardised by: a resumed training keeps it, whatever
	// has become of InitFrom.
	Inputs  data.Scalers `json:"inputs"`
	Targets data.Scalers `json:"targets"`

	Replace bool `json:"replace,omitempty"` // the model that is in its place
}

// training is a job with its experiment.
type training struct {
	job
	experiment *experiment.Experiment
}

func train(c *cli.Context) error {
	if _, err := arguments(c); err != nil {
		return err
	}
	if n := c.Int("threads"); c.IsSet("threads") && !trainers.Threads.Has(float64(n)) {
		return usage("--threads %d: want %v", n, trainers.Threads)
	}
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	started := time.Now()
	if err := placeTrack(c); err != nil {
		return err
	}
	release, err := claim(c, out, out+lockSuffix)
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
			if m.Scores != nil || j.Training.Split == "" {
				tellErr := tellWritten(c, out, m)
				return cmp.Or(track(c, out, started), tellErr)
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
	t.experiment.Release()
	model, scores, err := t.finish(c, out, states)
	if err != nil {
		return err
	}
	tellErr := t.tell(c, out, model, scores)
	return cmp.Or(track(c, out, started), tellErr) // tracked whether or not anybody reads the summary
}

// finish trains, writes the model, judges it and writes its scores into it. It
// returns the model and its scores on the held-out rows, nil if there are none.
// Whatever fails or ends it, what was trained until then is kept; and the
// checkpoint, as long as going on from it can add something.
func (t *training) finish(c *cli.Context, out string, states []trainers.State) (*experiment.Trained, *evaluation.Evaluation, error) {
	model, kept, err := t.run(c, out, states)
	if err != nil {
		return nil, nil, err
	}
	if err := model.Save(out, t.Replace); err != nil {
		return nil, nil, unwritten(out, t.again(out), err, kept)
	}
	scores, unjudged := t.judge(c, model)
	if unjudged == nil && scores != nil {
		model.Scores = mustJSON(scores)
		if err := model.Save(out, true); err != nil {
			return nil, nil, fmt.Errorf("%s is trained and written, and its test scores cannot be: %w\nMend that, then add them with \"%s\"", out, err, t.again(out))
		}
	}
	if errors.Is(unjudged, errInterrupted) {
		return nil, nil, fmt.Errorf("%w: the model is trained and written, without its test scores; add them with \"%s\"", unjudged, t.again(out))
	}
	if err := trainers.RemoveCheckpoint(checkpointOf(out)); err != nil {
		return nil, nil, fmt.Errorf("%s is trained and written, but %s cannot be removed: %w", out, checkpointOf(out), err)
	}
	if unjudged != nil {
		return nil, nil, fmt.Errorf("%s is trained and written, without its test scores: %w", out, unjudged)
	}
	return model, scores, nil
}

// plan returns the training of the command line, with its table read and its experiment
// prepared.
func plan(c *cli.Context) (*training, error) {
	j, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	ctx, stop := reading(c, j.Table.Name)
	defer stop()
	t, err := readTable(ctx, j.Settings, j.Dir)
	if err != nil {
		return nil, err
	}
	warn(c, t)
	early, err := j.complete(c, t)
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, j.Settings, experiment.Share(t))
	if errors.Is(err, calibrate.ErrTooFew) {
		return nil, fmt.Errorf("%w (--calibrate, --calibrate-coverage)", err)
	}
	if err != nil {
		return nil, interruption(err)
	}
	if err := startFrom(c, e, j.InitFrom); err != nil {
		return nil, err
	}
	j.Settings = e.Settings
	if j.InitFrom != "" {
		j.Preparation, j.Parent = e.Preparation(), e.Parent
	}
	j.Inputs, j.Targets = e.Scale()
	if !c.Bool("quiet") {
		tellPreparation(c.App.ErrWriter, t, e.Preparation())
		tellSplit(c.App.ErrWriter, e)
		tellDefaults(c, j.Settings, early)
	}
	return &training{j, e}, nil
}

// jobOf returns the job of the command line. Its table is not read, and the number of
// columns is missing in its network.
func jobOf(c *cli.Context) (job, error) {
	j := job{Settings: experiment.DefaultSettings(), Dir: c.String("data-dir"), Replace: c.Bool("force")}
	j.InitFrom = c.String("init-from")
	j.Training.Seed, j.Training.Engine = c.Uint64("seed"), graph.Engine(c.String("engine"))
	var err error
	if j.Training.Protocol, err = protocolOr(c, experiment.RecipeFor(c.String("data"), 0).Protocol); err != nil {
		return j, err
	}
	if j.Prediction.Measures, err = measuresOf(c); err != nil {
		return j, err
	}
	if j.Table, err = sourceOf(c, c.String("data")); err != nil {
		return j, err
	}
	if err := chooseSettings(c, &j.Settings, allParts...); err != nil {
		return j, err
	}
	if err := cmp.Or(notZero(c, "adam-epsilon", "adamw-epsilon"), chooseHyperparameters(c, &j.Training)); err != nil {
		return j, err
	}
	if err := cmp.Or(chooseSplit(c, &j.Settings), checkCalibration(c, &j.Settings)); err != nil {
		return j, err
	}
	j.Spec.Method = c.String("method")
	if j.Spec.Hyperparameters, err = models.ParseHyperparameters(c.StringSlice("set")); err != nil {
		return j, usageError{err}
	}
	return j, checkNetwork(j.Spec.Method, j.Spec.Architecture)
}

// complete fills in the settings that follow from the table. It returns a note on early
// stopping, "" if the training stops early only by request.
func (j *job) complete(c *cli.Context, t *data.Table) (early string, err error) {
	if j.Calibration.By != "" { // it may have been a number
		j.Calibration.By = t.Kept.Names[len(t.Kept.Names)-1]
	}
	if j.Table, err = j.Table.Found(c.Context, t); err != nil {
		return "", interruption(err)
	}
	a := j.Spec.Architecture
	a.Inputs, a.Targets = len(t.Columns), len(t.Targets)
	if j.Spec, err = models.NewSpec(j.Spec.Method, j.Spec.Hyperparameters, a); err != nil {
		return "", usageError{err}
	}
	recipe := experiment.RecipeFor(j.Table.Name, j.Table.Rows)
	j.Training.Epochs = cmp.Or(j.Training.Epochs, recipe.Epochs)
	j.Training.Batch = cmp.Or(j.Training.Batch, recipe.Batch)
	early = stopEarly(c, &j.Settings, j.Table.Rows)
	if j.Settings, err = j.Resolve(); err != nil {
		return "", usageError{err}
	}
	return early, nil
}

// startFrom gives an experiment the weights of the model in dir, unless dir is "".
func startFrom(c *cli.Context, e *experiment.Experiment, dir string) error {
	if dir == "" {
		return nil
	}
	from, err := openModel(c, dir)
	if err != nil {
		return err
	}
	loadTrainingRows(c, from, dir)
	if err := e.StartFrom(from); errors.Is(err, experiment.ErrOtherNetwork) {
		return usage("--init-from %s: %w", dir, err)
	} else if err != nil {
		return fmt.Errorf("--init-from %s: %w", dir, err)
	}
	warnParent(c, e, from)
	return nil
}

// tellDefaults reports the settings that the recipe and early stopping have chosen, with
// their reasons.
func tellDefaults(c *cli.Context, s experiment.Settings, early string) {
	var byRecipe []string
	for _, set := range []struct {
		flag  string
		value any
	}{{"epochs", s.Training.Epochs}, {"batch", s.Training.Batch}, {"protocol", s.Training.Protocol}} {
		if !c.IsSet(set.flag) {
			byRecipe = append(byRecipe, fmt.Sprintf("--%s %v", set.flag, set.value))
		}
	}
	if len(byRecipe) > 0 {
		reason := experiment.RecipeFor(s.Table.Name, s.Table.Rows).Reason
		fmt.Fprintf(c.App.ErrWriter, "sml: %s: %s\n", strings.Join(byRecipe, " "), reason)
	}
	if early != "" {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s\n", early)
	}
}

// notZero refuses a 0, or −0: where settings are kept it means the default,
// which is not what a 0 in the command line asks for.
func notZero(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		if c.IsSet(name) && reflect.ValueOf(c.Value(name)).IsZero() {
			return usage("--%s %v: it must be more than 0; leave it out for its default", name, c.Value(name))
		}
	}
	return nil
}

// run trains. An interrupted training leaves its checkpoint, and so does a
// complete one, if it could be written: kept.
func (t *training) run(c *cli.Context, out string, states []trainers.State) (m *experiment.Trained, kept bool, err error) {
	what := fmt.Sprintf("%s on %s", t.Spec.Method, t.Table.Name)
	p := newProgress(c.App.ErrWriter, what, c.Bool("quiet"))
	epochs := make([]int, t.Training.Members)
	for i, s := range states {
		epochs[i] = s.Epoch
		p.before += s.Epoch
	}
	kept, warned := len(states) > 0, false
	var foreseen []string
	m, err = t.experiment.Train(c.Context, trainers.Options{
		Threads: c.Int("threads"),
		Resume:  states, Checkpoint: checkpointOf(out), Job: mustJSON(t.job), Program: programVersion(),
		Foreseen: func(warning string) {
			foreseen = append(foreseen, warning)
			tellWarnings(c, []string{warning})
		},
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
	p.end()
	var interrupted *trainers.Interrupted
	if errors.As(err, &interrupted) {
		return nil, false, fmt.Errorf("%w: go on with \"%s\"", errInterrupted, t.again(out))
	}
	var missing *trainers.NoColumn
	if errors.As(err, &missing) {
		return nil, false, fmt.Errorf("%w with --extra %s", err, missing.Name)
	}
	if err != nil {
		return nil, false, err
	}
	m.Versions = mustJSON(version())
	tellWarnings(c, slices.DeleteFunc(slices.Clone(m.Warnings), func(w string) bool { return slices.Contains(foreseen, w) }))
	return m, kept, nil
}

// tellWarnings writes warnings to standard error.
func tellWarnings(c *cli.Context, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(c.App.ErrWriter, "sml: warning:", w)
	}
}

// again is the command that goes on with the training of out.
func (t *training) again(out string) string {
	command := "sml train --resume --out " + out
	if t.Table.Name == experiment.StandardInput {
		command += " --data FILE"
	}
	return command
}

// judge evaluates the model on the held-out rows, if there are any.
func (t *training) judge(c *cli.Context, m *experiment.Trained) (*evaluation.Evaluation, error) {
	test := t.experiment.Rows.Test
	if len(test) == 0 {
		return nil, nil
	}
	s := t.experiment.Sampling()
	defer showSampling(c, &s)()
	return await(c.Context, func() (*evaluation.Evaluation, error) {
		e, _, err := t.experiment.Judge(c.Context, m.Model, test, s)
		return &e, interruption(err)
	})
}

// tell reports what was trained; scores are nil if no rows were held out.
func (t *training) tell(c *cli.Context, out string, m *experiment.Trained, scores *evaluation.Evaluation) error {
	last := m.History.Rows[len(m.History.Rows)-1]
	poor := scores.Warnings()
	tellWarnings(c, poor)
	if c.Bool("json") {
		return writeJSON(c, trained{out, t.Spec.Method, mustJSON(t.Table), mustJSON(t.Training), last.Values[0], append(append([]string{}, m.Warnings...), poor...), m.Scores, m.Preparation})
	}
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s trained on %d of the %d rows of %s, %d epochs of batches of %d, learning rate %g, final loss %.4g\n",
		out, t.Spec.Method, len(t.experiment.Rows.Train), t.Table.Rows, t.Table.Name, last.Number, t.Training.Batch, t.Training.LearningRate, last.Values[0])
	if scores == nil {
		return nil
	}
	fmt.Fprintf(w, "on the %s%s:\n", rowsHeldOut(t.Settings, len(t.experiment.Rows.Test)), weightedBy(t.experiment.Data()))
	return scoresTable(w, scores, t.Prediction.Measures)
}

// trained is what `sml train --json` prints.
type trained struct {
	Model    string          `json:"model"`
	Method   string          `json:"method"`
	Data     json.RawMessage `json:"data"`
	Training json.RawMessage `json:"training"`
	Loss     float64         `json:"loss"`
	Warnings []string        `json:"warnings"`
	Test     json.RawMessage `json:"test,omitempty"`

	Preparation json.RawMessage `json:"preparation,omitempty"` // of the inputs and targets
}

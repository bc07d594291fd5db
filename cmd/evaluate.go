package cmd

import (
	"cmp"
	"errors"
	"fmt"

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

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "score a model on rows whose targets are known",
		UsageText: "sml evaluate MODEL [--on train|calibration|test|all] [--data NAME|FILE|-] [--against ROWS|FILE] [options]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "on", Usage: "use these `ROWS` of the table that the model was trained on: train, calibration, test, all", DefaultText: "test if rows were held out, otherwise all, with a warning"},
			&cli.StringFlag{Name: "data", Usage: "use another table: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
			dataDirFlag(),
			headerFlag("--data"),
			cacheFlag(),
			samplesFlag(), samplingSeedFlag(),
			protocolFlag(" of the measures", "as trained"),
			rawFlag(),
			measuresFlag(),
			againstFlag(),
			predictionsFlag(), keepFlag("the table"),
			forceFlagFor("predictions"),
			engineFlag(),
			jsonFlag(), quietFlag(),
		},
		Action: on("the model's directory", evaluate),
	}
}

func samplesFlag() cli.Flag {
	return &cli.IntFlag{Name: "samples", Value: evaluation.DefaultSamples, Usage: "`NUMBER` of dropout sub-networks for each row"}
}

func samplingSeedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Usage: "seed of the dropout masks, a `NUMBER`", DefaultText: "the model's"}
}

// showSampling shows how far a sampling is, until end.
func showSampling(c *cli.Context, s *evaluation.Sampling) (end func()) {
	p := newProgress(c.App.ErrWriter, "sampling sub-networks", c.Bool("quiet"))
	s.Progress = func(done, total int) { p.at(done, total, "") }
	return p.end
}

func protocolFlag(of, byDefault string) cli.Flag {
	return &cli.StringFlag{Name: "protocol", Usage: "`PROTOCOL`" + of + ": paper (as published) or sound (with its errors corrected)", DefaultText: byDefault}
}

// protocolOr reads the flag of protocolFlag.
func protocolOr(c *cli.Context, byDefault data.Protocol) (data.Protocol, error) {
	if !c.IsSet("protocol") {
		return byDefault, nil
	}
	p, err := data.ParseProtocol(c.String("protocol"))
	if err != nil {
		return p, usageError{err}
	}
	return p, nil
}

// judged is what `sml evaluate --json` prints.
type judged struct {
	Model    string        `json:"model"`
	Method   string        `json:"method"`
	Data     string        `json:"data"`
	On       string        `json:"on"`
	Protocol data.Protocol `json:"protocol"`
	Weight   string        `json:"weight,omitempty"` // column of the rows' weights

	// Number of training rows of the model among the rows, 0 if chance explains it; nil if
	// the training rows are not known.
	TrainingRows *int `json:"training_rows,omitempty"`

	evaluation.Evaluation
	Against *against `json:"against,omitempty"`
}

func evaluate(c *cli.Context, dir string) error {
	m, trained, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	protocol, err := protocolOr(c, cmp.Or(trained.Training.Protocol, data.Paper))
	if err != nil {
		return err
	}
	measures, err := measuresOf(c)
	if err != nil {
		return err
	}
	if err := placePredictions(c); err != nil {
		return err
	}
	j, calibration, err := readJudged(c, m, trained)
	if err != nil {
		return err
	}
	loadTrainingRows(c, m, dir)
	trainingRows := warnTrainingRows(c, m, &j)
	stop := showSampling(c, &sampling)
	var beside *against
	var predicted *evaluation.Predictions
	var truth evaluation.Truth
	e, err := await(c.Context, func() (e evaluation.Evaluation, err error) {
		found, err := evaluation.Predict(c.Context, m, j.table.Subset(j.numbers, trainers.Scaler(m.Inputs), data.Scaler{}), sampling)
		if err != nil {
			return e, interruption(err)
		}
		if truth, err = experiment.TruthOf(m, j.targets, j.numbers); err != nil {
			return e, err
		}
		if beside, err = compareStd(c, m, trained, j, found, sampling); err != nil {
			return e, err
		}
		e, predicted, err = experiment.Judge(m, j.targets, j.numbers, found, truth, protocol, measures)
		return e, err
	})
	stop()
	if err == nil {
		err = interruption(writePredictions(c, m, j, predicted, truth))
	}
	if err != nil {
		return err
	}
	if y, err := truth.Standardised(); err == nil && calibration != nil && calibration.FittedOn(y) {
		tellWarnings(c, []string{"the model was calibrated on these rows, so that its intervals cover as many of them as they should, whatever they do to others: judge rows of their own"})
	}
	tellWarnings(c, e.Warnings())
	if c.Bool("json") {
		return writeJSON(c, judged{
			Model: dir, Method: m.Method, Data: j.name, On: j.on, Protocol: protocol, Weight: j.table.Weight,
			TrainingRows: trainingRows, Evaluation: e, Against: beside,
		})
	}
	fmt.Fprintf(c.App.Writer, "%s (%s) on %d rows of %s (%s)%s\n", dir, m.Method, e.Rows, j.name, j.on, weightedBy(j.table))
	if err := scoresTable(c.App.Writer, &e, measures); err != nil || beside == nil {
		return err
	}
	return beside.tell(c.App.Writer)
}

// readJudged reads the rows that a model is judged on, and tells what there is to say of
// them. The calibration is the model's, nil if it has none; with --raw it is left out.
func readJudged(c *cli.Context, m *models.Model, trained experiment.Settings) (judgedRows, *calibrate.Calibration, error) {
	fail := func(err error) (judgedRows, *calibrate.Calibration, error) { return judgedRows{}, nil, err }
	if c.Bool("raw") {
		m.Calibration = nil
	}
	calibration, err := experiment.CalibrationOf(m)
	if err != nil {
		return fail(err)
	}
	by := ""
	if calibration != nil {
		by = calibration.By
	}
	j, err := await(c.Context, func() (judgedRows, error) { return rowsToJudge(c, m, trained, by) })
	if err != nil {
		return fail(err)
	}
	warn(c, j.table)
	if w := trained.Table.Weight; w != j.table.Weight {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s has no column %q: all rows count alike\n", j.name, w)
	}
	if by != "" {
		tellUnknownGroups(c, calibration, calibration.Unknown(j.targets.Kept.Column(by)))
	}
	return j, calibration, nil
}

// weightedBy says what column rows are weighted by, if there is one.
func weightedBy(t *data.Table) string {
	if t.Weight == "" {
		return ""
	}
	return ", weighted by " + t.Weight
}

// modelToSample reads a model, what it was trained with, and the flags of
// sampling; the seed defaults to the model's.
func modelToSample(c *cli.Context, dir string) (m *models.Model, trained experiment.Settings, s evaluation.Sampling, err error) {
	if m, err = loadModel(c, dir); err != nil {
		return m, trained, s, err
	}
	if trained, err = experiment.Of(m); err != nil {
		return m, trained, s, err
	}
	s = evaluation.Sampling{Samples: c.Int("samples"), Seed: trained.Training.FoldSeed(), Engine: graph.Engine(c.String("engine"))}
	if c.IsSet("seed") {
		s.Seed = c.Uint64("seed")
	}
	if in := models.Limits.Samples; !in.Has(float64(s.Samples)) {
		err = usage("--samples %d: a spread needs at least 2 sub-networks: want %v", s.Samples, in)
	} else if _, wrong := graph.ParseEngine(string(s.Engine)); wrong != nil {
		err = usageError{wrong}
	}
	return m, trained, s, err
}

// judgedRows are the rows that the flags ask for: their numbers in a table, nil
// for all, and in words.
type judgedRows struct {
	table    *data.Table // prepared
	targets  *data.Table // as it was read
	numbers  []int
	name, on string
	same     bool            // the table is the one that the model was trained on
	rows     experiment.Rows // of that one
	kept     int             // columns for who reads the rows
}

// rowsToJudge reads the table of the rows that the flags ask for, and says
// which they are.
func rowsToJudge(c *cli.Context, m *models.Model, trained experiment.Settings, by string) (judgedRows, error) {
	return rowsAsked(c, m, trained, by, asked{c.String("on"), c.String("data"), "--on", "--data"})
}

// asked is which rows of which table flags ask for, and what they are called.
type asked struct {
	on, data         string
	onFlag, dataFlag string
}

func rowsAsked(c *cli.Context, m *models.Model, trained experiment.Settings, by string, a asked) (judgedRows, error) {
	fail := func(err error) (judgedRows, error) { return judgedRows{}, interruption(err) }
	on := a.on
	switch on {
	case "", "train", "calibration", "test", "all":
	default:
		return fail(usage("%s %q: there is train, calibration, test, all", a.onFlag, on))
	}
	if c.IsSet("header") && c.String("data") == "" {
		return fail(usage("--header is for the file of --data, and there is none"))
	}
	prepared, err := experiment.PreparationOf(m)
	if err != nil {
		return fail(err)
	}
	var input reader
	if a.data == "-" {
		read, done, err := rereading(c)
		defer done()
		if err != nil {
			return fail(err)
		}
		input = read
	}
	var keep data.Options
	if err := keepFrom(c, &keep); err != nil {
		return fail(err)
	}
	if by != "" {
		keep.Keep = append(keep.Keep, by)
	}
	t, name, err := tableToJudge(c, m, prepared, trained, keep, input, a)
	if err != nil {
		return fail(err)
	}
	another := a.data != ""
	if another && trained.Table.Test != nil {
		if on == "test" {
			return fail(fmt.Errorf("%s test: the rows that the model was tested on are those of %s; leave out %s", a.onFlag, trained.Table.Test.Name, a.dataFlag))
		}
		trained.Table.Test, trained.Training.Split = nil, ""
	}
	changed, err := trained.Table.Changed(c.Context, t)
	if err != nil {
		return fail(err)
	}
	if changed != "" && another && (prepared != nil || trained.Table.By != "") { // columns that no input is made of are not read by name
		as := trained
		as.Table.Name, as.Table.From, as.Table.Keep, as.Table.KeepAll = name, input, keep.Keep, keep.KeepAll
		if same, err := as.Table.Read(c.Context, c.String("data-dir"), trained.Training.Protocol); err == nil {
			t, changed = same, ""
		}
	}
	judged := t
	if prepared != nil {
		var encoder *preparation.Encoder
		if judged, encoder, err = prepared.Table(t); err != nil {
			return fail(err)
		}
		tellUnknown(c, prepared, encoder)
	}
	found := judgedRows{table: judged, targets: t, name: name, on: "all", kept: len(t.Kept.Names)}
	if by != "" {
		found.kept--
	}
	switch {
	case changed == "":
	case !another && changed != trained.Table.Name:
		return fail(fmt.Errorf("%s no longer has the rows that the model was tested on; name it with %s to judge them all the same", changed, a.dataFlag))
	case !another:
		return fail(fmt.Errorf("%s is no longer the table that the model was trained on; name it with %s to judge it all the same", changed, a.dataFlag))
	case on == "train" || on == "calibration" || on == "test":
		return fail(fmt.Errorf("%s %s: %s is not the table that the model was trained on, so it has no such rows; use --on all", a.onFlag, on, name))
	default:
		return found, nil
	}
	split, err := trained.Rows(c.Context, t)
	if err != nil {
		return fail(err)
	}
	found.same, found.rows = true, split
	testName, allName := name, name
	if test := trained.Table.Test; test != nil {
		testName, allName = test.Name, name+" and "+test.Name
	}
	switch {
	case on == "all", on == "" && len(split.Test) == 0:
		found.name = allName
		return found, nil
	case on == "train":
		found.numbers, found.on = split.Train, on
		return found, nil
	case on == "calibration" && len(split.Calibration) == 0:
		return fail(fmt.Errorf("%s calibration: the training kept no rows to calibrate on; train --calibrate does", a.onFlag))
	case on == "calibration":
		found.numbers, found.on = split.Calibration, on
		return found, nil
	case len(split.Test) == 0:
		return fail(fmt.Errorf("%s test: the model was trained on all rows; hold some out with train --split", a.onFlag))
	}
	found.numbers, found.name, found.on = split.Test, testName, "test"
	return found, nil
}

// tableToJudge reads the table asked for by the model's columns, whatever its name, standard input
// with input, or else the table that the model was trained on as it was read then.
func tableToJudge(c *cli.Context, m *models.Model, prepared *preparation.Preparation, trained experiment.Settings, keep data.Options, input reader, a asked) (*data.Table, string, error) {
	name, dir := a.data, c.String("data-dir")
	ctx, stop := reading(c, cmp.Or(name, trained.Table.Name))
	defer stop()
	if name == "" {
		as := trained
		as.Table.Keep, as.Table.KeepAll, as.Calibration.By = keep.Keep, keep.KeepAll, ""
		as.Table.Checksum = "" // what has changed is told by what was asked for
		t, err := readTable(ctx, as, dir)
		if errors.Is(err, experiment.ErrStandardInput) {
			return nil, "", usage("the table that the model was trained on has no name: %w; name it with %s", err, a.dataFlag)
		}
		if err != nil {
			return nil, "", fmt.Errorf("the table that the model was trained on: %w; name it with %s", err, a.dataFlag)
		}
		return t, trained.Table.Name, nil
	}
	protocol := trained.Table.Protocol(cmp.Or(trained.Training.Protocol, data.Sound))
	columns := columnsOf(m, prepared, trained.Table, c.String("header"), false)
	columns.Keep, columns.KeepAll = keep.Keep, keep.KeepAll
	if input != nil {
		t, err := input(ctx, columns)
		return t, experiment.StandardInput, err
	}
	t, err := experiment.ReadNamed(ctx, name, dir, protocol, columns)
	return t, name, err
}

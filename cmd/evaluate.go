package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "judge a model on rows whose targets are known",
		UsageText: "sml evaluate MODEL [--on train|test|all] [--data NAME|FILE|-] [options]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "on", Usage: "`ROWS` of the table that the model was trained on: train, calibration, test, all", DefaultText: "test if rows were held out, else all"},
			&cli.StringFlag{Name: "data", Usage: "another table: a data set or a `FILE`, of any format that train reads; \"-\" for standard input", DefaultText: "the one it was trained on"},
			dataDirFlag(),
			headerFlag("--data"),
			cacheFlag(),
			samplesFlag(), samplingSeedFlag(),
			protocolFlag(" of the measures", "as trained"),
			rawFlag(),
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
	return &cli.Uint64Flag{Name: "seed", Usage: "`NUMBER` that the sub-networks' masks follow from", DefaultText: "the model's"}
}

// showSampling shows how far a sampling is, until end.
func showSampling(c *cli.Context, s *evaluation.Sampling) (end func()) {
	p := newProgress(c.App.ErrWriter, "sampling sub-networks", c.Bool("quiet"))
	s.Progress = func(done, total int) { p.at(done, total, "") }
	return p.end
}

func protocolFlag(of, byDefault string) cli.Flag {
	return &cli.StringFlag{Name: "protocol", Aliases: []string{"mode"}, Usage: "`PROTOCOL`" + of + ": paper (as published) or sound (its quirks mended)", DefaultText: byDefault}
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
	evaluation.Evaluation
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
	calibration, by, err := calibratedBy(c, m)
	if err != nil {
		return err
	}
	j, err := await(c.Context, func() (judgedRows, error) { return rowsToJudge(c, m, trained, by) })
	if err != nil {
		return err
	}
	tellJudged(c, trained, calibration, j)
	stop := showSampling(c, &sampling)
	e, err := await(c.Context, func() (evaluation.Evaluation, error) {
		found, err := evaluation.Predict(c.Context, m, j.table.Subset(j.numbers, trainers.Scaler(m.Inputs), data.Scaler{}), sampling)
		if err != nil {
			return evaluation.Evaluation{}, interruption(err)
		}
		truth, err := experiment.TruthOf(m, j.targets, j.numbers)
		if err != nil {
			return evaluation.Evaluation{}, err
		}
		e, _, err := experiment.Judge(m, j.targets, j.numbers, found, truth, protocol, nil)
		return e, err
	})
	stop()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c, judged{dir, m.Method, j.name, j.on, protocol, j.table.Weight, e})
	}
	fmt.Fprintf(c.App.Writer, "%s (%s) on %d rows of %s (%s)%s\n", dir, m.Method, e.Rows, j.name, j.on, weightedBy(j.table))
	return scoresTable(c.App.Writer, &e)
}

// calibratedBy is how a model is calibrated, nil if it is not, and the column by whose
// values, if there is one. With --raw the model's calibration is left out.
func calibratedBy(c *cli.Context, m *models.Model) (*calibrate.Calibration, string, error) {
	if c.Bool("raw") {
		m.Calibration = nil
	}
	calibration, err := experiment.CalibrationOf(m)
	if err != nil || calibration == nil {
		return nil, "", err
	}
	return calibration, calibration.By, nil
}

// tellJudged tells what there is to say of a table whose rows are judged.
func tellJudged(c *cli.Context, trained experiment.Settings, calibration *calibrate.Calibration, j judgedRows) {
	warn(c, j.table)
	if w := trained.Table.Weight; w != j.table.Weight {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s has no column %q: all rows count alike\n", j.name, w)
	}
	if calibration != nil && calibration.By != "" {
		tellUnknownGroups(c, calibration, calibration.Unknown(j.targets.Kept.Column(calibration.By)))
	}
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
	s = evaluation.Sampling{Samples: c.Int("samples"), Seed: experiment.MaskSeed(m, trained), Engine: graph.Engine(c.String("engine"))}
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
	same     bool // the table is the one that the model was trained on
}

// rowsToJudge reads the table of the rows that the flags ask for, and says
// which they are.
func rowsToJudge(c *cli.Context, m *models.Model, trained experiment.Settings, by string) (judgedRows, error) {
	fail := func(err error) (judgedRows, error) { return judgedRows{}, interruption(err) }
	on := c.String("on")
	switch on {
	case "", "train", "calibration", "test", "all":
	default:
		return fail(usage("--on %q: there is train, calibration, test, all", on))
	}
	if c.IsSet("header") && c.String("data") == "" {
		return fail(usage("--header is for the file of --data, and there is none"))
	}
	prepared, err := experiment.PreparationOf(m)
	if err != nil {
		return fail(err)
	}
	var input reader
	if c.String("data") == "-" {
		read, done, err := rereading(c)
		defer done()
		if err != nil {
			return fail(err)
		}
		input = read
	}
	var keep []string
	if by != "" {
		keep = []string{by}
	}
	t, name, err := tableToJudge(c, m, prepared, trained, keep, input)
	if err != nil {
		return fail(err)
	}
	another := c.String("data") != ""
	if another && trained.Table.Test != nil {
		if on == "test" {
			return fail(fmt.Errorf("--on test: the rows that the model was tested on are those of %s; leave out --data", trained.Table.Test.Name))
		}
		trained.Table.Test, trained.Training.Split = nil, ""
	}
	changed, err := trained.Table.Changed(c.Context, t)
	if err != nil {
		return fail(err)
	}
	if changed != "" && another && (prepared != nil || trained.Table.By != "") { // columns that no input is made of are not read by name
		as := trained
		as.Table.Name, as.Table.From, as.Table.Keep = name, input, keep
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
	switch {
	case changed == "":
	case !another && changed != trained.Table.Name:
		return fail(fmt.Errorf("%s no longer has the rows that the model was tested on; name it with --data to judge them all the same", changed))
	case !another:
		return fail(fmt.Errorf("%s is no longer the table that the model was trained on; name it with --data to judge it all the same", changed))
	case on == "train" || on == "calibration" || on == "test":
		return fail(fmt.Errorf("--on %s: %s is not the table that the model was trained on, so it has no such rows; use --on all", on, name))
	default:
		return judgedRows{judged, t, nil, name, "all", false}, nil
	}
	split, err := trained.Rows(c.Context, t)
	if err != nil {
		return fail(err)
	}
	testName, allName := name, name
	if test := trained.Table.Test; test != nil {
		testName, allName = test.Name, name+" and "+test.Name
	}
	switch {
	case on == "all", on == "" && len(split.Test) == 0:
		return judgedRows{judged, t, nil, allName, "all", true}, nil
	case on == "train":
		return judgedRows{judged, t, split.Train, name, "train", true}, nil
	case on == "calibration" && len(split.Calibration) == 0:
		return fail(errors.New("--on calibration: the training kept no rows to calibrate on; train --calibrate does"))
	case on == "calibration":
		return judgedRows{judged, t, split.Calibration, name, on, true}, nil
	case len(split.Test) == 0:
		return fail(errors.New("--on test: the model was trained on all rows; hold some out with train --split"))
	}
	return judgedRows{judged, t, split.Test, testName, "test", true}, nil
}

// tableToJudge reads --data by the model's columns, whatever its name, standard input
// with input, or else the table that the model was trained on as it was read then.
func tableToJudge(c *cli.Context, m *models.Model, prepared *preparation.Preparation, trained experiment.Settings, keep []string, input reader) (*data.Table, string, error) {
	name, dir := c.String("data"), c.String("data-dir")
	ctx, stop := reading(c, cmp.Or(name, trained.Table.Name))
	defer stop()
	if name == "" {
		as := trained
		as.Table.Keep, as.Calibration.By = keep, ""
		as.Table.Checksum = "" // what has changed is told by what was asked for
		t, err := readTable(ctx, as, dir)
		if errors.Is(err, experiment.ErrStandardInput) {
			return nil, "", usage("the table that the model was trained on has no name: %w; name it with --data", err)
		}
		if err != nil {
			return nil, "", fmt.Errorf("the table that the model was trained on: %w; name it with --data", err)
		}
		return t, trained.Table.Name, nil
	}
	protocol := trained.Table.Protocol(cmp.Or(trained.Training.Protocol, data.Sound))
	columns := columnsOf(m, prepared, trained.Table, c.String("header"), false)
	columns.Keep = keep
	if input != nil {
		t, err := input(ctx, columns)
		return t, experiment.StandardInput, err
	}
	t, err := experiment.ReadNamed(ctx, name, dir, protocol, trained.Table.Seed, columns)
	return t, name, err
}

// scoresTable writes an evaluation for people: its scores, and a dash for what needs
// a standard deviation where there is none.
func scoresTable(w io.Writer, e *evaluation.Evaluation) error {
	header := []any{""}
	var shown []string
	for _, m := range measure.All() {
		usual := !slices.ContainsFunc(m.Needs, func(p measure.Part) bool { return p != measure.Mean && p != measure.Std })
		if usual || e.Standardised.Has(m.Name) {
			shown, header = append(shown, m.Name), append(header, m.Title)
		}
	}
	t := newTable(2, header...)
	add := func(label string, s measure.Scores) {
		row := table.Row{label}
		for _, name := range shown {
			cell := "–"
			if s.Has(name) {
				cell = fmt.Sprintf("%.4g", s.Of(name))
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	all := func(e *evaluation.Evaluation, when string) {
		label := when
		for _, column := range e.Columns {
			add(when+column.Name+", standardised", column.Standardised)
			add(when+column.Name+", original unit", column.Original)
			label = when + "mean, "
		}
		add(label+"standardised", e.Standardised)
		add(label+"original unit", e.Original)
	}
	when := ""
	if e.Uncalibrated != nil {
		all(e.Uncalibrated, "raw, ")
		when = "calibrated, "
	}
	all(e, when)
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return err
	}
	if e.DropShare != nil {
		fmt.Fprintf(w, "%d sub-networks a row; their spread is %.0f%% of the standard deviation\n", e.Samples, 100**e.DropShare)
	}
	return nil
}

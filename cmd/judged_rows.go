package cmd

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// Values of --on, which select rows of the training table.
const (
	trainRows       = "train"
	calibrationRows = "calibration"
	testRows        = "test"
	allRows         = "all"
)

// rowGroups are the values of --on.
var rowGroups = []string{trainRows, calibrationRows, testRows, allRows}

// judgedFlags returns the flags that choose rows to judge a model on.
func judgedFlags(defaultRows string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "on", Usage: "use these `ROWS` of the table that the model was trained on: " + joinChoices(rowGroups), DefaultText: defaultRows},
		&cli.StringFlag{Name: "data", Usage: "use another table: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
		dataDirFlag(),
		headerFlag("--data"),
	}
}

// judgedRows are the rows of a table that a model predicts and is judged on.
type judgedRows struct {
	table   *data.Table // the table, prepared as for the training
	targets *data.Table // the table as it was read, with the targets in their unit
	numbers []int       // indices of the rows in the table; nil for all rows
	name    string      // name of the table, for messages
	on      string      // name of the group of rows, such as test, for messages
	kept    int         // number of columns kept for --keep

	isTrainingTable bool            // whether the model was trained on the table
	rows            experiment.Rows // division of the training table; empty for another table
}

// count returns the number of rows.
func (j *judgedRows) count() int {
	if j.numbers == nil {
		return j.targets.Rows()
	}
	return len(j.numbers)
}

// String describes the rows: their number, their table, and their group.
func (j *judgedRows) String() string {
	return fmt.Sprintf("%d rows of %s (%s)", j.count(), j.name, j.on)
}

// subset returns the rows in the units of the model's inputs.
func (j *judgedRows) subset(m *experiment.Model) data.Subset {
	return j.table.Subset(j.numbers, m.Inputs, nil)
}

// predict predicts the rows by sampling sub-networks of the model, without a calibration.
func (j *judgedRows) predict(c *cli.Context, m *experiment.Model, s evaluation.Sampling) (*evaluation.Predictions, error) {
	defer showSampling(c, &s)()
	return await(c.Context, func() (*evaluation.Predictions, error) {
		return evaluation.Predict(c.Context, m.Model, j.subset(m), s)
	})
}

// rowChoice is a choice of rows, with the names of the flags that choose them, for errors.
type rowChoice struct {
	on   string // one of rowGroups; "" for the default
	data string // name of a data set or file; "" for the table that the model was trained on

	onFlag, dataFlag string
}

// readJudged reads the rows that --on and --data ask for, and prints remarks on them. With
// --uncalibrated it removes the model's calibration.
func readJudged(c *cli.Context, m *experiment.Model) (judgedRows, error) {
	if c.Bool("uncalibrated") {
		m.Calibration = nil
	}
	by := ""
	if m.Calibration != nil {
		by = m.Calibration.GroupColumn
	}
	j, err := rowsToJudge(c, m, by)
	if err != nil {
		return judgedRows{}, err
	}
	noteTable(c, j.table)
	if w := m.Settings.Table.Weight; w != j.table.Weight {
		note(c, "%s has no column %q: all rows have the same weight", j.name, w)
	}
	if by != "" {
		noteUnknownGroups(c, m.Calibration, m.Calibration.UnknownValues(j.targets.KeptTexts.Column(by)))
	}
	return j, nil
}

// rowsToJudge reads the rows that --on and --data ask for, with the texts of the column by.
func rowsToJudge(c *cli.Context, m *experiment.Model, by string) (judgedRows, error) {
	return chooseRows(c, m, by, rowChoice{on: c.String("on"), data: c.String("data"), onFlag: "on", dataFlag: "data"})
}

// chooseRows reads the rows of a choice, with the texts of the column by.
func chooseRows(c *cli.Context, m *experiment.Model, by string, choice rowChoice) (judgedRows, error) {
	if choice.on != "" {
		if err := checkChoice(choice.onFlag, choice.on, rowGroups...); err != nil {
			return judgedRows{}, err
		}
	}
	if c.IsSet("header") && c.String("data") == "" {
		return judgedRows{}, usageErrorf("--header needs --data FILE, which it describes")
	}
	j := &judgedReader{cli: c, model: m, settings: m.Settings, choice: choice}
	return await(c.Context, func() (judgedRows, error) { return j.read(by) })
}

// judgedReader reads the table of judged rows and selects the rows.
type judgedReader struct {
	cli      *cli.Context
	model    *experiment.Model
	settings experiment.Settings // of the training; without the test file if --data names another table
	choice   rowChoice

	keep  read.Options // columns whose texts are kept
	input rowio.Source // of standard input; nil if the table has a name
}

// read reads the table, prepares it as the training table was prepared, and selects the rows. by is a
// column to keep for a calibration by its values, "" for none.
func (r *judgedReader) read(by string) (judgedRows, error) {
	if r.choice.data == "-" {
		read, done, err := rowio.RepeatableSource(r.cli.App.Reader)
		defer done()
		if err != nil {
			return judgedRows{}, err
		}
		r.input = read
	}
	if err := addKept(r.cli, &r.keep); err != nil {
		return judgedRows{}, err
	}
	if by != "" {
		r.keep.Keep = append(r.keep.Keep, by)
	}
	t, name, err := r.table()
	if err != nil {
		return judgedRows{}, err
	}
	t, changed, err := r.compare(t, name)
	if err != nil {
		return judgedRows{}, err
	}
	prepared, encoder, err := r.model.Preparation.Table(t)
	if err != nil {
		return judgedRows{}, err
	}
	found := judgedRows{table: prepared, targets: t, name: name, on: allRows, kept: len(t.KeptTexts.Names)}
	if by != "" {
		found.kept--
	}
	if changed != "" {
		noteUnknown(r.cli, r.model.Preparation, encoder)
		return found, r.checkChanged(changed, name)
	}
	if err := r.selectRows(&found); err != nil {
		return found, err
	}
	if found.numbers != nil { // encoder has counted the values of all rows
		encoder, err = r.model.Preparation.CountUnknown(t, found.numbers)
	}
	noteUnknown(r.cli, r.model.Preparation, encoder)
	return found, err
}

// hasDataFlag reports whether --data names a table.
func (r *judgedReader) hasDataFlag() bool { return r.choice.data != "" }

// table reads the table, and returns its name.
func (r *judgedReader) table() (*data.Table, string, error) {
	dir := r.cli.String("data-dir")
	name := r.choice.data
	if name == "" {
		t, err := readTable(r.cli, r.trainingTable(), dir)
		if errors.Is(err, experiment.ErrStandardInput) {
			return nil, "", usageErrorf("the table that the model was trained on has no name: %w; name it with --%s", err, r.choice.dataFlag)
		}
		if err != nil {
			return nil, "", fmt.Errorf("the table that the model was trained on: %w; name it with --%s", err, r.choice.dataFlag)
		}
		return t, r.settings.Table.Name, nil
	}
	ctx, stop := showTransfer(r.cli.Context, r.cli, "reading "+name)
	defer stop()
	protocol := r.settings.Table.Protocol(cmp.Or(r.settings.Training.Protocol, data.Sound))
	columns := judgedColumns(r.model, r.cli.String("header"))
	columns.Keep, columns.KeepAll = r.keep.Keep, r.keep.KeepAll
	if r.input != nil {
		t, err := r.input(ctx, columns)
		return t, experiment.StandardInput, err
	}
	t, err := experiment.ReadTable(ctx, name, dir, protocol, columns)
	return t, name, err
}

// trainingTable returns settings to read the training table again, without its checksum:
// compare finds changes and says more about them.
func (r *judgedReader) trainingTable() experiment.Settings {
	s := r.settings
	s.Table.Keep = r.keep.Keep
	s.Table.KeepAll = r.keep.KeepAll
	s.Table.Checksum = ""
	s.Calibration.GroupColumn = "" // r.keep has it, if it is needed
	return s
}

// compare compares a table with the table that the model was trained on. It returns the table to use,
// and the name of the file that differs, "" if none does.
//
// A table that --data names was read with the model's input columns only, so that it differs if the
// training dropped or split by other columns. It is therefore read once more as in the training, which
// fails if it is really another table.
func (r *judgedReader) compare(t *data.Table, name string) (_ *data.Table, changed string, err error) {
	if r.hasDataFlag() && r.settings.Table.Test != nil {
		if r.choice.on == testRows {
			return nil, "", fmt.Errorf("--%s test: the model was tested on the rows of %s; leave out --%s", r.choice.onFlag, r.settings.Table.Test.Name, r.choice.dataFlag)
		}
		r.settings.Table.Test = nil
		r.settings.Training.Split = "" // the split was into the two files
	}
	ctx := r.cli.Context
	changed, err = r.settings.Table.ChangedFile(ctx, t)
	if err != nil || changed == "" || !r.hasDataFlag() {
		return t, changed, err
	}
	hasOnlyInputs := r.model.Preparation == nil && r.settings.Table.SplitColumn == ""
	if hasOnlyInputs {
		return t, changed, nil
	}
	source := r.settings.Table
	source.Name = name
	source.ReadStandardInput = r.input
	source.Keep = r.keep.Keep
	source.KeepAll = r.keep.KeepAll
	asInTraining, err := source.Read(ctx, r.cli.String("data-dir"), r.settings.Training.Protocol)
	if err != nil {
		return t, changed, nil // it is another table
	}
	return asInTraining, "", nil
}

// checkChanged returns an error unless --data names a table other than the training table and all its rows
// are chosen: other tables have no test rows. changed is the file that differs from the training, and name
// the name of the table.
func (r *judgedReader) checkChanged(changed, name string) error {
	switch {
	case !r.hasDataFlag() && changed != r.settings.Table.Name:
		return fmt.Errorf("%s no longer has the rows that the model was tested on; name it with --%s to judge them all the same", changed, r.choice.dataFlag)
	case !r.hasDataFlag():
		return fmt.Errorf("%s is no longer the table that the model was trained on; name it with --%s to judge it all the same", changed, r.choice.dataFlag)
	}
	if on := r.choice.on; on != "" && on != allRows {
		return fmt.Errorf("--%s %s: %s is not the table that the model was trained on, so it has no such rows; use --on all", r.choice.onFlag, on, name)
	}
	return nil
}

// selectRows selects the chosen rows of the table that the model was trained on: by default the test rows,
// or all rows if none were held out. It sets numbers, on, name, isTrainingTable and rows of found. It
// returns an error if there are no such rows.
func (r *judgedReader) selectRows(found *judgedRows) error {
	split, err := r.settings.Rows(r.cli.Context, found.targets)
	if err != nil {
		return err
	}
	found.isTrainingTable = true
	found.rows = split
	found.on = r.choice.on
	if found.on == "" {
		found.on = testRows
		if len(split.Test) == 0 {
			found.on = allRows
		}
	}
	testFile := r.settings.Table.Test // nil if the test rows are part of the table
	switch found.on {
	case allRows:
		if testFile != nil {
			found.name += " and " + testFile.Name
		}
	case trainRows:
		found.numbers = split.Train
	case calibrationRows:
		if len(split.Calibration) == 0 {
			return fmt.Errorf("--%s calibration: the training kept no rows to calibrate on; train --calibrate does", r.choice.onFlag)
		}
		found.numbers = split.Calibration
	case testRows:
		if len(split.Test) == 0 {
			return fmt.Errorf("--%s test: the model was trained on all rows; hold some out with train --split", r.choice.onFlag)
		}
		found.numbers = split.Test
		if testFile != nil {
			found.name = testFile.Name
		}
	}
	return nil
}

package cmd

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
)

// Values of --on, which select a part of the training table.
const (
	trainRows       = "train"
	calibrationRows = "calibration"
	testRows        = "test"
	allRows         = "all"
)

// splitParts are the values of --on.
var splitParts = []string{trainRows, calibrationRows, testRows, allRows}

// judgedFlags returns the flags that choose rows to judge a model on.
func judgedFlags(defaultRows string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "on", Usage: "use these `ROWS` of the table that the model was trained on: " + joinChoices(splitParts), DefaultText: defaultRows},
		&cli.StringFlag{Name: "data", Usage: "use another table: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
		dataDirFlag(),
		headerFlag("--data"),
	}
}

// judgedRows are the rows of a table that a model predicts and is judged on.
type judgedRows struct {
	table   *data.Table // the table, prepared as for the training, without rows of weight 0
	targets *data.Table // the same table as it was read, with the targets in their unit
	indices []int       // indices of the rows in the table, ascending; nil for all rows
	name    string      // name of the table, for messages
	kept    int         // number of columns kept for --keep

	splitPart       string          // one of splitParts; allRows for a table that the model was not trained on
	isTrainingTable bool            // whether the model was trained on the table
	split           experiment.Rows // division of the training table; empty for another table
}

// count returns the number of judged rows.
func (j *judgedRows) count() int {
	if j.indices == nil {
		return j.targets.Rows()
	}
	return len(j.indices)
}

// tableIndex returns the index in the table of the judged row at a position: the table may have more rows.
func (j *judgedRows) tableIndex(position int) int {
	if j.indices == nil {
		return position
	}
	return j.indices[position]
}

// String describes the rows, such as "50 rows of houses.csv (test)".
func (j *judgedRows) String() string {
	return fmt.Sprintf("%d rows of %s (%s)", j.count(), j.name, j.splitPart)
}

// subset returns the inputs of the rows, standardised as for the model's training, without targets.
func (j *judgedRows) subset(m *experiment.Model) data.Subset {
	var noTargets data.Scalers
	return j.table.Subset(j.indices, m.Inputs, noTargets)
}

// predict predicts the rows by sampling sub-networks of the model, without its calibration, and shows the
// progress.
func (j *judgedRows) predict(c *cli.Context, m *experiment.Model, s evaluation.Sampling) (*evaluation.Predictions, error) {
	return awaitWithProgress(c, samplingAction, func(progress func(done, total int)) (*evaluation.Predictions, error) {
		s.Progress = progress
		return evaluation.Predict(c.Context, m.Model, j.subset(m), s)
	})
}

// judgedModel names a model and the rows that it is judged on, in results for --json.
type judgedModel struct {
	Model  string `json:"model"`
	Method string `json:"method"`
	Data   string `json:"data"`
	On     string `json:"on"` // part of the split with the rows: see splitParts
}

// newJudgedModel returns the names of the model m in dir, and of the rows.
func newJudgedModel(dir string, m *experiment.Model, rows *judgedRows) judgedModel {
	return judgedModel{
		Model:  dir,
		Method: m.Method,
		Data:   rows.name,
		On:     rows.splitPart,
	}
}

// describe describes the model and the rows, such as "model (sml) on 50 rows of houses.csv (test), weighted by n".
func (j judgedModel) describe(rows *judgedRows) string {
	return fmt.Sprintf("%s (%s) on %s%s", j.Model, j.Method, rows, describeWeights(rows.table))
}

// rowChoice is a choice of rows by flags.
type rowChoice struct {
	splitPart string // one of splitParts; "" for the test rows, or all rows if there are no test rows
	table     string // name of a data set or file; "" for the table that the model was trained on

	groupColumn string // column whose texts are kept, too; "" for none

	// Names of the flags that choose the part and the table, for errors.
	partFlag  string
	tableFlag string
}

// readJudged reads the rows that --on and --data ask for, and prints remarks on them. With
// --uncalibrated it removes the model's calibration.
func readJudged(c *cli.Context, m *experiment.Model) (judgedRows, error) {
	if c.Bool("uncalibrated") {
		m.Calibration = nil
	}
	groupColumn := "" // column whose values have a calibration each
	if m.Calibration != nil {
		groupColumn = m.Calibration.GroupColumn
	}
	j, err := rowsToJudge(c, m, groupColumn)
	if err != nil {
		return judgedRows{}, err
	}
	noteTable(c, j.table)
	if w := m.Settings.Table.Weight; w != j.table.Weight {
		note(c, "%s has no column %q: all rows have the same weight", j.name, w)
	}
	if groupColumn != "" {
		unknown := m.Calibration.UnknownValues(j.targets.KeptTexts.Column(groupColumn))
		noteUnknownGroups(c, m.Calibration, unknown)
	}
	return j, nil
}

// rowsToJudge reads the rows that --on and --data ask for, and keeps the texts of the group column, "" for
// none.
func rowsToJudge(c *cli.Context, m *experiment.Model, groupColumn string) (judgedRows, error) {
	return chooseRows(c, m, rowChoice{
		splitPart:   c.String("on"),
		table:       c.String("data"),
		groupColumn: groupColumn,
		partFlag:    "on",
		tableFlag:   "data",
	})
}

// chooseRows reads the rows of a choice.
func chooseRows(c *cli.Context, m *experiment.Model, choice rowChoice) (judgedRows, error) {
	if choice.splitPart != "" {
		if err := checkChoice(choice.partFlag, choice.splitPart, splitParts...); err != nil {
			return judgedRows{}, err
		}
	}
	if c.IsSet("header") && c.String("data") == "" {
		return judgedRows{}, usageErrorf("--header needs --data FILE, which it describes")
	}
	r := &judgedReader{
		cli:      c,
		model:    m,
		settings: m.Settings,
		choice:   choice,
	}
	if err := addKept(c, &r.keep); err != nil {
		return judgedRows{}, err
	}
	if choice.groupColumn != "" {
		r.keep.Keep = append(r.keep.Keep, choice.groupColumn) // behind the columns of --keep
	}
	return await(c.Context, r.read)
}

// judgedReader reads the table of judged rows and selects the rows. read is its entry point.
type judgedReader struct {
	cli    *cli.Context
	model  *experiment.Model
	choice rowChoice

	// Settings of the training. compare removes the test file from them if the choice names another table.
	settings experiment.Settings

	keep  read.Options // Keep and KeepAll: the columns whose texts are kept
	stdin rowio.Source // standard input; nil if the table has a name
}

// read reads the table, prepares it as the training table was prepared, and selects the rows. It prints the
// categories that the preparation does not know.
func (r *judgedReader) read() (judgedRows, error) {
	if r.choice.table == "-" { // the table may be read twice, see compare
		source, done, err := rowio.RepeatableSource(r.cli.App.Reader)
		defer done()
		if err != nil {
			return judgedRows{}, err
		}
		r.stdin = source
	}
	t, name, err := r.readChosenTable()
	if err != nil {
		return judgedRows{}, err
	}
	// changed is the name of the file that differs from the training table, "" if none does.
	t, changed, err := r.compare(t, name)
	if err != nil {
		return judgedRows{}, err
	}
	if changed == "" {
		return r.selectRows(experiment.NewTable(t), name)
	}
	if err := r.checkChanged(changed, name); err != nil {
		return judgedRows{}, err
	}
	judged, encoder, err := r.prepare(t.Weighted(), name)
	noteUnknown(r.cli, r.model.Preparation, encoder)
	return judged, err
}

// prepare returns all rows of a table with a name, prepared as the training table was prepared, and the encoder, which has
// counted the values that the model does not know.
func (r *judgedReader) prepare(t *data.Table, name string) (judgedRows, *preparation.Encoder, error) {
	prepared, encoder, err := r.model.Preparation.Table(t)
	kept := len(t.KeptTexts.Names)
	if r.choice.groupColumn != "" { // which is not a column of --keep
		kept--
	}
	return judgedRows{
		table:     prepared,
		targets:   t,
		name:      name,
		kept:      kept,
		splitPart: allRows,
	}, encoder, err
}

// choosesTable reports whether the flags name a table.
func (r *judgedReader) choosesTable() bool { return r.choice.table != "" }

// readChosenTable reads the table and returns its name: the table of the choice, or else the training table.
func (r *judgedReader) readChosenTable() (t *data.Table, name string, err error) {
	if !r.choosesTable() {
		t, err = r.readTrainingTable()
		return t, r.settings.Table.Name, err
	}
	name = r.choice.table
	ctx, stop := showTransfer(r.cli.Context, r.cli, "reading "+name)
	defer stop()
	protocol := r.settings.Table.Protocol(cmp.Or(r.settings.Training.Protocol, data.Sound))
	columns := judgedColumns(r.model, r.cli.String("header"))
	columns.Keep = r.keep.Keep
	columns.KeepAll = r.keep.KeepAll
	if r.stdin != nil {
		t, err = r.stdin(ctx, columns)
		return t, experiment.StandardInput, err
	}
	t, err = experiment.ReadTable(ctx, name, r.cli.String("data-dir"), protocol, columns)
	return t, name, err
}

// readTrainingTable reads the table that the model was trained on, with the texts of the kept columns. It
// does not check the table's checksum: compare finds changes and says more about them.
func (r *judgedReader) readTrainingTable() (*data.Table, error) {
	s := r.settings
	s.Table.Keep = r.keep.Keep
	s.Table.KeepAll = r.keep.KeepAll
	s.Table.Checksum = ""
	s.Calibration.GroupColumn = "" // r.keep has it, if it is needed
	if err := refuseOverwritingInputs(r.cli, namedPath{path: s.Table.Name}); err != nil {
		return nil, err
	}
	t, err := readTable(r.cli, s, r.cli.String("data-dir"))
	if errors.Is(err, experiment.ErrStandardInput) {
		return nil, usageErrorf("the table that the model was trained on has no name: %w; name it with --%s", err, r.choice.tableFlag)
	}
	if err != nil {
		return nil, fmt.Errorf("the table that the model was trained on: %w; name it with --%s", err, r.choice.tableFlag)
	}
	return t, nil
}

// compare compares a table with the table that the model was trained on. It returns the table to use,
// and the name of the file that differs, "" if none does.
//
// A table that the choice names was read with the model's input columns only, so that it differs if the
// training dropped or split by other columns. It is therefore read once more as in the training, which
// fails if it is really another table.
func (r *judgedReader) compare(t *data.Table, name string) (_ *data.Table, changed string, err error) {
	if r.choosesTable() && r.settings.Table.Test != nil {
		if r.choice.splitPart == testRows {
			return nil, "", fmt.Errorf("--%s test: the model was tested on the rows of %s; leave out --%s", r.choice.partFlag, r.settings.Table.Test.Name, r.choice.tableFlag)
		}
		r.settings.Table.Test = nil
		r.settings.Training.Split = "" // the split was into the two files
	}
	ctx := r.cli.Context
	changed, err = r.settings.Table.ChangedFile(ctx, t)
	if err != nil || changed == "" || !r.choosesTable() {
		return t, changed, err
	}
	hasOnlyInputs := r.model.Preparation == nil && r.settings.Table.SplitColumn == ""
	if hasOnlyInputs {
		return t, changed, nil
	}
	source := r.settings.Table
	source.Name = name
	source.ReadStandardInput = r.stdin
	source.Keep = r.keep.Keep
	source.KeepAll = r.keep.KeepAll
	asInTraining, err := source.Read(ctx, r.cli.String("data-dir"), r.settings.Training.Protocol)
	if err != nil {
		return t, changed, nil // it is another table
	}
	return asInTraining, "", nil
}

// checkChanged returns an error unless the choice names a table other than the training table and all its
// rows: other tables have no test rows. changed is the file that differs from the training, and name the name
// of the table.
func (r *judgedReader) checkChanged(changed, name string) error {
	if !r.choosesTable() {
		if changed != r.settings.Table.Name {
			return fmt.Errorf("%s no longer has the rows that the model was tested on; name it with --%s to judge them all the same", changed, r.choice.tableFlag)
		}
		return fmt.Errorf("%s is no longer the table that the model was trained on; name it with --%s to judge it all the same", changed, r.choice.tableFlag)
	}
	if part := r.choice.splitPart; part != "" && part != allRows {
		return fmt.Errorf("--%s %s: %s is not the table that the model was trained on, so it has no such rows; use --on all", r.choice.partFlag, part, name)
	}
	return nil
}

// selectRows returns the chosen part of the table that the model was trained on: by default the test rows, or all rows if
// none were held out. It returns an error if there are no such rows.
func (r *judgedReader) selectRows(t *experiment.Table, name string) (judgedRows, error) {
	judged, encoder, err := r.prepare(t.Table, name)
	if err != nil {
		return judged, err
	}
	judged.isTrainingTable = true
	judged.split, err = r.settings.Rows(r.cli.Context, t)
	if err != nil {
		return judged, err
	}
	judged.splitPart = cmp.Or(r.choice.splitPart, testRows)
	if r.choice.splitPart == "" && len(judged.split.Test) == 0 {
		judged.splitPart = allRows
	}
	if err := r.selectPart(&judged); err != nil {
		return judged, err
	}
	if judged.indices != nil { // encoder has counted the values of all rows
		encoder, err = r.model.Preparation.CountUnknown(t.Table, judged.indices)
	}
	noteUnknown(r.cli, r.model.Preparation, encoder)
	return judged, err
}

// selectPart sets the indices of the rows of judged.splitPart, and completes their name by the file of test rows. It returns
// an error if there are no such rows.
func (r *judgedReader) selectPart(judged *judgedRows) error {
	testFile := r.settings.Table.Test // nil if the test rows are part of the table
	switch judged.splitPart {
	case allRows: // indices stays nil
		if testFile != nil {
			judged.name += " and " + testFile.Name
		}
	case trainRows:
		judged.indices = judged.split.Train
	case calibrationRows:
		if len(judged.split.Calibration) == 0 {
			return fmt.Errorf("--%s calibration: the training kept no rows to calibrate on; train --calibrate does", r.choice.partFlag)
		}
		judged.indices = judged.split.Calibration
	case testRows:
		if len(judged.split.Test) == 0 {
			return fmt.Errorf("--%s test: the model was trained on all rows; hold some out with train --split", r.choice.partFlag)
		}
		judged.indices = judged.split.Test
		if testFile != nil {
			judged.name = testFile.Name
		}
	}
	return nil
}

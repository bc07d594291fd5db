package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
)

// splitFlags returns the flags that choose the training rows and the test rows of a table.
func splitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "split", Usage: "split into training and test rows by `KIND`: " + noSplit + " (train on all rows), " + strings.Join(split.Names(), ", "), DefaultText: "random, with a fifth of the rows as test rows"},
		&cli.IntFlag{Name: "fold", Usage: "test on the fold with this `NUMBER`, from 0"},
		&cli.StringFlag{Name: "group", Usage: "test on whole groups with --split group, which `COLUMN` contains; it is not an input column"},
		&cli.StringFlag{Name: "time", Usage: "test on the latest rows with --split time, by the dates or numbers in `COLUMN`"},
		&cli.Float64Flag{Name: "test-fraction", Usage: "test on this `FRACTION` of the rows with --split random or time", DefaultText: "0.2; 0.1 with --split random"},
		&cli.StringFlag{Name: "folds-column", Usage: "test on the folds that `COLUMN` contains, as numbers from 0, names, or the words train and test; it is not an input column"},
		&cli.StringFlag{Name: "test", Usage: "test on the rows of `FILE`, and train on all rows of --data"},
	}
}

// defaultTestFraction is the fraction of the rows that a training without a split holds out.
const defaultTestFraction = 0.2

// neededFlag returns the flag that a kind of split needs, with its placeholder; "" if there
// is none.
func neededFlag(k split.Kind) string {
	for _, o := range (experiment.ReadOptions{}).SplitOptions() { // all options, without values
		if !o.Serves(k) {
			continue
		}
		if o.Column == "" {
			return "--" + o.Key + " FILE"
		}
		return "--" + o.Key + " COLUMN"
	}
	return ""
}

// chooseSplit copies the flags of the split into s: the kind, the fold, and the column or the file that the
// kind needs. Without --split, a flag such as --group chooses its kind, and otherwise a fifth of the rows is held
// out at random, so that every training has honest scores. It returns a usage error for flags that do not fit the
// kind.
func chooseSplit(c *cli.Context, s *experiment.Settings) error {
	options := readOptions(c)
	if err := checkSplitFlags(c, options); err != nil {
		return err
	}
	name := c.String("split")
	if !c.IsSet("split") {
		name = options.DefaultSplit() // "" unless a flag names a column or a file
	}
	if name == "" {
		name = "random"
		options.TestFraction = cmp.Or(options.TestFraction, defaultTestFraction)
	}
	if name == noSplit {
		return refuseSplitFlags(c)
	}
	kind, err := split.Lookup(name)
	if err != nil {
		return usageErrorf("--split: %w, or %s", err, noSplit)
	}
	fold := c.Int("fold")
	if err := kind.CheckFold(fold); err != nil {
		return usageErrorf("--fold %d: %w", fold, err)
	}
	if err := options.CheckSplits([]string{name}); err != nil {
		return usageErrorf("--split %s: %w", name, err)
	}
	s.Training.Split = name
	s.Training.Fold = fold
	s.Training.TestFraction = options.TestFraction
	setSplitSource(&s.Table, options, kind)
	return nil
}

// setSplitSource sets the column or the test file of a split of a kind in the settings of the table. It changes
// nothing if the split needs neither.
func setSplitSource(t *experiment.Source, options experiment.ReadOptions, kind split.Kind) {
	for _, o := range options.SplitOptions() {
		isFile := o.Column == ""
		switch {
		case o.Value == "": // the flag is not set
		case isFile:
			t.Test = &experiment.TestFile{Name: o.Value}
		default:
			t.SplitColumn = o.Value
			t.DropBy = kind.ColumnIsNoInput
		}
	}
}

// checkSplitFlags returns a usage error for a flag of a split that names nothing, or standard input.
func checkSplitFlags(c *cli.Context, options experiment.ReadOptions) error {
	for _, o := range options.SplitOptions() {
		isFile := o.Column == ""
		switch {
		case c.IsSet(o.Key) && o.Value == "":
			return usageErrorf("--%s is empty", o.Key)
		case isFile && o.Value == "-":
			return usageErrorf("--%s -: the rows to test on are those of a file, which is read again; standard input is for --data", o.Key)
		}
	}
	return checkNotZero(c, "test-fraction")
}

// refuseSplitFlags returns a usage error if a flag of a split is set, although the training uses all rows.
func refuseSplitFlags(c *cli.Context) error {
	for _, f := range splitFlags() {
		flag := f.Names()[0]
		if flag != "split" && c.IsSet(flag) {
			return usageErrorf("--%s %v needs a --split: %s", flag, c.Value(flag), strings.Join(split.Names(), ", "))
		}
	}
	return nil
}

// describeDefaultSplit says how many rows a training without --split holds out, or returns "" for another training.
func describeDefaultSplit(c *cli.Context, e *experiment.Experiment) string {
	if c.IsSet("split") || e.Training.Split != "random" {
		return ""
	}
	return fmt.Sprintf("%d of %d rows, drawn at random, are held out for the scores (--split %s trains on all)", len(e.Rows.Test), e.Data().Rows(), noSplit)
}

// describeSplit describes which values of the split's column the training rows and the test rows have. The
// column holds times, groups or folds. It returns "" if rows are not split by a column.
func describeSplit(e *experiment.Experiment) string {
	t := e.Data()
	kind, err := split.Lookup(e.Training.Split)
	if err != nil || kind.Column == "" || t.SplitColumn == "" {
		return ""
	}
	if kind.Column == "time" {
		return describeTimeSplit(e)
	}
	return describeFold(e, e.Folds())
}

// describeFewGroups says how a training on few groups validates, or returns "" if it has groups enough, or a validation
// without groups.
func describeFewGroups(e *experiment.Experiment) string {
	kind, err := split.Lookup(e.Training.Split)
	if err != nil || kind.Column != "group" {
		return ""
	}
	column := e.Data().SplitColumn
	groups := len(splitValues(e.Data(), e.Rows.Train))
	validates := e.Training.Validation > 0 || e.Training.RotatesValidation()
	switch {
	case groups == 1 && !validates:
		return column + ": the training rows are of one group, so that no rows are held out to stop early and to calibrate intervals"
	case groups < e.Training.Members/2 && e.Training.CrossValidation:
		return fmt.Sprintf("%s: the training rows are of %d groups, and each network of the ensemble holds out one of them", column, groups)
	}
	return ""
}

// describeTimeSplit describes the times of the training rows and of the test rows, which are later.
func describeTimeSplit(e *experiment.Experiment) string {
	t := e.Data()
	trainTimes := splitValues(t, e.Rows.Train)
	testTimes := splitValues(t, e.Rows.Test)
	show := t.SplitField.Show
	return fmt.Sprintf("%s: trained on up to %s, tested on from %s to %s, %d rows",
		t.SplitColumn, show(trainTimes[len(trainTimes)-1]), show(testTimes[0]), show(testTimes[len(testTimes)-1]), len(e.Rows.Test))
}

// describeFold describes the groups or folds of the test rows, and how many others the training rows have. folds is
// the number of folds of the split.
func describeFold(e *experiment.Experiment, folds int) string {
	t := e.Data()
	var testNames []string
	for _, value := range splitValues(t, e.Rows.Test) {
		testNames = append(testNames, t.SplitField.Show(value))
	}
	others := "another value"
	if n := len(splitValues(t, e.Rows.Train)); n > 1 {
		others = fmt.Sprintf("%d other values", n)
	}
	return fmt.Sprintf("%s: fold %d of %d tests on the %d rows of %s; trained on are those of %s",
		t.SplitColumn, e.Training.Fold, folds, len(e.Rows.Test), terminal.First(testNames, maxValues), others)
}

// splitValues returns the distinct values of the column that rows are split by, ascending: times, or the numbers of
// groups or folds.
func splitValues(t *data.Table, rows []int) []float64 {
	values := make([]float64, len(rows))
	for i, r := range rows {
		values[i] = t.SplitValues[r]
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// describeHeldOut describes the test rows of a training by their number: rows of the file of --test, or
// rows held out of the table.
func describeHeldOut(s experiment.Settings, rows int) string {
	if s.Table.Test != nil {
		return fmt.Sprintf("%s of %s", terminal.Count(rows, "row"), s.Table.Test.Name)
	}
	return terminal.Count(rows, "row") + " held out"
}

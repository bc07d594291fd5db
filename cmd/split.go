package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/experiment"
)

func splitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "split", Value: noSplit, Usage: "`KIND` of split into training and test rows: " + noSplit + " (train on all rows), " + strings.Join(data.SplitNames(), ", ")},
		&cli.IntFlag{Name: "fold", Usage: "test on this `FOLD` of the split, counted from 0"},
		&cli.StringFlag{Name: "group", Usage: "`COLUMN` with the group of each row, for --split group, which tests on whole groups; it is no input"},
		&cli.StringFlag{Name: "time", Usage: "`COLUMN` of dates or numbers, for --split time, which tests on the latest rows"},
		&cli.Float64Flag{Name: "test-share", Usage: "test on this `SHARE` of the rows with --split time", DefaultText: "0.2"},
		&cli.StringFlag{Name: "folds-column", Usage: "`COLUMN` with the fold in which each row is tested, a number from 0 or a name, or with the words train and test; it is no input"},
		&cli.StringFlag{Name: "test", Usage: "test on the rows of `FILE`, and train on all rows of --data"},
	}
}

// neededFlag returns the flag that a kind of split needs, with its placeholder; "" if there
// is none.
func neededFlag(k data.SplitKind) string {
	for _, o := range (experiment.ReadOptions{}).SplitOptions() {
		switch {
		case !o.Serves(k):
		case o.Column == "":
			return "--" + o.Key + " FILE"
		default:
			return "--" + o.Key + " COLUMN"
		}
	}
	return ""
}

// chooseSplit applies the flags of the split.
func chooseSplit(c *cli.Context, s *experiment.Settings) error {
	options := readOptions(c)
	if err := checkSplitFlags(c, options); err != nil {
		return err
	}
	split, fold := c.String("split"), c.Int("fold")
	if implied := options.DefaultSplit(); implied != "" && !c.IsSet("split") {
		split = implied
	}
	if split == noSplit {
		return refuseSplitFlags(c)
	}
	kind, err := data.LookupSplit(split)
	if err != nil {
		return usage("--split: %w, or %s", err, noSplit)
	}
	if err := kind.CheckFold(fold); err != nil {
		return usage("--fold %d: %w", fold, err)
	}
	if err := options.CheckSplits([]string{split}); err != nil {
		return usage("--split %s: %w", split, err)
	}
	s.Training.Split, s.Training.Fold, s.Training.TestShare = split, fold, options.TestShare
	for _, o := range options.SplitOptions() {
		switch {
		case o.Value == "":
		case o.Column == "":
			s.Table.Test = &experiment.TestFile{Name: o.Value}
		default:
			s.Table.By, s.Table.ByAlone = o.Value, kind.Apart
		}
	}
	return nil
}

// checkSplitFlags returns an error for a flag that names nothing, or standard input.
func checkSplitFlags(c *cli.Context, options experiment.ReadOptions) error {
	for _, o := range options.SplitOptions() {
		switch {
		case c.IsSet(o.Key) && o.Value == "":
			return usage("--%s is empty", o.Key)
		case o.Column == "" && o.Value == "-":
			return usage("--%s -: the rows to test on are those of a file, which is read again; standard input is for --data", o.Key)
		}
	}
	return notZero(c, "test-share")
}

// refuseSplitFlags returns an error for a flag of a split in a training on all rows.
func refuseSplitFlags(c *cli.Context) error {
	for _, f := range splitFlags() {
		if flag := f.Names()[0]; flag != "split" && c.IsSet(flag) {
			return usage("--%s %v needs a --split: %s", flag, c.Value(flag), strings.Join(data.SplitNames(), ", "))
		}
	}
	return nil
}

// maxTold is how many values of a column are told.
const maxTold = 10

// tellSplit says what the column that rows are split by makes of them.
func tellSplit(w io.Writer, e *experiment.Experiment) {
	t := e.Data()
	kind, err := data.LookupSplit(e.Training.Split)
	if err != nil || kind.Column == "" || t.By == "" {
		return
	}
	if kind.Share > 0 {
		_, until := ends(t, e.Rows.Train)
		from, last := ends(t, e.Rows.Test)
		fmt.Fprintf(w, "sml: %s: trained on up to %s, tested on from %s to %s, %d rows\n", t.By, until, from, last, len(e.Rows.Test))
		return
	}
	folds, err := kind.FoldsOf(t)
	if err != nil {
		return
	}
	tested := valuesOf(t, e.Rows.Test)
	says := strings.Join(tested[:min(len(tested), maxTold)], ", ")
	if len(tested) > maxTold {
		says += fmt.Sprintf(" and %d more", len(tested)-maxTold)
	}
	others := "another value"
	if n := len(valuesOf(t, e.Rows.Train)); n > 1 {
		others = fmt.Sprintf("%d other values", n)
	}
	fmt.Fprintf(w, "sml: %s: fold %d of %d tests on the %d rows of %s; trained on are those of %s\n", t.By, e.Training.Fold, folds, len(e.Rows.Test), says, others)
}

// ends are the lowest and the highest value of the column that rows are split by.
func ends(t *data.Table, rows []int) (low, high string) {
	first, last := t.B[rows[0]], t.B[rows[0]]
	for _, r := range rows {
		first, last = min(first, t.B[r]), max(last, t.B[r])
	}
	return t.ByField.Show(first), t.ByField.Show(last)
}

// valuesOf are the different values of that column in some rows, ascending.
func valuesOf(t *data.Table, rows []int) []string {
	var values []float64
	for _, r := range rows {
		values = append(values, t.B[r])
	}
	slices.Sort(values)
	var texts []string
	for _, v := range slices.Compact(values) {
		texts = append(texts, t.ByField.Show(v))
	}
	return texts
}

// rowsHeldOut says which rows a training is judged on.
func rowsHeldOut(s experiment.Settings, rows int) string {
	if s.Table.Test != nil {
		return fmt.Sprintf("%s of %s", count(rows, "row"), s.Table.Test.Name)
	}
	return count(rows, "row") + " held out"
}

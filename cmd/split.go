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

// splitNeeds are the flags that name what a kind of split needs: a column, by the
// word that the kind has for it, or a file. By itself a flag stands for its kind.
var splitNeeds = []splitNeed{
	{"group", "group", "group"},
	{"time", "time", "time"},
	{"folds-column", "fold", "folds"},
	{"test", "", data.TestFile},
}

type splitNeed struct{ flag, column, kind string }

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

// needs says which flag a kind of split needs.
func needs(k data.SplitKind) string {
	for _, f := range splitNeeds {
		switch {
		case f.column != "" && f.column == k.Column:
			return "--" + f.flag + " COLUMN"
		case f.column == "" && f.kind == k.Name:
			return "--" + f.flag + " FILE"
		}
	}
	return ""
}

// chooseSplit takes what the flags of splitFlags say.
func chooseSplit(c *cli.Context, s *experiment.Settings) error {
	split, fold := c.String("split"), c.Int("fold")
	for _, f := range splitNeeds {
		switch {
		case !c.IsSet(f.flag):
		case c.String(f.flag) == "":
			return usage("--%s is empty", f.flag)
		case !c.IsSet("split") && split == noSplit:
			split = f.kind
		case split == noSplit:
			return usage("--%s is for --split %s, and --split %s trains on all rows", f.flag, f.kind, noSplit)
		}
	}
	if split == noSplit {
		for _, flag := range []string{"fold", "test-share"} {
			if c.IsSet(flag) {
				return usage("--%s %v needs a --split: %s", flag, c.Value(flag), strings.Join(data.SplitNames(), ", "))
			}
		}
		return nil
	}
	kind, err := data.LookupSplit(split)
	if err != nil {
		return usage("--split: %w, or %s", err, noSplit)
	}
	if err := kind.CheckFold(fold); err != nil {
		return usage("--fold %d: %w", fold, err)
	}
	s.Training.Split, s.Training.Fold, s.Training.TestShare = split, fold, c.Float64("test-share")
	if c.IsSet("test-share") && kind.AtShare == nil {
		return usage("--test-share is for --split time, and not for --split %s", split)
	}
	if _, err := kind.WithShare(s.Training.TestShare); err != nil || c.IsSet("test-share") && s.Training.TestShare == 0 {
		return usage("--test-share %v: want more than 0 and less than 1", s.Training.TestShare)
	}
	for _, f := range splitNeeds {
		needed := f.kind == split || f.column != "" && f.column == kind.Column
		switch {
		case needed && !c.IsSet(f.flag) && f.column != "":
			return usage("--split %s needs --%s COLUMN, which says the %s of each row", split, f.flag, f.column)
		case needed && !c.IsSet(f.flag):
			return usage("--split %s needs --%s FILE", split, f.flag)
		case !needed && c.IsSet(f.flag):
			return usage("--%s is for --split %s, and this is --split %s: rows are split one way", f.flag, f.kind, split)
		case needed && f.column != "":
			s.Table.By, s.Table.ByAlone = c.String(f.flag), kind.Apart
		case needed && c.String(f.flag) == "-":
			return usage("--%s -: the rows to test on are those of a file, which is read again; standard input is for --data", f.flag)
		case needed:
			s.Table.Test = &experiment.TestFile{Name: c.String(f.flag)}
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
		_, until := ends(t, e.TrainRows())
		from, last := ends(t, e.TestRows())
		fmt.Fprintf(w, "sml: %s: trained on up to %s, tested on from %s to %s, %d rows\n", t.By, until, from, last, len(e.TestRows()))
		return
	}
	folds, err := kind.FoldsOf(t)
	if err != nil {
		return
	}
	tested := valuesOf(t, e.TestRows())
	says := strings.Join(tested[:min(len(tested), maxTold)], ", ")
	if len(tested) > maxTold {
		says += fmt.Sprintf(" and %d more", len(tested)-maxTold)
	}
	others := "another value"
	if n := len(valuesOf(t, e.TrainRows())); n > 1 {
		others = fmt.Sprintf("%d other values", n)
	}
	fmt.Fprintf(w, "sml: %s: fold %d of %d tests on the %d rows of %s; trained on are those of %s\n", t.By, e.Training.Fold, folds, len(e.TestRows()), says, others)
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

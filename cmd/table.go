package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data"
	"sml/data/fetch"
	"sml/data/preparation"
	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/models"
)

// noSplit is the split that trains on all rows.
const noSplit = "none"

// dataFlags returns the flags that choose and describe a table: --data first.
func dataFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "read a data set or toy set (see \"sml data list\"), or a `FILE`: CSV, JSON lines, Parquet, .xlsx (FILE.xlsx#SHEET), plain or gzipped; \"-\" for standard input"},
		dataDirFlag(),
		&cli.StringSliceFlag{Name: "target", Usage: "predict this `COLUMN`, a name or number; repeat the flag for several (default: the last column)"},
		&cli.StringSliceFlag{Name: "drop", Usage: "leave out this `COLUMN`, a name or number; repeat the flag for several"},
		&cli.StringSliceFlag{Name: "extra", Usage: "give this `COLUMN` to the method's objective, neither as input nor as target; repeat the flag for several"},
		&cli.StringFlag{Name: "weight", Usage: "weight each row by this `COLUMN`, 0 or more, which is neither input nor target"},
		headerFlag("the file"),
		&cli.StringSliceFlag{Name: "categorical", Usage: "treat the input `COLUMN` as categories, even if they look like numbers"},
		&cli.StringFlag{Name: "decimal", Usage: "read numbers with the decimal `SIGN` . or ,", DefaultText: "found by the first rows"},
		&cli.StringFlag{Name: "thousands", Usage: "read numbers with `SIGN` between thousands: . , ' or a blank", DefaultText: "none"},
		&cli.StringSliceFlag{Name: "na", Usage: "count the `VALUE`, such as -200, as missing in all columns or, as COLUMN=VALUE, in one; repeat the flag for several"},
		&cli.BoolFlag{Name: "drop-duplicates", Usage: "leave out rows with the same values as an earlier row"},
		&cli.StringSliceFlag{Name: "numeric", Usage: "treat the input `COLUMN` as numbers, and any other text in it as a missing value"},
		&cli.StringSliceFlag{Name: "date", Usage: "treat the input `COLUMN` as dates; add the format if it is ambiguous: day=dd/mm/yyyy"},
		&cli.StringSliceFlag{Name: "ordinal", Usage: "treat the input `COLUMN` as ordered categories, lowest first: cut=Fair,Good,Ideal; quote a category that has a comma"},
		&cli.StringFlag{Name: "missing", Value: string(preparation.Median), Usage: "handle missing inputs by `median|mean|drop|error`: replace them by the median or mean of the training rows, leave out the rows, or end with an error"},
		inRange(&cli.IntFlag{Name: "max-categories", Value: preparation.DefaultMaxCategories, Usage: "tell this `NUMBER` of categories of a column apart, the most frequent ones; all others count as one"},
			models.Range{Min: 1, Max: models.Limits.Inputs.Max}),
		&cli.StringFlag{Name: "transform", Usage: "transform every target by `NAME`: auto (chosen by the training rows), none, " + strings.Join(preparation.TransformNames(), ", "), DefaultText: "auto for your own table under the sound protocol, otherwise none"},
		&cli.StringFlag{Name: "support", Usage: "keep predictions of every target in `BOUNDS`: auto (chosen by the training rows), none, positive, non-negative, or LOW..HIGH such as 0..1", DefaultText: "auto for your own table under the sound protocol, otherwise none"},
	}
}

// dataDirFlag returns the flag --data-dir.
func dataDirFlag() cli.Flag {
	return &cli.StringFlag{Name: "data-dir", Usage: "read the data sets' files from `DIR`", DefaultText: "$SML_DATA, then the user's cache"}
}

// headerFlag returns the flag --header for the table that file describes.
func headerFlag(file string) cli.Flag {
	return choiceFlag("header", "take the column names from the first row of "+file+": `auto|yes|no`",
		string(read.HeaderAuto), string(read.HeaderYes), string(read.HeaderNo))
}

// readOptions returns the flags that say how a table is read. Commands may have some of
// them only.
func readOptions(c *cli.Context) experiment.ReadOptions {
	o := experiment.ReadOptions{
		Target:      c.StringSlice("target"),
		Drop:        c.StringSlice("drop"),
		Extra:       c.StringSlice("extra"),
		Weight:      c.String("weight"),
		Categorical: c.StringSlice("categorical"),
		Numeric:     c.StringSlice("numeric"),
		Decimal:     c.String("decimal"),
		Thousands:   c.String("thousands"),
		Date:        c.StringSlice("date"),
		NA:          c.StringSlice("na"),

		DropDuplicates: c.Bool("drop-duplicates"),

		Ordinal:      c.StringSlice("ordinal"),
		Transform:    c.String("transform"),
		Support:      c.String("support"),
		Group:        c.String("group"),
		Time:         c.String("time"),
		FoldsColumn:  c.String("folds-column"),
		Test:         c.String("test"),
		TestFraction: c.Float64("test-fraction"),
	}
	if c.IsSet("header") {
		o.Header = c.String("header")
	}
	if c.IsSet("missing") {
		o.Missing = c.String("missing")
	}
	if c.IsSet("max-categories") {
		o.MaxCategories = c.Int("max-categories")
	}
	return o
}

// chosenSource returns the source of the table with a name, a data set, a file or "-" for standard input,
// with the flags of readOptions. It does not read the table. It returns a usage error if the flags do not
// fit the table.
func chosenSource(c *cli.Context, name string) (experiment.Source, error) {
	source, err := readOptions(c).Source(name)
	if errors.Is(err, experiment.ErrGenerated) {
		return source, usageErrorf("%w; write it to a file with \"sml data toy %s --out FILE.csv\" and choose there", err, name)
	}
	if err != nil {
		return source, usageError{err}
	}
	source.Header = read.Header(c.String("header")) // with the default: a model records auto, too
	if name == "-" {
		source.Name = experiment.StandardInput
		source.ReadStandardInput = rowio.FileSource(c.App.Reader, name)
	}
	return source, nil
}

// readTable reads the table of s, and shows the progress. dir is the directory of the data sets' files, ""
// for the default. Its errors name the flag or command that would help.
func readTable(c *cli.Context, s experiment.Settings, dir string) (*data.Table, error) {
	if s.Table.Name == "" {
		return nil, usageErrorf("--data is missing: name a data set or a file")
	}
	if err := refuseOverwritingInputs(c, namedPath{path: s.Table.Name}); err != nil {
		return nil, err
	}
	ctx, stop := showTransfer(c.Context, c, "reading "+s.Table.Name)
	defer stop()
	t, err := s.Source().Read(ctx, dir, s.Training.Protocol)
	if err != nil {
		return t, adviseOnTable(s.Table, err)
	}
	return t, nil
}

// adviseOnTable adds to an error of reading a table which flag or command would help, if there is one.
func adviseOnTable(source experiment.Source, err error) error {
	hasComma := func(name string) bool { return strings.Contains(name, ",") }
	columns := slices.Concat(source.Target, source.Drop, source.Extra)
	if errors.Is(err, read.ErrNoColumn) && slices.ContainsFunc(columns, hasComma) { // several columns in one flag
		err = fmt.Errorf("%w: --target, --drop and --extra take one column each, and may be repeated", err)
	}
	_, lookupErr := fetch.Lookup(source.Name)
	canBeFetched := lookupErr == nil
	if canBeFetched && errors.Is(err, read.ErrNoFile) {
		err = fmt.Errorf("%w; or download it: sml data fetch %s", err, source.Name)
	}
	return withTableFlags(err)
}

// withTableFlags adds to an error of a table which method or flag would help. It returns nil for nil.
func withTableFlags(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, read.ErrLabels) {
		err = fmt.Errorf("%w; the method classes learns labels", err)
	}
	err = advisedError{err}
	if strings.Contains(err.Error(), "separates thousands") || strings.Contains(err.Error(), "between thousands") {
		err = fmt.Errorf("%w; --decimal or --thousands declares it for all numbers", err)
	}
	switch {
	case errors.Is(err, read.ErrHeader):
		return fmt.Errorf("%w with --header yes or --header no", err)
	case errors.Is(err, read.ErrLastColumn):
		return fmt.Errorf("%w; --target names another column", err)
	}
	return err
}

// declarations names the flags by which users follow an advice of package read.
var declarations = strings.NewReplacer(
	"declare the layout", "declare the layout with --date COLUMN=LAYOUT",
	"declare the column categorical or numeric", "declare the column with --categorical or --numeric",
	"declare the column categorical", "declare the column categorical with --categorical",
	"declare the column numeric", "declare the column numeric with --numeric",
	"declare it categorical", "categorical with --categorical",
	"declare the value missing or the column categorical", "declare the value missing with --na or the column categorical with --categorical",
)

// advisedError is an error whose text names the flags that help.
type advisedError struct{ error }

// Error returns the text of the error with the flags.
func (e advisedError) Error() string { return declarations.Replace(e.error.Error()) }

// Unwrap returns the error without the flags.
func (e advisedError) Unwrap() error { return e.error }

// noteTable prints the remarks on a table that was read.
func noteTable(c *cli.Context, t *data.Table) {
	if t.Difference != "" {
		note(c, "%s", t.Difference)
	}
	noteHeader(c, t.Note)
	noteLines(c, t.Remarks)
}

// noteLines prints remarks of package read, with the flags that follow their advice.
func noteLines(c *cli.Context, remarks []string) {
	for _, remark := range remarks {
		note(c, "%s", declarations.Replace(remark))
	}
}

// noteHeader prints a doubt about the header of a file, unless it is "".
func noteHeader(c *cli.Context, doubt string) {
	if doubt != "" {
		note(c, "%s; --header yes or no decides", doubt)
	}
}

// showTransfer returns a context under which package data reads or writes a table, and shows how far the
// action is until stop is called: relative to the size if it is known, otherwise in MiB.
func showTransfer(ctx context.Context, c *cli.Context, action string) (_ context.Context, stop func()) {
	stopNote := announce(c, action)
	view := newProgress(c, action)
	ctx = data.WithProgress(ctx, func(done, size int64) { showBytes(view, done, size) })
	return ctx, func() {
		view.End()
		stopNote()
	}
}

// readOnce returns a reader of a single table that reads it at its first call, and later returns it again.
func readOnce(read study.Reader) study.Reader {
	var table *data.Table
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
		if table != nil {
			return table, nil
		}
		var err error
		table, err = read(ctx, s, protocol)
		return table, err
	}
}

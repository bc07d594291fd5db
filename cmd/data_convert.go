package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data"
	"sml/data/read"
	"sml/data/write"
	"sml/evaluation/experiment"
)

// convertCommand returns the command "sml data convert".
func convertCommand() *cli.Command {
	tableFlags := pickFlags(dataFlags(), "drop", "header", "categorical", "numeric", "decimal", "thousands", "date", "na", "drop-duplicates")
	return withHelp(&cli.Command{
		Name:      "convert",
		Usage:     "write a table as Parquet, which is read faster than text, as CSV or as JSON lines",
		UsageText: "sml data convert IN OUT [options]",
		Description: "IN is a file as --data of train takes it: CSV, JSON lines, Parquet, .xlsx (FILE.xlsx#SHEET), plain or\n" +
			"gzipped; \"-\" is standard input. The name of OUT ends in .parquet, .csv or .jsonl, the latter two perhaps before\n" +
			".gz. All columns are written, in their order: numbers as doubles, categories and dates as texts, missing values\n" +
			"as nulls or empty fields. Training on OUT gives the same model as training on IN.\n\n" +
			"A number is written by its value. Name columns of codes, such as 01234, with --categorical here and in training.",
		Action: argumentsAction([]string{"the table IN", "the file OUT"}, convertData),
	}, []string{
		"sml data convert houses.csv houses.parquet --categorical zip",
	}, optionGroup{flags: append(tableFlags,
		&cli.BoolFlag{Name: "force", Usage: "replace an existing OUT"},
		quietFlag())})
}

// convertData writes the table that the first argument names to the path in the second, in the format of its ending. It
// checks the path before it reads the table, which may take long.
func convertData(c *cli.Context, args []string) error {
	in := args[0]
	out := args[1]
	if !hasTableEnding(out) {
		return usageErrorf("%s: the name of the file OUT ends in none of %s", out, strings.Join(tableEndings, ", "))
	}
	file := outputFile{path: out, name: "OUT"}
	if err := file.check(c); err != nil {
		return err
	}
	t, err := readAllColumns(c, in)
	if err != nil {
		return withTableFlags(err)
	}
	noteTable(c, t)
	noteLines(c, describeLeftOut(t))
	ctx, stop := showTransfer(c.Context, c, "writing "+out)
	defer stop() // for errors; a second call does nothing
	err = file.write(c, func(w io.Writer) error { return write.Table(ctx, w, t, write.FormatOf(out)) })
	if err != nil {
		return err
	}
	stop() // the progress ends before the next line is printed
	if !c.Bool("quiet") {
		fmt.Fprintf(c.App.ErrWriter, "%s: %d rows of %d columns\n", out, t.Rows(), len(t.Columns))
	}
	return nil
}

// hasTableEnding reports whether the name of a file ends in a format that convert writes.
func hasTableEnding(path string) bool {
	return slices.ContainsFunc(tableEndings, func(ending string) bool { return strings.HasSuffix(strings.ToLower(path), ending) })
}

// tableEndings are the endings of the files that convert writes.
var tableEndings = []string{".parquet", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz"}

// readAllColumns reads a file, "-" for standard input, with all of its columns as inputs. It applies
// the flags that drop columns or set their kinds. The inputs may be texts and dates.
func readAllColumns(c *cli.Context, file string) (*data.Table, error) {
	name := file
	if file == "-" {
		name = experiment.StandardInput
	}
	ctx, stop := showTransfer(c.Context, c, "reading "+name)
	defer stop()
	t, err := rowio.FileSource(c.App.Reader, file)(ctx, read.Options{
		Drop:        c.StringSlice("drop"),
		Header:      read.Header(c.String("header")),
		NoTarget:    true,
		Raw:         true,
		Categorical: c.StringSlice("categorical"),
		Numeric:     c.StringSlice("numeric"),
		Decimal:     c.String("decimal"),
		Thousands:   c.String("thousands"),
		Dates:       c.StringSlice("date"),

		MissingValues: c.StringSlice("na"),
	})
	if err == nil && c.Bool("drop-duplicates") {
		t = t.WithoutDuplicates()
	}
	return t, err
}

package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/summary"
	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/trainers"
)

// describeCommand returns the command "sml data describe".
func describeCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "describe",
		Usage:     "describe the columns of a data set or file, and what looks suspicious",
		UsageText: "sml data describe NAME|FILE|- [options]",
		Description: "Print a line for each column, the most predictive inputs first: its kind, the number of missing values, its range\n" +
			"with mean and standard deviation or its most frequent categories, a histogram (numbers in ten equal parts of the\n" +
			"range, categories from the most frequent on), its correlation r with the target, how well it predicts the target by\n" +
			"itself (R² of a small tree on held-out rows), and how train prepares it. The fraction of zeros is given for targets,\n" +
			"and for inputs with at least a tenth of zeros. Suspicions follow below, such as columns that give the target away,\n" +
			"and then the train command that fits the table.",
		Action: argumentAction("the name of a data set or file", describeData),
	}, []string{
		"sml data describe houses.csv",
		"sml data describe houses.csv --target price --drop id --json",
	}, optionGroup{flags: append(dataFlags()[1:],
		&cli.BoolFlag{Name: "all", Usage: "show every column of a wide table"},
		jsonFlag())})
}

// describeResult is the result of "sml data describe".
type describeResult struct {
	Name string `json:"name"`
	*summary.Summary
	Columns []describedColumn `json:"columns"` // replaces the columns of Summary

	Command string `json:"command,omitempty"` // command that trains a model on the table; "" if nothing could be trained

	preparationErr error // why train cannot prepare the table; nil if it can
}

// describedColumn is a column with a description of its preparation.
type describedColumn struct {
	*summary.Column
	Prepared string `json:"prepared,omitempty"` // its preparation by train; "" if it is used unchanged

	isLeftOut bool // whether train does not use the input
}

// describeData prints what the columns of a table contain, and what looks suspicious. name is a data
// set, a file, or "-" for standard input. A table that train cannot prepare is described, too; the
// error then says why it cannot be trained on.
func describeData(c *cli.Context, name string) error {
	source, err := chosenSource(c, name)
	if err != nil {
		return err
	}
	t, err := readToDescribe(c, source)
	if err != nil {
		return err
	}
	noteTable(c, t)
	t = t.Weighted()
	d, err := await(c.Context, func() (describeResult, error) { return describeTable(c.Context, t, source) })
	if err != nil {
		return err
	}
	if d.preparationErr == nil && len(t.Targets) > 0 {
		d.Command = recommendTraining(c, name, t, d)
	}
	err = printResult(c, d, func(w io.Writer) { d.write(w, t, c.Bool("all")) })
	if d.preparationErr != nil { // matters more than a description that could not be printed
		return fmt.Errorf("%s cannot be trained on like this: %w", source.Name, d.preparationErr)
	}
	return err
}

// readToDescribe reads the table of source. A target with texts is read as class labels; only
// standard input, which cannot be read a second time, returns an error for one.
func readToDescribe(c *cli.Context, source experiment.Source) (*data.Table, error) {
	settings := experiment.Settings{
		Table:    source,
		Training: trainers.Settings{Protocol: data.Sound},
	}
	dataDir := c.String("data-dir")
	t, err := readTable(c, settings, dataDir)
	isRereadable := source.Name != experiment.StandardInput
	if errors.Is(err, read.ErrLabels) && isRereadable {
		settings.Table.Classes = true
		return readTable(c, settings, dataDir)
	}
	return t, err
}

// describeTable summarises the table t of source and fits the preparation that train would fit to
// all rows. A preparation that fails is no error of describeTable: the result keeps its error.
func describeTable(ctx context.Context, t *data.Table, source experiment.Source) (describeResult, error) {
	tableSummary, err := summary.New(ctx, t, time.Now())
	if err != nil {
		return describeResult{}, err
	}
	var prepared *preparation.Preparation // nil if train uses the table unchanged
	var preparationErr error
	if t.TargetFields == nil { // the targets are numbers
		source = source.WithAutoTargets()
	}
	if source.Prepared() || source.Transform != "" || source.Support != "" {
		prepared, preparationErr = preparation.Fit(t, nil, source.Options)
	}
	settled := func(s summary.Suspicion) bool { return isSettled(s, t.Targets, prepared) }
	tableSummary.Suspicions = slices.DeleteFunc(tableSummary.Suspicions, settled) // never nil, so that JSON has an empty list
	return describeResult{
		Name:           source.Name,
		Summary:        tableSummary,
		Columns:        describePreparedColumns(tableSummary.Columns, prepared),
		preparationErr: preparationErr,
	}, nil
}

// describePreparedColumns adds to each column how train prepares it. prepared is nil if train uses the table
// unchanged. Its columns are the inputs, which come first among the columns.
func describePreparedColumns(columns []*summary.Column, prepared *preparation.Preparation) []describedColumn {
	var described []describedColumn
	target := 0 // index of the next target
	for i, c := range columns {
		column := describedColumn{Column: c}
		switch {
		case prepared == nil:
			// The column is used unchanged.
		case c.Role == summary.Input:
			column.Prepared = prepared.Columns[i].Describe()
			column.isLeftOut = prepared.Columns[i].Dropped != ""
		case c.Role == summary.Target:
			column.Prepared = describeTarget(prepared, target)
			target++
		}
		described = append(described, column)
	}
	return described
}

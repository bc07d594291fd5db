package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/measure"
	"sml/models"
)

// runsCommand returns the command "sml runs".
func runsCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "runs",
		Usage:     "list the models in folders, with their settings and test scores",
		UsageText: "sml runs DIR [DIR …] [--sort MEASURE] [--csv|--json]",
		Description: "A table for each target: its models below DIR, the settings in which they differ, and the scores on the rows\n" +
			"that were held out, in the target's unit. Models of different targets, or of different tables, are not ranked\n" +
			"against each other. --csv and --json have all settings and scores, and the standardised ones.",
		Action: listRuns,
	}, []string{
		"sml runs .",
		"sml runs . --sort crps --csv",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "sort", Usage: "rank the models of each target by the measure `NAME` in the target's unit (see \"sml measures\")", DefaultText: "by name"},
		&cli.IntFlag{Name: "depth", Value: 4, Usage: "search this `NUMBER` of levels of folders"},
		&cli.BoolFlag{Name: "csv", Usage: "print CSV, numbers with all their digits"},
		jsonFlag(),
	}})
}

// listRuns lists the models in the folders of the arguments, one table for each target.
func listRuns(c *cli.Context) error {
	if !c.Args().Present() {
		return usageErrorf("a folder with models is missing")
	}
	if c.Bool("csv") && c.Bool("json") {
		return usageErrorf("--csv and --json: choose one")
	}
	if err := checkRange(c, "depth", models.Range{Max: 100}); err != nil {
		return err
	}
	by, err := chosenRanking(c)
	if err != nil {
		return err
	}
	list, err := readRuns(c)
	if err != nil {
		return err
	}
	groups := groupByTarget(list)
	if by.Name != "" {
		for _, g := range groups {
			slices.SortStableFunc(g, func(a, b listedModel) int { return compareScores(a, b, by) })
		}
		list = slices.Concat(groups...)
	}
	return printResult(c, list, func(w io.Writer) error {
		if c.Bool("csv") {
			return runsCSV(w, list)
		}
		return runsTables(w, groups, by.Name)
	})
}

// chosenRanking returns the measure of --sort, without a name if the flag is not set.
func chosenRanking(c *cli.Context) (measure.Measure, error) {
	name := c.String("sort")
	if name == "" {
		return measure.Measure{}, nil
	}
	by, err := measure.Lookup(name)
	if err != nil {
		return by, usageError{err}
	}
	if by.Undirected {
		return by, usageErrorf("--sort %s: it says of no score that it is better than another", by.Name)
	}
	return by, nil
}

// readRuns reads the models in the folders of the arguments.
func readRuns(c *cli.Context) ([]listedModel, error) {
	folders, err := argumentPaths(c, "the name of a folder")
	if err != nil {
		return nil, err
	}
	var list []listedModel
	for _, folder := range folders {
		dirs, err := modelsBelow(folder, c.Int("depth"))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if err := c.Context.Err(); err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(list, func(m listedModel) bool { return m.Model == dir }) {
				list = append(list, readListedModel(dir))
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no model is in %s, up to %d levels of folders deep", strings.Join(folders, ", "), c.Int("depth"))
	}
	return list, nil
}

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
			"that were held out, in the target's unit; for models of several targets, the means of their standardised\n" +
			"scores. Models of different targets, or of different tables, are not ranked against each other. --csv and\n" +
			"--json have all settings and scores, and the standardised ones.",
		Action: listRuns,
	}, []string{
		"sml runs .",
		"sml runs . --sort crps --csv",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "sort", Usage: "rank the models of each target by the measure `NAME` (see \"sml measures\")", DefaultText: "by name"},
		inRange(&cli.IntFlag{Name: "depth", Value: 4, Usage: "search this `NUMBER` of levels of folders"}, models.Range{Max: 100}),
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
	ranking, err := chosenRanking(c)
	if err != nil {
		return err
	}
	listed, err := readRuns(c)
	if err != nil {
		return err
	}
	groups := groupByTarget(listed)
	isRanked := ranking.Name != ""
	if isRanked {
		for _, group := range groups {
			slices.SortStableFunc(group, func(a, b listedModel) int { return compareScores(a, b, ranking) })
		}
		listed = slices.Concat(groups...) // JSON and CSV have the order of the tables
	}
	return printResult(c, listed, func(w io.Writer) {
		if c.Bool("csv") {
			writeRunsCSV(w, listed)
		} else {
			writeRunsTables(w, groups, ranking.Name)
		}
	})
}

// chosenRanking returns the measure of --sort, without a name if the flag is not set.
func chosenRanking(c *cli.Context) (measure.Measure, error) {
	name := c.String("sort")
	if name == "" {
		return measure.Measure{}, nil
	}
	m, err := measure.Lookup(name)
	if err != nil {
		return m, usageError{err}
	}
	if m.Undirected {
		return m, usageErrorf("--sort %s: it says of no score that it is better than another", m.Name)
	}
	return m, nil
}

// readRuns reads the models in the folders of the arguments, each once, although folders may overlap. It returns
// an error if there are none.
func readRuns(c *cli.Context) ([]listedModel, error) {
	folders, err := argumentPaths(c, "the name of a folder")
	if err != nil {
		return nil, err
	}
	var modelDirs []string
	for _, folder := range folders {
		dirs, err := modelsBelow(folder, c.Int("depth"))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			modelDirs = appendNew(modelDirs, dir)
		}
	}
	if len(modelDirs) == 0 {
		return nil, fmt.Errorf("no model is in %s, up to %d levels of folders deep", strings.Join(folders, ", "), c.Int("depth"))
	}
	var listed []listedModel
	for _, dir := range modelDirs {
		if err := c.Context.Err(); err != nil { // thousands of models take a while to read
			return nil, err
		}
		listed = append(listed, readListedModel(dir))
	}
	return listed, nil
}

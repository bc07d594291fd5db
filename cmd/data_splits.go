package cmd

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data/split"
)

// listedSplit is a kind of split as "sml data splits --json" prints it.
type listedSplit struct {
	Name     string   `json:"name"`
	Folds    int      `json:"folds"`            // 0 if the number follows from the table
	Column   string   `json:"column,omitempty"` // meaning of the column that the split needs
	Reported []string `json:"reported_as"`      // names of the scores
	Summary  string   `json:"tests_on"`         // rows that the split tests on
	Source   string   `json:"source"`           // publication of the split
}

// splitsCommand returns the command "sml data splits".
func splitsCommand() *cli.Command {
	return listCommand("data splits", "list the kinds of split, and the names of their scores", listSplitKinds)
}

// listSplitKinds returns the kinds of split as a table for people, and as a list for --json.
func listSplitKinds(*cli.Context) (text string, asJSON any) {
	var splits []listedSplit
	t := terminal.NewTable(0, "SPLIT", "FOLDS", "REPORTED AS", "TESTS ON", "NEEDS")
	for _, kind := range split.All() {
		s := listedSplit{
			Name:     kind.Name,
			Folds:    kind.Folds,
			Column:   kind.Column,
			Reported: kind.ScoreNames(),
			Summary:  kind.Summary,
			Source:   kind.Source,
		}
		splits = append(splits, s)
		folds := fmt.Sprint(s.Folds)
		if s.Folds == 0 { // for example one for each group of the table
			folds = "by the table"
		}
		t.AppendRow(table.Row{s.Name, folds, strings.Join(s.Reported, ", "), s.Summary, neededFlag(kind)})
	}
	return t.Render(), splits
}

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
	return listCommand("data splits", "list the kinds of split, and the names of their scores", "", func(*cli.Context) (string, any) {
		var splits []listedSplit
		t := terminal.NewTable(0, "split", "folds", "reported as", "tests on", "needs")
		for _, k := range split.All() {
			folds := fmt.Sprint(k.Folds)
			if k.Folds == 0 {
				folds = "by the table"
			}
			splits = append(splits, listedSplit{
				Name:     k.Name,
				Folds:    k.Folds,
				Column:   k.Column,
				Reported: k.ScoreNames(),
				Summary:  k.Summary,
				Source:   k.Source,
			})
			t.AppendRow(table.Row{k.Name, folds, strings.Join(k.ScoreNames(), ", "), k.Summary, neededFlag(k)})
		}
		return t.Render(), splits
	})
}

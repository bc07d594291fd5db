package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/read"
	"sml/data/split"
	"sml/evaluation/experiment"
)

// setKeptGroups sets the group of each row to its text in the column of --group, which is the table's last kept column. It
// returns an error if a compared row has no text there.
func (k *comparison) setKeptGroups() error {
	last := len(k.table.KeptTexts.Names) - 1
	name := k.table.KeptTexts.Names[last]
	var groups []string
	for row := range k.table.Rows() {
		groups = append(groups, k.table.KeptTexts.At(row, last))
	}
	groups = read.CategoryNames(groups)
	for _, fold := range k.folds {
		for _, row := range fold.rows {
			if groups[row] == "" {
				return fmt.Errorf("row %d of %s has no value in column %q; want the group of every compared row", k.table.RowNumber(row), k.name, name)
			}
		}
	}
	k.groupColumn = name
	k.groups = groups
	return nil
}

// setSplitGroups sets the group of each row to its value in the split column of t, a table with the same rows.
func (k *comparison) setSplitGroups(t *data.Table) {
	k.groupColumn = t.SplitColumn
	k.groups = nil
	for _, value := range t.SplitValues {
		k.groups = append(k.groups, t.SplitField.Show(value))
	}
}

// adoptGroups sets the groups of the rows, unless they are set, to the groups of the model in dir, whose rows were split
// by them. judged has rows of the comparison. If these are not rows of the model's table, whose groups are known,
// adoptGroups prints a note that suggests --group.
func (k *comparison) adoptGroups(c *cli.Context, m *experiment.Model, dir string, judged *judgedRows) {
	kind, err := split.Lookup(m.Settings.Training.Split)
	if k.groups != nil || err != nil || kind.Column != "group" {
		return
	}
	if judged.isTrainingTable && judged.targets.SplitValues != nil {
		k.setSplitGroups(judged.targets)
		return
	}
	column := m.Settings.Table.SplitColumn
	note(c, "%s was tested on whole groups of %s; add --group %s if rows of %s belong together, too", dir, column, column, k.name)
}

// groupsOf returns the groups of rows, or nil if the comparison has no groups.
func (k *comparison) groupsOf(rows []int) []string {
	if k.groups == nil {
		return nil
	}
	var groups []string
	for _, row := range rows {
		groups = append(groups, k.groups[row])
	}
	return groups
}

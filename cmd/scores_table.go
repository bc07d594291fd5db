package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
)

// groupsPerTable is the number of groups of columns in a table of scores, so that a line has less
// than 100 characters.
const groupsPerTable = 2

// writeScores writes the scores of an evaluation for people, with a line for each measure of
// --measures and a dash for a missing score. If names is empty or "all", a measure without a score
// has no line.
func writeScores(w io.Writer, e *evaluation.Evaluation, names []string) error {
	measures, err := measure.Select(names)
	if err != nil {
		return err
	}
	areNamed := len(names) > 0 && names[0] != "all"
	if !areNamed {
		measures = slices.DeleteFunc(measures, func(m measure.Measure) bool { return !e.Original.Has(m.Name) })
	}
	t := scoresTable{
		measures: measures,
		units:    []string{"standardised", "original unit"},
		groups:   scoreGroups(e),
	}
	if hasClassScores(e) {
		t.units = []string{"score"}
	}
	hasTitles := len(t.groups) > 1
	for groups := range slices.Chunk(t.groups, groupsPerTable) {
		if _, err := fmt.Fprintln(w, t.render(groups, hasTitles)); err != nil {
			return err
		}
	}
	if err := writeClasses(w, "", e.Classes); err != nil {
		return err
	}
	for _, column := range e.Columns {
		if err := writeClasses(w, column.Name, column.Classes); err != nil {
			return err
		}
	}
	if e.DropoutFraction != nil {
		subNetworks := "all sub-networks, without drawing any"
		if e.Samples > 0 {
			subNetworks = fmt.Sprintf("%d sub-networks", e.Samples)
		}
		fmt.Fprintf(w, "%s; their spread is %.0f%% of the standard deviation\n", subNetworks, 100**e.DropoutFraction)
	}
	return nil
}

// hasClassScores reports whether the targets are classes. The scores of classes have no unit: they are
// computed from probabilities and sets, and the standardised scores are the same as the others.
func hasClassScores(e *evaluation.Evaluation) bool {
	return e.Classes != nil || len(e.Columns) > 0 && e.Columns[0].Classes != nil
}

// scoreGroup is a group of columns in a table of scores: the scores of one target, or their mean over
// the targets, before or after a calibration.
type scoreGroup struct {
	title string // such as "price, calibrated"; "" if there is only one group

	// units has the scores in each unit: standardised, and in the target's unit.
	units [2]measure.Scores
}

// scoreGroups returns the scores of each target and their mean. If the model is calibrated, the scores
// without its calibration come before each of them.
func scoreGroups(e *evaluation.Evaluation) []scoreGroup {
	var groups []scoreGroup
	for i, column := range e.Columns {
		if e.Uncalibrated != nil {
			raw := e.Uncalibrated.Columns[i]
			groups = append(groups, newScoreGroup(column.Name+", raw", raw.Standardised, raw.Original))
			groups = append(groups, newScoreGroup(column.Name+", calibrated", column.Standardised, column.Original))
			continue
		}
		groups = append(groups, newScoreGroup(column.Name, column.Standardised, column.Original))
	}
	title := ""  // of the mean over the targets, which a single target does not need
	prefix := "" // of the titles "raw" and "calibrated"
	if len(e.Columns) > 0 {
		title = "mean"
		prefix = "mean, "
	}
	if e.Uncalibrated == nil {
		return append(groups, newScoreGroup(title, e.Standardised, e.Original))
	}
	return append(groups,
		newScoreGroup(prefix+"raw", e.Uncalibrated.Standardised, e.Uncalibrated.Original),
		newScoreGroup(prefix+"calibrated", e.Standardised, e.Original))
}

// newScoreGroup returns a group with the scores in each unit.
func newScoreGroup(title string, standardised, original measure.Scores) scoreGroup {
	return scoreGroup{title: title, units: [2]measure.Scores{standardised, original}}
}

// scoresTable is a table of scores for people. It has a line for each measure and, for each group, a
// column for each unit.
type scoresTable struct {
	measures []measure.Measure
	units    []string // headers of the columns of a group; only the first unit is shown if there is one
	groups   []scoreGroup
}

// render returns the part of the table with the given groups side by side, under their titles if
// hasTitles.
func (s scoresTable) render(groups []scoreGroup, hasTitles bool) string {
	titles := table.Row{""}
	header := table.Row{"measure"}
	for _, g := range groups {
		for _, unit := range s.units {
			titles = append(titles, g.title)
			header = append(header, unit)
		}
	}
	const firstScoreColumn = 2                          // from 1; scores are aligned to the right
	t := terminal.NewTable(firstScoreColumn, header...) // header has no last column yet, so that it is not aligned
	t.ResetHeaders()                                    // the titles come first
	titles = append(titles, "")
	header = append(header, "better")
	if hasTitles {
		t.AppendHeader(titles, table.RowConfig{AutoMerge: true}) // neighbouring equal titles become one cell
	}
	t.AppendHeader(header)
	t.Style().Format.Header = text.FormatDefault // names keep their case
	for _, m := range s.measures {
		row := table.Row{m.Title}
		for _, g := range groups {
			for unit := range s.units {
				row = append(row, formatScore(g.units[unit], m))
			}
		}
		t.AppendRow(append(row, describeBest(m)))
	}
	return t.Render()
}

// formatScore formats a score with four digits, or returns a dash if it is missing.
func formatScore(s measure.Scores, m measure.Measure) string {
	if !s.Has(m.Name) {
		return "–"
	}
	return fmt.Sprintf("%.4g", s.Get(m.Name))
}

// describeBest says which scores of a measure are better: lower, higher, near a value, or neither.
func describeBest(m measure.Measure) string {
	switch {
	case m.Undirected:
		return "neither"
	case m.Nominal != 0:
		return fmt.Sprintf("near %v", m.Nominal)
	case m.HigherIsBetter:
		return "higher"
	}
	return "lower"
}

// describeWeights describes the weights of a table's rows, "" if they have none.
func describeWeights(t *data.Table) string {
	if t.Weight == "" {
		return ""
	}
	return ", weighted by " + t.Weight
}

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

// scorePairs is the number of pairs of columns in a table of scores, so that a line has less
// than 100 characters.
const scorePairs = 2

// writeScores writes the scores of an evaluation for people, with a line for each of the named
// measures and a dash for a missing score. If names is empty or "all", a measure without a score
// has no line.
func writeScores(w io.Writer, e *evaluation.Evaluation, names []string) error {
	measures, err := measure.Select(names)
	if err != nil {
		return err
	}
	byName := len(names) > 0 && names[0] != "all"
	measures = slices.DeleteFunc(measures, func(m measure.Measure) bool {
		return !byName && !e.Standardised.Has(m.Name)
	})
	groups := scoreGroups(e)
	for some := range slices.Chunk(groups, scorePairs) {
		if _, err := fmt.Fprintln(w, scoresTable(some, measures, len(groups) > 1)); err != nil {
			return err
		}
	}
	if e.DropoutFraction != nil {
		fmt.Fprintf(w, "%d sub-networks a row; their spread is %.0f%% of the standard deviation\n", e.Samples, 100**e.DropoutFraction)
	}
	return nil
}

// scoreGroup is a pair of columns in a table of scores.
type scoreGroup struct {
	name                   string
	standardised, original measure.Scores
}

// scoreGroups returns the scores of each target and their mean, before and after calibration.
func scoreGroups(e *evaluation.Evaluation) []scoreGroup {
	var groups []scoreGroup
	add := func(name string, scores func(*evaluation.Evaluation) (standardised, original measure.Scores)) {
		if e.Uncalibrated != nil {
			comma := ""
			if name != "" {
				comma = ", "
			}
			s, o := scores(e.Uncalibrated)
			groups = append(groups, scoreGroup{name + comma + "raw", s, o})
			name += comma + "calibrated"
		}
		s, o := scores(e)
		groups = append(groups, scoreGroup{name, s, o})
	}
	for i, column := range e.Columns {
		add(column.Name, func(e *evaluation.Evaluation) (s, o measure.Scores) {
			return e.Columns[i].Standardised, e.Columns[i].Original
		})
	}
	mean := ""
	if len(e.Columns) > 0 {
		mean = "mean"
	}
	add(mean, func(e *evaluation.Evaluation) (s, o measure.Scores) { return e.Standardised, e.Original })
	return groups
}

// scoresTable returns a table of groups side by side, with their names if named is true.
func scoresTable(groups []scoreGroup, measures []measure.Measure, named bool) string {
	above, header := table.Row{""}, table.Row{"measure"}
	for _, g := range groups {
		above, header = append(above, g.name, g.name), append(header, "standardised", "original unit")
	}
	t := terminal.NewTable(2, header...)
	t.ResetHeaders()
	if named {
		t.AppendHeader(append(above, ""), table.RowConfig{AutoMerge: true})
	}
	t.AppendHeader(append(header, "better"))
	t.Style().Format.Header = text.FormatDefault // names keep their case
	for _, m := range measures {
		row := table.Row{m.Title}
		for _, g := range groups {
			row = append(row, formatScore(g.standardised, m), formatScore(g.original, m))
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

// describeBest returns a word for the best scores of a measure.
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

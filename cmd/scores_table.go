package cmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
)

// methodScores has the scores of one target by one method, which are a column of a table.
type methodScores struct {
	title  string
	scores measure.Scores
}

// renderScores returns a table of the scores of a target, with the heading above the measures. It has a line for each measure, with a dash for a missing score,
// and a column for each method.
func renderScores(heading string, measures []measure.Measure, columns []methodScores) string {
	header := []any{heading}
	for _, c := range columns {
		header = append(header, c.title)
	}
	const firstScoreColumn = 2                          // from 1; scores are aligned to the right
	t := terminal.NewTable(firstScoreColumn, header...) // header has no last column yet, so that it is not aligned
	t.ResetHeaders()
	t.AppendHeader(append(table.Row(header), "better"))
	for _, m := range measures {
		row := table.Row{m.Title}
		for _, c := range columns {
			row = append(row, formatScore(c.scores, m))
		}
		t.AppendRow(append(row, describeBest(m)))
	}
	return t.Render()
}

// withScores returns the measures by which a column has a score.
func withScores(measures []measure.Measure, columns []methodScores) []measure.Measure {
	return slices.DeleteFunc(slices.Clone(measures), func(m measure.Measure) bool {
		return !slices.ContainsFunc(columns, func(c methodScores) bool { return c.scores.Has(m.Name) })
	})
}

// knownMeasures returns the measures with these names. It leaves out measures of another program, by which a model may
// have scores.
func knownMeasures(names []string) (measures []measure.Measure) {
	if len(names) == 1 && names[0] == "all" {
		return measure.All()
	}
	for _, name := range names {
		m, err := measure.Lookup(name)
		if err == nil {
			measures = append(measures, m)
		}
	}
	return measures
}

// writeAllScores writes a table for each target with all scores of the model. headings are those of the tables.
func writeAllScores(w io.Writer, headings []string, e *evaluation.Evaluation) {
	for i, target := range e.Targets() {
		var raw *evaluation.Column
		if e.Uncalibrated != nil {
			raw = &e.Uncalibrated.Targets()[i]
		}
		fmt.Fprintln(w, renderScores(headings[i], knownMeasures(target.Original.Names()), allScores(target, raw)))
	}
}

// allScores returns the scores of a target, standardised and in its own unit. raw has the scores before the calibration,
// nil if the model is not calibrated. Scores of classes have no unit: the standardised ones are left out, as they are the
// same.
func allScores(target evaluation.Column, raw *evaluation.Column) []methodScores {
	switch {
	case target.Classes != nil && raw == nil:
		return []methodScores{{"score", target.Original}}
	case target.Classes != nil:
		return []methodScores{{"raw", raw.Original}, {"calibrated", target.Original}}
	case raw == nil:
		return []methodScores{{"standardised", target.Standardised}, {"own unit", target.Original}}
	}
	return []methodScores{
		{"standardised, raw", raw.Standardised},
		{"raw", raw.Original},
		{"standardised, calibrated", target.Standardised},
		{"calibrated", target.Original},
	}
}

// formatScore formats a score with four digits and with all digits before the decimal point, unless there are very many.
// It returns a dash if the score is missing.
func formatScore(s measure.Scores, m measure.Measure) string {
	if !s.Has(m.Name) {
		return "–"
	}
	const most = 1e9 // larger numbers have an exponent, which is shorter
	score := s.Get(m.Name)
	if magnitude := math.Abs(score); magnitude >= 1000 && magnitude < most {
		return strconv.FormatFloat(score, 'f', 0, 64)
	}
	return fmt.Sprintf("%.4g", score)
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

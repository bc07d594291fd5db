package cmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

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

// renderScores returns a table of the scores of a target. It has a line for each measure, with a dash for a missing score,
// and a column for each method.
func renderScores(target string, measures []measure.Measure, columns []methodScores) string {
	header := []any{target}
	for _, c := range columns {
		header = append(header, c.title)
	}
	const firstScoreColumn = 2                          // from 1; scores are aligned to the right
	t := terminal.NewTable(firstScoreColumn, header...) // header has no last column yet, so that it is not aligned
	t.ResetHeaders()
	t.AppendHeader(append(table.Row(header), "better"))
	t.Style().Format.Header = text.FormatDefault // names keep their case
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

// writeAllScores writes a table for each target with all scores: standardised and in the target's unit and, if the model
// is calibrated, before and after the calibration. targets are the names of the targets.
func writeAllScores(w io.Writer, targets []string, e *evaluation.Evaluation) error {
	for i, target := range e.Targets() {
		var columns []methodScores
		if e.Uncalibrated == nil {
			columns = []methodScores{{"standardised", target.Standardised}, {"own unit", target.Original}}
		} else {
			raw := e.Uncalibrated.Targets()[i]
			columns = []methodScores{
				{"standardised, raw", raw.Standardised},
				{"raw", raw.Original},
				{"standardised, calibrated", target.Standardised},
				{"calibrated", target.Original},
			}
		}
		var measures []measure.Measure
		for _, name := range target.Original.Names() {
			m, err := measure.Lookup(name)
			if err != nil {
				return err
			}
			measures = append(measures, m)
		}
		if _, err := fmt.Fprintln(w, renderScores(targets[i], measures, columns)); err != nil {
			return err
		}
	}
	return nil
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

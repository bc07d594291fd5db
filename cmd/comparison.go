package cmd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
)

// comparedRow is the result of a method on a data set.
type comparedRow struct {
	Dataset, Method string
	Rows            int     // number of scored rows
	Seconds         float64 // time of training and scoring
	Scores          measure.Scores
}

// writeComparison writes a table for the terminal. It groups the methods by data set, both in the
// order of first appearance, and has a column for each registered measure with scores. If a data
// set has several methods, a star marks the best score of each measure, and every score that
// prints the same.
func writeComparison(w io.Writer, rows []comparedRow) error {
	measures := scoredMeasures(rows)
	header := []any{"data set", "method", "rows"}
	for _, m := range measures {
		header = append(header, m.Title+" ") // the blank stands above the stars
	}
	t := terminal.NewTable(3, append(header, "seconds")...)
	for i, group := range groupByDataset(rows) {
		if i > 0 {
			t.AppendSeparator()
		}
		for _, cells := range comparisonCells(group, measures) {
			t.AppendRow(cells)
		}
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s.\n", t.Render(), describeDirections(measures))
	return err
}

// scoredMeasures returns the registered measures of which at least one row has a score, in the order of
// the registry.
func scoredMeasures(rows []comparedRow) []measure.Measure {
	isScored := make(map[string]bool) // by the measure's name
	for _, row := range rows {
		for _, name := range row.Scores.Names() {
			isScored[name] = true
		}
	}
	return slices.DeleteFunc(measure.All(), func(m measure.Measure) bool { return !isScored[m.Name] })
}

// comparisonCells returns the table rows of one data set. Each has the data set's name (in the first row
// only), the method, the number of rows, the score of each measure and the seconds.
func comparisonCells(group []comparedRow, measures []measure.Measure) []table.Row {
	cells := make([]table.Row, len(group))
	for i, row := range group {
		cells[i] = table.Row{"", row.Method, row.Rows}
	}
	cells[0][0] = group[0].Dataset
	for _, m := range measures {
		for i, cell := range markedCells(group, m) {
			cells[i] = append(cells[i], cell)
		}
	}
	for i, row := range group {
		cells[i] = append(cells[i], strconv.FormatFloat(row.Seconds, 'f', 1, 64))
	}
	return cells
}

// markedCells returns the printed score of a measure for each row of a group, followed by a star if it
// is the best score, and otherwise by a blank. It compares the printed scores: of two scores that look
// the same in the table, a star at one would puzzle the reader.
func markedCells(group []comparedRow, m measure.Measure) []string {
	best := bestCell(group, m)
	var cells []string
	for _, row := range group {
		cell := scoreCell(row.Scores.Get(m.Name))
		if cell == best {
			cells = append(cells, cell+"*")
		} else {
			cells = append(cells, cell+" ")
		}
	}
	return cells
}

// describeDirections returns the note below the table: what the star means, and that lower scores are
// better, except for the measures that it names. A measure with an ideal score (Nominal), such as a
// coverage of 0.9, is named with that score.
func describeDirections(measures []measure.Measure) string {
	note := "* best; lower is better"
	separator := ", except for "
	for _, m := range measures {
		switch {
		case m.Undirected:
			note += separator + m.Title + " (neither)"
		case m.Nominal != 0:
			note += fmt.Sprintf("%s%s (%v)", separator, m.Title, m.Nominal)
		case m.HigherIsBetter:
			note += separator + m.Title
		default:
			continue
		}
		separator = ", "
	}
	return note
}

// groupByDataset groups rows by data set, in the order of first appearance.
func groupByDataset(rows []comparedRow) [][]comparedRow {
	var groups [][]comparedRow
	for _, row := range rows {
		i := slices.IndexFunc(groups, func(g []comparedRow) bool { return g[0].Dataset == row.Dataset })
		if i < 0 {
			groups = append(groups, []comparedRow{row})
			continue
		}
		groups[i] = append(groups[i], row)
	}
	return groups
}

// bestCell returns the printed form of the best score of a measure in a group. It returns "", which no
// score prints, unless at least two rows have a score to compare. The scores of a measure for which
// neither direction is better, and NaN, have the badness NaN and do not count.
func bestCell(group []comparedRow, m measure.Measure) string {
	var scores []float64
	for _, row := range group {
		score := row.Scores.Get(m.Name)
		if !math.IsNaN(m.Badness(score)) {
			scores = append(scores, score)
		}
	}
	if len(scores) < 2 {
		return ""
	}
	byBadness := func(a, b float64) int { return cmp.Compare(m.Badness(a), m.Badness(b)) }
	best := slices.MinFunc(scores, byBadness)
	return scoreCell(best)
}

// scoreCell formats a score with three decimals, or with three digits and an exponent if three
// decimals would hide its size.
func scoreCell(x float64) string {
	const tooLarge, tooSmall = 1e4, 0.0005 // for three decimals: too wide, and printed as 0.000
	magnitude := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	case magnitude >= tooLarge || 0 < magnitude && magnitude < tooSmall:
		return strconv.FormatFloat(x, 'e', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

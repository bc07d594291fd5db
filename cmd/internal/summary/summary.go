// Package summary describes the columns of a table and points out suspicious columns and rows
// before a training. Start with New. The package does not change the table and prints nothing.
//
// Suspicions are found by rules. Scores are R² on held-out rows, so that identifiers and rare categories do not look
// predictive. A score alone proves no leak: the best honest column of a table may reach 0.95. What gives a target away
// determines it nearly without error.
package summary

import (
	"context"
	"slices"
	"time"

	"sml/data"
)

// Summary describes a table.
type Summary struct {
	Rows       int         `json:"rows"`
	Unlabelled int         `json:"unlabelled,omitempty"` // number of rows left out because they have no target
	Blank      int         `json:"blank,omitempty"`      // number of rows left out because all their inputs are missing
	Incomplete int         `json:"incomplete,omitempty"` // number of rows left out because some of their inputs are missing
	Weightless int         `json:"weightless,omitempty"` // number of rows left out because their weight is 0
	Copies     int         `json:"copies"`               // number of rows with the inputs and targets of an earlier row
	Columns    []*Column   `json:"columns"`              // inputs, targets, extra columns, the weight
	Suspicions []Suspicion `json:"suspicions"`

	Together   []Prediction `json:"together,omitempty"`    // ridge regression of each target on all inputs that do not give it away; nil for a small table
	ScoredRows int          `json:"scored_rows,omitempty"` // number of rows for Together and Column.Predicts: those with a target, or a random sample of them
}

// New returns the summary of a table. Dates after now are suspicious. It returns an error only if ctx ends.
func New(ctx context.Context, t *data.Table, now time.Time) (*Summary, error) {
	total, found := findOddRows(t)
	allRows := indices(t.Rows())
	table, err := newInspection(ctx, t, rowsWithout(total, allRows))
	if err != nil {
		return nil, err
	}
	table.found = append(table.found, found...)
	table.now = now
	table.copies = countCopies(t)
	if err := table.apply(ctx, rules); err != nil {
		return nil, err
	}
	s := &Summary{
		Rows:       t.Rows(),
		Unlabelled: t.UnlabelledRows,
		Blank:      t.BlankRows,
		Incomplete: t.IncompleteRows,
		Weightless: t.WeightlessRows,
		Copies:     table.copies,
		Columns:    slices.Concat(table.inputs, table.targets),
		Suspicions: table.found,
		Together:   table.scoreTogether(),
	}
	if s.Together != nil {
		s.ScoredRows = len(table.inputs[0].sample)
	}
	groups := t.Groups() // inputs, targets, extra columns, the weight, and the column that splits follow
	s.Columns = append(s.Columns, newColumns(t, groups[2], Extra, allRows)...)
	s.Columns = append(s.Columns, newColumns(t, groups[3], Weight, allRows)...)
	return s, nil
}

// Gravest returns the suspicions that spoil a model or its scores, the gravest first. It looks at a random sample of
// maxRows rows if the table has more, but for Total and FarTarget at all rows. It returns an error only if ctx ends.
func Gravest(ctx context.Context, t *data.Table, maxRows int) ([]Suspicion, error) {
	rows := indices(t.Rows())
	if t.Rows() > maxRows {
		rows = sampleRows(t.Rows(), 0)[:maxRows]
		slices.Sort(rows)
	}
	total, found := findOddRows(t)
	table, err := newInspection(ctx, t, rowsWithout(total, rows))
	if err != nil {
		return nil, err
	}
	table.found = append(table.found, found...)
	isMild := func(r rule) bool { return !slices.Contains(graveKinds, r.kind) }
	err = table.apply(ctx, slices.DeleteFunc(slices.Clone(rules), isMild))
	return table.found, err
}

// rowsWithout returns rows without the row total. A negative total means that no row is left out.
func rowsWithout(total int, rows []int) []int {
	return slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return row == total })
}

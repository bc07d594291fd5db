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
	ScoredRows int          `json:"scored_rows,omitempty"` // number of rows, or of a random sample of them, for Together and Column.Predicts
}

// New returns the summary of a table. Dates after now are suspicious. It returns an error only if ctx ends.
func New(ctx context.Context, t *data.Table, now time.Time) (*Summary, error) {
	s := &Summary{
		Rows:       t.Rows(),
		Unlabelled: t.UnlabelledRows,
		Blank:      t.BlankRows,
		Incomplete: t.IncompleteRows,
		Weightless: t.WeightlessRows,
		Copies:     countCopies(t),
	}
	table := &inspection{
		rows:   s.Rows,
		copies: s.Copies,
		now:    now,
		found:  []Suspicion{}, // not nil, so that JSON has [] if there are none
	}
	sample := sampleRows(s.Rows, len(t.Columns)*len(t.Targets))
	// The roles of the groups that t.Groups returns. The last group, the column by which rows are split, is
	// not described.
	roles := []Role{Input, Target, Extra, Weight}
	groups := t.Groups()
	for i, role := range roles {
		columns, err := newColumns(ctx, t, groups[i], role)
		if err != nil {
			return nil, err
		}
		for _, c := range columns {
			c.sample = pick(c.values, sample)
		}
		s.Columns = append(s.Columns, columns...)
		switch role {
		case Input:
			table.inputs = columns
		case Target:
			table.targets = columns
		}
	}
	if err := s.score(ctx, table); err != nil {
		return nil, err
	}
	for _, r := range rules { // some take seconds for a large table
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.apply(table)
	}
	s.Suspicions = table.found
	s.scoreTogether(table)
	return s, nil
}

// newColumns returns the profiles of the columns of a group, which have the same role. It returns an error only if ctx
// ends.
func newColumns(ctx context.Context, t *data.Table, group data.Group, role Role) (columns []*Column, err error) {
	all := *group.Values // row by row, with a value for each column of the group
	for j, name := range group.Names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var values []float64
		for i := j; i < len(all); i += len(group.Names) {
			values = append(values, all[i])
		}
		columns = append(columns, newColumn(name, role, fieldOf(t, role, j), values))
	}
	return columns, nil
}

// fieldOf returns the field of column j among the columns with the given role. In a table without
// fields, all columns are numbers.
func fieldOf(t *data.Table, role Role, j int) data.Field {
	switch {
	case role == Input && t.Fields != nil:
		return t.Fields[j]
	case role == Target && t.TargetFields != nil:
		return t.TargetFields[j]
	}
	return data.Field{Kind: data.Number}
}

// score sets the correlation of each input with each target, and how well it predicts the target by itself, unless
// there are too few rows. It returns an error only if ctx ends.
func (s *Summary) score(ctx context.Context, t *inspection) error {
	for _, target := range t.targets {
		y := newOutcome(target)
		t.outcomes = append(t.outcomes, y)
		for _, c := range t.inputs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.Kind != data.Category && !y.isClass() {
				r, ok := correlation(c.values, y.values)
				if ok {
					c.WithTarget = append(c.WithTarget, Correlation{Target: y.Name, R: r})
				}
			}
			if t.rows >= minScoredRows {
				c.score(y)
			}
		}
	}
	return nil
}

// score sets how well the column predicts a target by itself.
func (c *Column) score(y *outcome) {
	const minGain = 0.1 // minimum difference of the R² of names and numbers
	r2 := max(0, scoreColumn(c, y.outputs))
	if mayBeNames(c) {
		asNames := scoreCategories(c.sample, y.outputs)
		if asNames > r2+minGain {
			c.namesRows = true
			r2 = asNames
		}
	}
	c.Predicts = append(c.Predicts, Prediction{Target: y.Name, R2: r2})
}

// scoreTogether sets how well all inputs but leaks predict each target together, unless there are too few rows.
func (s *Summary) scoreTogether(t *inspection) {
	if t.rows < minScoredRows || len(t.inputs) == 0 || len(t.outcomes) == 0 {
		return
	}
	s.ScoredRows = len(t.inputs[0].sample)
	leaks := make(map[string]bool)
	for _, found := range t.found {
		for _, flag := range found.Flags {
			isLeak := found.Kind == LikeTarget || found.Kind == Combination
			leaks[flag.Value] = leaks[flag.Value] || isLeak
		}
	}
	honest := slices.DeleteFunc(slices.Clone(t.inputs), func(c *Column) bool { return leaks[c.Name] })
	for k, y := range t.outcomes {
		r2 := max(0, scoreTogether(honest, y, k))
		s.Together = append(s.Together, Prediction{Target: y.Name, R2: r2})
	}
}

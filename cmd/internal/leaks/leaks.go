// Package leaks measures how well the input columns of a table predict a target, and finds columns that
// give the target away: columns computed from it, or columns from which it is computed. Start with
// Inspect. The package does not change the table and prints nothing.
//
// All scores are R² on held-out rows, so that identifiers and rare categories do not look predictive. A
// score alone proves no leak: the best honest column of a table may reach 0.95. What gives a target away
// determines it nearly without error.
package leaks

import (
	"context"

	"sml/data"
)

// Table holds the columns of a table, all with the same number of rows.
type Table struct {
	Inputs  []Column
	Targets []Column
}

// Column is a column of a table.
type Column struct {
	Name   string
	Field  data.Field
	Values []float64 // value of each row, NaN if it is missing

	// IsTime is true for a time, or anything else that follows the order of the rows. Neighbouring values
	// of the target may then be alike, which is no leak.
	IsTime bool
}

// Inspection describes how the inputs of a table predict a target.
type Inspection struct {
	Rows   int   // number of rows that the scores are computed on: all, or a sample of many
	Inputs []Fit // how well each input predicts the target by itself

	// Together is the held-out R² of ridge regression on all inputs but leaks. It is 0 or less if they do not predict it.
	Together float64

	Leaks []Leak // first single columns, then combinations
}

// Fit describes how well a column predicts the target by itself.
type Fit struct {
	R2 float64 // held-out R²; 0 or less if the column does not predict the target

	// IsBetterAsCategory is true for a column of whole numbers whose order says little about the
	// target, while each number has a mean of its own.
	IsBetterAsCategory bool
}

// Leak is a set of columns that give the target away.
type Leak struct {
	Columns []int  // indices of the inputs
	Drop    []int  // columns to leave out: all, or those that seem to be computed from the target
	Says    string // finding, such as "each of its 3 categories is a range of the target price"
}

const (
	// MinRows is the minimum number of rows of an inspection: scores of fewer rows are chance.
	MinRows = 30

	// minLeakR2 is the minimum held-out R² of columns that give the target away.
	minLeakR2 = 0.999
)

// Inspect inspects the inputs of a table and one of its targets. The table has at least MinRows rows. isKnown
// marks inputs known to give the target away: they are scored, but not reported as leaks. Inspect returns an
// error only if ctx ends.
func Inspect(ctx context.Context, t Table, target int, isKnown []bool) (*Inspection, error) {
	s := newSample(len(t.Targets[target].Values), len(t.Inputs)*len(t.Targets))
	y := newOutcome(t.Targets[target], s)
	result := &Inspection{Rows: s.size()}
	isLeak := append([]bool(nil), isKnown...)
	sampled := make([]Column, len(t.Inputs))
	for i, input := range t.Inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := input
		c.Values = s.take(input.Values)
		sampled[i] = c
		fit := fitColumn(c, y, s)
		result.Inputs = append(result.Inputs, fit)
		if isKnown[i] {
			continue
		}
		says := explainLeak(c, y, fit)
		if says != "" {
			isLeak[i] = true
			result.Leaks = append(result.Leaks, Leak{Columns: []int{i}, Drop: []int{i}, Says: says})
		}
	}
	combination := findCombination(sampled, isLeak, y, s)
	if combination != nil {
		result.Leaks = append(result.Leaks, *combination)
		for _, i := range combination.Drop {
			isLeak[i] = true
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	result.Together = fitTogether(sampled, result.Inputs, isLeak, y, s)
	return result, nil
}

package trainers

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
)

// checkRowWeights returns an error if the weights of the n rows are missing or unexpected, or if one of
// them is negative or not finite.
func checkRowWeights(spec models.Spec, rows data.Subset, n int) error {
	switch {
	case spec.Weighted && rows.W == nil:
		return errors.New("the loss weights rows (Spec.Weighted), and the rows have no weights")
	case !spec.Weighted && rows.W != nil:
		return errors.New("the rows have weights, and the loss does not use them: set Spec.Weighted")
	case rows.W != nil && len(rows.W) != n:
		return fmt.Errorf("%d weights for %d rows: want one weight for each row", len(rows.W), n)
	}
	for i, w := range rows.W {
		if !(w >= 0) || !statistics.IsFinite(w) {
			return fmt.Errorf("row %d: its weight is %v: want a finite number of 0 or more", i+1, w)
		}
	}
	return nil
}

// withoutWeightless returns the rows without those of weight 0, which count like no rows. inputs is the number of
// the table's inputs. It returns an error if all weights are 0.
func withoutWeightless(rows data.Subset, inputs int) (data.Subset, error) {
	if !slices.Contains(rows.W, 0) {
		return rows, nil
	}
	var weighted []int32
	all := rows.RowNumbers(inputs)
	for _, row := range all {
		isKnown := row >= 0 && int(row) < len(rows.W) // checkRows reports another row
		if !isKnown || rows.W[row] != 0 {
			weighted = append(weighted, row)
		}
	}
	if len(weighted) == 0 {
		return rows, fmt.Errorf("the weights of all %d rows are 0; want at least one weight above 0", len(all))
	}
	rows.Indices = weighted
	return rows, nil
}

// checkPartlyKnown returns an error if a row has none of the targets and the method uses no such rows, or if the method
// reads all targets of the rows after the training. Only rows whose targets are partly known can lack one: see
// checkFinite.
func checkPartlyKnown(spec models.Spec, rows data.Subset) error {
	if !spec.PartlyKnown {
		return nil
	}
	m, err := models.Lookup(spec.Method)
	if err != nil {
		return err
	}
	targets := spec.Architecture.Targets
	isKnown := func(y float64) bool { return !math.IsNaN(y) }
	for _, row := range rows.RowNumbers(spec.Architecture.Inputs) {
		isLabelled := slices.ContainsFunc(rows.Y[int(row)*targets:][:targets], isKnown)
		if !isLabelled && !m.UsesUnlabelled {
			return fmt.Errorf("row %d has none of the %d targets: want at least one, or a method that uses unlabelled rows", row+1, targets)
		}
	}
	_, err = spec.AddsSubNetworks() // tries what follows the training
	return err
}

// lossWeights holds the weights of the rows in the loss: one of each row, or one of each of its targets.
type lossWeights struct {
	values  []float64 // [rows, columns], row by row; nil if all rows count alike
	columns int
}

// newLossWeights returns a weight for each row or, if rows may lack some of their targets, for each target of each row: 0
// for an unknown target. Without weights of rows, a known target has the weight 1.
func newLossWeights(spec models.Spec, rows data.Subset) lossWeights {
	if !spec.PartlyKnown {
		return lossWeights{rows.W, 1}
	}
	targets := spec.Architecture.Targets
	values := make([]float64, len(rows.Y))
	for i, y := range rows.Y {
		switch {
		case math.IsNaN(y): // unknown: values[i] stays 0
		case rows.W == nil:
			values[i] = 1
		default:
			values[i] = rows.W[i/targets]
		}
	}
	return lossWeights{values, targets}
}

// ofRow returns the weights of a row.
func (w lossWeights) ofRow(row int32) []float64 { return w.values[int(row)*w.columns:][:w.columns] }

// mean returns the mean weight over some rows: weights are divided by it, so that their mean is 1. It returns 1 if the
// rows have no weights, or if all weights are 0, as for unlabelled rows.
func (w lossWeights) mean(rows []int32) float64 {
	if w.values == nil || len(rows) == 0 {
		return 1
	}
	largest := 0.0
	for _, row := range rows {
		largest = max(largest, slices.Max(w.ofRow(row)))
	}
	if largest == 0 {
		return 1
	}
	// The weights are divided by the largest first: their sum is then finite, and exact if all weights
	// are equal.
	sum := 0.0
	for _, row := range rows {
		for _, weight := range w.ofRow(row) {
			sum += weight / largest
		}
	}
	mean := largest * (sum / float64(len(rows)*w.columns))
	return max(math.SmallestNonzeroFloat64, mean) // tiny weights may round to 0, and the mean is a divisor
}

// copyRows copies the weights of rows, divided by their mean, to dst.
func (w lossWeights) copyRows(dst []float32, rows []int32, mean float64) {
	zeros := make([]float64, w.columns) // standardised with the mean 0: only divided
	kernels.GatherStandardised(dst, w.values, w.columns, rows, zeros, slices.Repeat([]float64{mean}, w.columns))
}

// fillUnknown returns the targets of the rows with the mean of each target in place of unknown ones. The loss of these
// has the weight 0, but has to be finite.
func fillUnknown(spec models.Spec, rows data.Subset) []float64 {
	if !spec.PartlyKnown {
		return rows.Y
	}
	filled := slices.Clone(rows.Y)
	means := rows.YScale.Means()
	for i, y := range filled {
		switch {
		case !math.IsNaN(y): // known
		case means == nil:
			filled[i] = 0
		default:
			filled[i] = means[i%len(means)]
		}
	}
	return filled
}

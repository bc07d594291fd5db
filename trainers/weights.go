package trainers

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
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

// meanWeight returns the mean weight of some rows, all above 0: weights are divided by it, so that their mean is
// 1. It returns 1 if the rows have no weights.
func meanWeight(rows data.Subset, indices []int32) float64 {
	if rows.W == nil || len(indices) == 0 {
		return 1
	}
	largest := 0.0
	for _, row := range indices {
		largest = max(largest, rows.W[row])
	}
	// The weights are divided by the largest first: their sum is then finite, and exact if all weights
	// are equal.
	sum := 0.0
	for _, row := range indices {
		sum += rows.W[row] / largest
	}
	mean := largest * (sum / float64(len(indices)))
	return max(math.SmallestNonzeroFloat64, mean) // tiny weights may round to 0, and the mean is a divisor
}

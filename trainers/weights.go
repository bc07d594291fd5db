package trainers

import (
	"errors"
	"fmt"
	"math"

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

// meanWeight returns the mean weight of some rows: weights are divided by it, so that their mean is
// 1. It returns 1 if the rows have no weights. It returns an error if all weights are 0; kind names
// the rows in its message.
func meanWeight(rows data.Subset, indices []int32, kind string) (float64, error) {
	if rows.W == nil || len(indices) == 0 {
		return 1, nil
	}
	largest := 0.0
	for _, row := range indices {
		largest = max(largest, rows.W[row])
	}
	if largest == 0 {
		return 0, fmt.Errorf("the weights of all %d %s rows are 0", len(indices), kind)
	}
	// The weights are divided by the largest first: their sum is then finite, and exact if all weights
	// are equal.
	sum := 0.0
	for _, row := range indices {
		sum += rows.W[row] / largest
	}
	mean := largest * (sum / float64(len(indices)))
	return max(math.SmallestNonzeroFloat64, mean), nil // tiny weights may round to 0, and the mean is a divisor
}

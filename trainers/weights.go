package trainers

import (
	"errors"
	"fmt"
	"math"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// checkRowWeights returns an error if the rows' weights are none, or are there and the
// spec does not know of them, or the other way round.
func checkRowWeights(spec models.Spec, rows data.Subset, n int) error {
	switch {
	case spec.Weighted && rows.W == nil:
		return errors.New("the loss counts rows by their weights, and they have none")
	case !spec.Weighted && rows.W != nil:
		return errors.New("the rows have weights, and the spec does not say so: set Spec.Weighted")
	case rows.W != nil && len(rows.W) != n:
		return fmt.Errorf("%d weights of %d rows: want one of each", len(rows.W), n)
	}
	for i, w := range rows.W {
		if !(w >= 0) || !statistics.Finite(w) {
			return fmt.Errorf("row %d: its weight is %v: want a finite number of 0 or more", i+1, w)
		}
	}
	return nil
}

// meanWeight returns the mean weight of some rows, by which weights are divided so
// that their mean is 1; without weights, 1. What the rows are for goes into the error
// that none of them counts.
func meanWeight(rows data.Subset, numbers []int32, what string) (float64, error) {
	if rows.W == nil || len(numbers) == 0 {
		return 1, nil
	}
	largest, sum := 0.0, 0.0
	for _, r := range numbers {
		largest = max(largest, rows.W[r])
	}
	if largest == 0 {
		return 0, fmt.Errorf("the weights of all %d rows that are %s are 0", len(numbers), what)
	}
	for _, r := range numbers {
		sum += rows.W[r] / largest // a sum that is always in range, and exact where all are alike
	}
	return max(math.SmallestNonzeroFloat64, largest*(sum/float64(len(numbers)))), nil
}

package experiment

import (
	"fmt"
	"math"

	"sml/data"
)

// largestSquare is about the largest number, and its inverse the smallest, whose square and sums of squares are
// ordinary float64 numbers. Scores, baselines and standard deviations in a target's own unit need such squares.
const largestSquare = 1e150

// checkTargetRange returns an error if a target of numbers is larger than largestSquare, or if the numbers of a target
// differ, but their standard deviation is below 1/largestSquare.
func checkTargetRange(t *data.Table) error {
	for i, y := range t.Y {
		if math.Abs(y) > largestSquare {
			return fmt.Errorf("row %d of %s: the target %s is %v; want at most %v in size, since scores square it: divide the column by a constant",
				t.RowNumber(i/len(t.Targets)), t.Name, t.Targets[i%len(t.Targets)], y, largestSquare)
		}
	}
	for _, scaler := range data.FitScalers(t.Y, t.Targets, nil) {
		if scaler.Std < 1/largestSquare {
			return fmt.Errorf("%s: the target %s has the standard deviation %v; want at least %v, since scores square it: multiply the column by a constant",
				t.Name, scaler.Name, scaler.Std, 1/largestSquare)
		}
	}
	return nil
}

// checkKnownTargets returns an error if a target is known in none of the training rows.
func checkKnownTargets(t *data.Table, train []int) error {
	for target, name := range t.Targets {
		if len(t.KnownTargets(target, train)) == 0 {
			return fmt.Errorf("%s: the target %s is known in none of the training rows; train on rows that have it, or leave the target out", t.Name, name)
		}
	}
	return nil
}

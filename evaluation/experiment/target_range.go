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
	_, stds := data.Moments(t.Y, len(t.Targets), nil)
	for j, std := range stds {
		if std > 0 && std < 1/largestSquare {
			return fmt.Errorf("%s: the target %s has the standard deviation %v; want at least %v, since scores square it: multiply the column by a constant",
				t.Name, t.Targets[j], std, 1/largestSquare)
		}
	}
	return nil
}

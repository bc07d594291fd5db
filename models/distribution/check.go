package distribution

import (
	"fmt"
	"math"

	"sml/internal/portable"
)

// checkAtLeastZero returns an error if the value of a family's parameter is negative.
func checkAtLeastZero(family, parameter string, value float64) error {
	if value < 0 {
		return fmt.Errorf("%s = %.6g in the family %s: want 0 or more", parameter, value, family)
	}
	return nil
}

// checkAboveZero returns an error if the value of a family's parameter is 0 or negative.
func checkAboveZero(family, parameter string, value float64) error {
	if value <= 0 {
		return fmt.Errorf("%s = %.6g in the family %s: want a number above 0", parameter, value, family)
	}
	return nil
}

// checkSum returns an error unless the values of a family's parameters, name 1 to name n, are
// logarithms of probabilities that add up to 1, to a millionth.
func checkSum(family, name string, values []float64) error {
	sum := 0.0
	for _, logP := range values {
		sum += portable.Exp(logP)
	}
	if math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("probabilities with the sum %.6g, %s 1 to %d in the family %s: want 1", sum, name, len(values), family)
	}
	return nil
}

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

// checkProbabilitySum returns an error unless the probabilities with the given logarithms add up to
// 1. The error calls them the parameters "name 1" to "name n" of the family.
func checkProbabilitySum(family, name string, logProbabilities []float64) error {
	const tolerance = 1e-6 // the logarithms are rounded
	sum := 0.0
	for _, logP := range logProbabilities {
		sum += portable.Exp(logP)
	}
	if math.Abs(sum-1) > tolerance {
		return fmt.Errorf("probabilities with the sum %.6g, %s 1 to %d in the family %s: want 1", sum, name, len(logProbabilities), family)
	}
	return nil
}

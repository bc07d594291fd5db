package measure

import (
	"math"

	"sml/internal/portable"
	"sml/models/distribution"
)

// residualColumn returns the column that residuals are computed from: the standardised one if the
// target was transformed, otherwise c.
func (c *Column) residualColumn() *Column {
	if c.Standardised != nil {
		return c.Standardised
	}
	return c
}

// hasDensity reports whether the predicted distributions have a density at every target with a
// weight above 0.
func (c *Column) hasDensity() bool {
	if c.Distributions == nil {
		return c.Std != nil
	}
	if _, ok := c.classProbabilities(0); ok {
		return false
	}
	for row := range c.Y {
		if c.Weight(row) != 0 && math.IsNaN(c.Distributions[row].LogDensity(c.Y[row])) {
			return false
		}
	}
	return true
}

// Weight returns the weight of a row, 1 if all rows count the same.
func (c *Column) Weight(row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}

// halfLogTwoPi is ½ log 2π, the constant of the normal log density.
var halfLogTwoPi = portable.Log(2*math.Pi) / 2

// classProbabilities returns the predicted probabilities of the classes in a row. It returns false
// if the target is not a class.
func (c *Column) classProbabilities(row int) (distribution.Classes, bool) {
	if c.Distributions == nil {
		return nil, false
	}
	return distribution.ClassesOf(c.Distributions[row])
}

// hasSets reports whether the predictions have sets of classes.
func (c *Column) hasSets() bool {
	if c.Distributions == nil {
		return false
	}
	_, ok := c.Distributions[0].(distribution.ClassSets)
	return ok
}

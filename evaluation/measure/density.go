package measure

import (
	"math"

	"sml/internal/portable"
	"sml/models/distribution"
)

// normal returns the column that residuals are taken from: the standardised one if the
// target was transformed.
func (c *Column) residualColumn() *Column {
	if c.Standardised != nil {
		return c.Standardised
	}
	return c
}

// hasDensity reports whether the predicted distributions have a density at every target.
func (c *Column) hasDensity() bool {
	if c.Distributions == nil {
		return c.Std != nil
	}
	if _, ok := c.classProbabilities(0); ok {
		return false
	}
	for row := range c.Y {
		if c.weightOf(row) != 0 && math.IsNaN(c.Distributions[row].LogDensity(c.Y[row])) {
			return false
		}
	}
	return true
}

// weightOf returns the weight of a row, 1 if rows have none.
func (c *Column) weightOf(row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}

// halfLogTwoPi is ½ log 2π.
var halfLogTwoPi = portable.Log(2*math.Pi) / 2

// classes returns the predicted probabilities of the classes in a row, if the target is one.
func (c *Column) classProbabilities(row int) (distribution.Classes, bool) {
	if c.Distributions == nil {
		return nil, false
	}
	classes, ok := c.Distributions[row].(distribution.Classes)
	return classes, ok
}

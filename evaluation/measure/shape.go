package measure

import "sml/internal/portable"

// Shape is how the distribution of a target runs around its prediction, in standard
// deviations from the mean: that of N(0, 1), or what a calibration has found.
type Shape interface {
	// Quantile is the quantile at a level between 0 and 1: infinite where nothing
	// finite is known to be.
	Quantile(level float64) float64
	// Level is the probability of what is below z, from 0 to 1; it grows with z.
	Level(z float64) float64
}

// Normal is the shape of N(0, 1).
var Normal Shape = normal{}

type normal struct{}

// Quantile is symmetric to the last bit.
func (normal) Quantile(level float64) float64 {
	if level < 0.5 {
		return -portable.NormalQuantile(1 - level)
	}
	return portable.NormalQuantile(level)
}

func (normal) Level(z float64) float64 { return portable.NormalCDF(z) }

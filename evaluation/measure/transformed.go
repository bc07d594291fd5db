package measure

import (
	"sync"

	"sml/internal/portable"
)

// Transformed describes predictions of a target that was transformed and standardised
// before the training.
type Transformed struct {
	// Standardised holds the predictions as the network made them, N(Mean[row],
	// Std[row]²) of the standardised target, and what they are judged against.
	Standardised *Column

	// Invert returns the target of a standardised value. It ascends.
	Invert func(z float64) float64

	// LogSlopes holds the logarithm of the derivative of the standardised target by the
	// target in each row; nil if a row has no density.
	LogSlopes []float64
}

// normal returns the column whose targets are predicted to be normal: the standardised
// one if the target was transformed.
func (c *Column) normal() *Column {
	if c.Transformed != nil {
		return c.Transformed.Standardised
	}
	return c
}

// hasDensity reports whether the predicted distributions have a density at every target.
func (c *Column) hasDensity() bool { return c.Transformed == nil || c.Transformed.LogSlopes != nil }

// logSlope returns the logarithm by which the density of the target exceeds that of the
// normal distribution in a row.
func (c *Column) logSlope(row int) float64 {
	if c.Transformed == nil {
		return 0
	}
	return c.Transformed.LogSlopes[row]
}

// crpsLevels is the number of quantiles that the CRPS of a transformed target is summed
// over.
const crpsLevels = 200

// crpsQuantiles returns the standard normal quantiles at the levels (i + ½)/crpsLevels.
var crpsQuantiles = sync.OnceValue(func() []float64 {
	z := make([]float64, crpsLevels)
	for i := range z {
		z[i] = portable.NormalQuantile((float64(i) + 0.5) / crpsLevels)
	}
	return z
})

// crps returns the CRPS of one row in the unit of the target: twice the mean pinball
// loss of the target's quantiles (Gneiting and Ranjan 2011, eq. 11 and 12).
func (t *Transformed) crps(row int, y float64) float64 {
	sum := 0.0
	mean, std := t.Standardised.Mean[row], t.Standardised.Std[row]
	for i, z := range crpsQuantiles() {
		level := (float64(i) + 0.5) / crpsLevels
		d := y - t.Invert(mean+float64(std*z))
		sum += max(float64(level*d), float64((level-1)*d)) / crpsLevels
	}
	return float64(2 * sum)
}

package calibrate

import (
	"math"

	"sml/internal/strict"
)

// Tails describes the outer residuals of calibration rows by quantiles q(p) of the signed residuals, in the scale of
// their Placement.
type Tails struct {
	// Skewness is (q(0.95) + q(0.05) − 2q(0.5))/(q(0.95) − q(0.05)), from −1 to 1, and 0 for a symmetric distribution.
	// Source: Hinkley (1975), On power transformations to symmetry.
	Skewness strict.Number `json:"skewness"`

	// Weight is (q(0.975) − q(0.025))/(q(0.75) − q(0.25)), divided by its value for a normal distribution: 1 for normal
	// residuals, above 1 for heavier tails. Source: Hogg (1974), Adaptive robust procedures.
	Weight strict.Number `json:"tail_weight"`
}

// Limits of the residuals that one shape describes well for all rows: see docs/explanation/accuracy.md.
const (
	MaxSkewness   = 0.4
	MaxTailWeight = 2
)

// IsSkewed reports whether the residuals are farther to one side than MaxSkewness allows.
func (t Tails) IsSkewed() bool { return math.Abs(float64(t.Skewness)) > MaxSkewness }

// IsHeavy reports whether the tails are heavier than MaxTailWeight.
func (t Tails) IsHeavy() bool { return float64(t.Weight) > MaxTailWeight }

// Tails returns the tails of the residuals of all rows, and whether the calibration has any: it has one target and one
// fit to at least 200 rows, of a kind with a shape.
func (c *Calibration) Tails() (t Tails, ok bool) {
	kind, err := Lookup(c.Kind)
	targets := c.Groups[0].Targets
	if err != nil || !kind.HasShape() || len(targets) != 1 || targets[0].Residuals.Count < minPowerRows {
		return Tails{}, false
	}
	return kind.tails(targets[0].Residuals), true
}

// tails returns the tails of residuals.
func (k Kind) tails(residuals OrderStatistics) Tails {
	const allSigned = 1 // weight of the residuals' signs
	shape := k.shapeOf(residuals, allSigned)
	q := func(level float64) float64 { return shape.quantile(level, 1) }
	const normalRatio = 2.9058 // Φ⁻¹(0.975)/Φ⁻¹(0.75)
	outer := q(0.95) - q(0.05)
	skewness := (q(0.95) + q(0.05) - float64(2*q(0.5))) / outer
	weight := (q(0.975) - q(0.025)) / float64(normalRatio*(q(0.75)-q(0.25)))
	return Tails{Skewness: strict.Number(skewness), Weight: strict.Number(weight)}
}

package calibrate

import (
	"math"

	"sml/models"
	"sml/models/distribution"
)

// TargetFit has the numbers that a kind has fitted to the rows of one target. Fields that the kind does
// not use are zero.
type TargetFit struct {
	Placement
	Residuals OrderStatistics `json:"residuals,omitzero"` // of the rows, in the scale of Placement; for sets of classes the scores of the true classes

	Floor float64 `json:"floor,omitempty"` // smallest standard deviation; smaller ones are replaced by it
	Scale float64 `json:"scale,omitempty"` // factor of the standard deviation, after Floor

	QuantileMoves

	Temperature float64 `json:"temperature,omitempty"` // divisor of the log probabilities of classes
}

// Shape returns the calibrated distribution of residuals, in units of ScaleOf; nil if the kind keeps the shape of the
// predicted distribution.
func (f TargetFit) Shape(k Kind) *distribution.Shape {
	if !k.HasShape() || f.Residuals.Count == 0 {
		return nil
	}
	return k.shape(f.Residuals)
}

// calibrate returns a prediction that the kind has calibrated. shape is nil if the distribution keeps its shape.
func (f TargetFit) calibrate(kind Kind, p models.Prediction, family distribution.Family, shape *distribution.Shape) models.Prediction {
	switch {
	case kind.hasSets():
		classes, _ := distribution.ClassesOf(p.Distribution)
		return models.Prediction{Distribution: kind.withSets(classes, f.Residuals)}
	case f.Temperature > 0:
		classes := p.Distribution.(distribution.Classes)
		return models.Prediction{Distribution: applyTemperature(classes, 1/f.Temperature)}
	case f.Shifts != nil:
		return f.moveQuantiles(p, family)
	case shape != nil:
		return p.WithDistribution(distribution.WithShape(p.Distribution, p.Mean(), f.ScaleOf(p.Std()), shape))
	}
	return p.WithDistribution(distribution.WithMoments(p.Distribution, p.Mean(), f.ScaleOf(p.Std())))
}

// moveQuantiles returns the prediction with its quantiles moved.
func (f TargetFit) moveQuantiles(p models.Prediction, family distribution.Family) models.Prediction {
	quantiles := quantilesAt(p, family.Levels)
	f.apply(quantiles, p.Quantile(0.5))
	return p.WithDistribution(family.New(quantiles))
}

// ScaleOf returns the scale of a shape for a predicted standard deviation or, without a shape, the calibrated standard
// deviation.
func (f TargetFit) ScaleOf(std float64) float64 {
	if f.Median > 0 {
		return f.scaleOf(std)
	}
	return math.Max(std, f.Floor) * f.Scale
}

package evaluation

import (
	"sml/data"
	"sml/evaluation/measure"
	"sml/models"
	"sml/models/distribution"
)

// ToTargetUnit returns a standardised prediction in its target's own unit: it undoes the scaler c and
// then, if t is not nil, the transform of the target. Each component remains the same fraction of the
// standard deviation.
func ToTargetUnit(p models.Prediction, c data.Scaler, t distribution.Transform) models.Prediction {
	d := p.Affine(c.Std, c.Mean)
	if t != nil {
		return p.WithDistribution(distribution.Invert(d, t))
	}
	components := make([]float64, len(p.Components))
	for i, std := range p.Components {
		components[i] = std * c.Std
	}
	return models.Prediction{Distribution: d, Components: components}
}

// InUnit returns the predictions of one target with its true values, both in the target's own
// unit. It returns an error if a value is not finite.
func (p *Predictions) InUnit(t Truth, target int, protocol data.Protocol) (*measure.Column, error) {
	var transform distribution.Transform
	if t.Transforms != nil {
		transform = t.Transforms[target]
	}
	var distributions []distribution.Distribution
	var y []float64
	for i := target; i < len(p.Values); i += p.Targets {
		distributions = append(distributions, ToTargetUnit(p.Values[i], t.Columns[target], transform).Distribution)
		y = append(y, t.Y[i])
	}
	c := newColumn(distributions, y)
	c.Protocol = protocol
	c.Weights = t.Weights
	c.Levels = p.Family.Levels
	return c, c.Check()
}

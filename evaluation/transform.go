package evaluation

import (
	"sml/data"
	"sml/evaluation/measure"
	"sml/models"
	"sml/models/distribution"
)

// InUnit returns a prediction in its target's own unit: it inverts the scaler c and then,
// if t is not nil, the transform of the target. Components keep their shares of
// the standard deviation.
func InUnit(p models.Prediction, c data.Scaler, t distribution.Transform) models.Prediction {
	d := p.Affine(c.Std, c.Mean)
	if t != nil {
		return p.WithDistribution(distribution.Invert(d, t))
	}
	components := make([]float64, len(p.Components))
	for i, part := range p.Components {
		components[i] = part * c.Std
	}
	return models.Prediction{Distribution: d, Components: components}
}

// InUnit returns the predictions of one target and the true targets in the target's own
// unit.
func (p *Predictions) InUnit(t Truth, target int, protocol data.Protocol) (*measure.Column, error) {
	var transform distribution.Transform
	if t.Transforms != nil {
		transform = t.Transforms[target]
	}
	var distributions []distribution.Distribution
	var y []float64
	for i := target; i < len(p.Values); i += p.Targets {
		distributions = append(distributions, InUnit(p.Values[i], t.Columns[target], transform).Distribution)
		y = append(y, t.Y[i])
	}
	c := newColumn(distributions, y)
	c.Protocol, c.Weights, c.Levels = protocol, t.Weights, p.Family.Levels
	return c, c.Check()
}

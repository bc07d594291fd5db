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
		d = distribution.Invert(d, t)
	}
	components := make([]float64, len(p.Components))
	for i, part := range p.Components {
		switch std := p.Std(); {
		case t == nil:
			components[i] = part * c.Std
		case std > 0:
			components[i] = part / std * d.Std()
		}
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
	c := &measure.Column{Protocol: protocol, Weights: t.Weights, Levels: p.Family.Levels}
	for i := target; i < len(p.Values); i += p.Targets {
		c.Y = append(c.Y, t.Y[i])
		add(c, InUnit(p.Values[i], t.Columns[target], transform).Distribution)
	}
	return c, c.Check()
}

package evaluation

import (
	"sml/data"
	"sml/models"
	"sml/models/distribution"
)

// Unit says how standardised predictions of a target become predictions in the target's own unit.
type Unit struct {
	Scaler    data.Scaler            // scaler of the target
	Transform distribution.Transform // transform of the target before it was standardised; nil if there is none
	Bounds    *distribution.Bounds   // bounds of predictions in the target's own unit; nil if there are none
}

// Unit returns the unit of a target.
func (t Truth) Unit(target int) Unit {
	u := Unit{Scaler: t.Columns[target]}
	if t.Transforms != nil {
		u.Transform = t.Transforms[target]
	}
	if t.Bounds != nil {
		u.Bounds = t.Bounds[target]
	}
	return u
}

// Convert returns a standardised prediction in the target's own unit: it undoes the scaler and the
// transform, and clips the distribution to the bounds. Each component remains the same fraction of the
// standard deviation.
func (u Unit) Convert(p models.Prediction) models.Prediction {
	d := p.Affine(u.Scaler.Std, u.Scaler.Mean)
	if u.Transform != nil {
		p = p.WithDistribution(distribution.Invert(d, u.Transform))
	} else {
		p.Distribution = d
		p.Components = scaleAll(p.Components, u.Scaler.Std)
	}
	if u.Bounds != nil {
		p.Distribution = distribution.Bound(p.Distribution, *u.Bounds)
	}
	return p
}

// scaleAll returns the products of the values and a factor.
func scaleAll(values []float64, factor float64) []float64 {
	products := make([]float64, len(values))
	for i, v := range values {
		products[i] = v * factor
	}
	return products
}

package evaluation

import (
	"sml/data"
	"sml/evaluation/measure"
	"sml/models"
)

// Transform is what targets were put through before they were standardised: an
// ascending function, so that quantiles stay quantiles.
type Transform interface {
	Apply(y float64) float64
	Invert(z float64) float64
	Moments(mean, std float64) (float64, float64) // of the target, where what is predicted is N(mean, std²)
}

// InUnit returns a prediction in its target's own unit. Through a transform (nil:
// none), mean and standard deviation are those of the target itself where the
// prediction is normal; its parts keep their shares of it; quantiles are put through
// its inverse, and so is the mean of a prediction without standard deviation.
func InUnit(p models.Prediction, c models.Column, t Transform) models.Prediction {
	back := func(v float64) float64 { return float64(v*c.Std) + c.Mean }
	out := p
	out.Mean, out.Std, out.StdDrop, out.MeanShift = back(p.Mean), p.Std*c.Std, p.StdDrop*c.Std, p.MeanShift*c.Std
	out.Quantiles = make([]float64, len(p.Quantiles))
	for i, q := range p.Quantiles {
		if out.Quantiles[i] = back(q); t != nil {
			out.Quantiles[i] = t.Invert(out.Quantiles[i])
		}
	}
	switch {
	case t == nil:
	case p.NoStd:
		out.Mean = t.Invert(out.Mean)
	default:
		mean, std := t.Moments(out.Mean, out.Std)
		if p.Std > 0 {
			out.StdDrop, out.MeanShift = p.StdDrop/p.Std*std, p.MeanShift/p.Std*std
		}
		out.Mean, out.Std = mean, std
	}
	return out
}

// Quantile returns the quantile at a level of a prediction of that shape, in the
// target's own unit.
func Quantile(p models.Prediction, s measure.Shape, c models.Column, t Transform, level float64) float64 {
	v, std := float64(p.Mean*c.Std)+c.Mean, float64(p.Std*c.Std)
	if std > 0 {
		v += float64(s.Quantile(level) * std)
	}
	if t != nil {
		v = t.Invert(v)
	}
	return v
}

// Level returns the level at which y, in the target's own unit, stands among what a
// prediction of that shape expects.
func Level(p models.Prediction, s measure.Shape, c models.Column, t Transform, y float64) float64 {
	if t != nil {
		y = t.Apply(y)
	}
	z := (y-c.Mean)/c.Std - p.Mean
	if z != 0 { // at the mean, whatever the standard deviation
		z /= p.Std
	}
	return s.Level(z)
}

// distribution is that of the rows of one target, in its own unit.
type distribution struct {
	p      *Predictions
	target int
	column models.Column
	t      Transform
}

func (d distribution) at(row int) (models.Prediction, measure.Shape) {
	i := row*d.p.Targets + d.target
	return d.p.Values[i], d.p.Shape(i)
}

func (d distribution) Quantile(row int, level float64) float64 {
	p, s := d.at(row)
	return Quantile(p, s, d.column, d.t, level)
}

func (d distribution) Level(row int, y float64) float64 {
	p, s := d.at(row)
	return Level(p, s, d.column, d.t, y)
}

// inUnit judges predictions of one target in its own unit, as they come out of a
// transform.
func (p *Predictions) inUnit(y []float64, target int, c models.Column, t Transform, judged measure.Column, measures []measure.Measure) (measure.Scores, error) {
	p.toUnit(&judged, y, target, c, t)
	if err := judged.Check(); err != nil {
		return nil, err
	}
	return judge(&judged, measures)
}

// toUnit fills a column with predictions of one target in its own unit.
func (p *Predictions) toUnit(column *measure.Column, y []float64, target int, c models.Column, t Transform) {
	column.Mean, column.Std, column.Y, column.Quantiles = nil, nil, nil, nil
	for i := target; i < len(p.Values); i += p.Targets {
		v := InUnit(p.Values[i], c, t)
		column.Mean, column.Y = append(column.Mean, v.Mean), append(column.Y, y[i])
		if p.HasStd() {
			column.Std = append(column.Std, v.Std)
		}
		if p.Levels != nil {
			column.Quantiles = append(column.Quantiles, v.Quantiles)
		}
	}
	if p.HasStd() {
		column.Distribution = distribution{p, target, c, t}
	}
}

// InUnit returns the predictions of one target and what they are judged against, in the
// target's own unit.
func (p *Predictions) InUnit(t Truth, target int, protocol data.Protocol) (*measure.Column, error) {
	c := t.Columns[target]
	column := &measure.Column{Protocol: protocol, Weights: t.Weights}
	if err := p.addTo(column, t.Y, target, c); err != nil {
		return nil, err
	}
	var transform Transform
	if t.Transforms != nil {
		transform = t.Transforms[target]
	}
	p.toUnit(column, t.Y, target, c, transform)
	return column, column.Check()
}

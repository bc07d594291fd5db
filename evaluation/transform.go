package evaluation

import (
	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/models"
)

// Transform is an ascending function that targets went through before they were
// standardised.
type Transform interface {
	// Apply returns what the network is trained on for the target y.
	Apply(y float64) float64
	// Invert returns the target of a transformed value.
	Invert(z float64) float64
	// Moments returns the mean and the standard deviation of the target where N(mean,
	// std²) is predicted for its transform.
	Moments(mean, std float64) (targetMean, targetStd float64)
	// LogSlope returns the logarithm of the derivative of Apply at y; it is not finite
	// where the target has no density.
	LogSlope(y float64) float64
}

// InUnit returns a prediction in its target's own unit. If the target was transformed (t
// is not nil), Transform.Moments gives the mean and the standard deviation, whose parts
// keep their shares; quantiles go through the inverse of the transform, and so does the
// mean of a prediction without a standard deviation.
func InUnit(p models.Prediction, c data.Scaler, t Transform) models.Prediction {
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
func Quantile(p models.Prediction, s measure.Shape, c data.Scaler, t Transform, level float64) float64 {
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
func Level(p models.Prediction, s measure.Shape, c data.Scaler, t Transform, y float64) float64 {
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
	column data.Scaler
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

// inUnit returns the scores of predictions of one target in its own unit, where it was
// transformed before the training. The column has the standardised predictions.
func (p *Predictions) inUnit(y []float64, target int, c data.Scaler, t Transform, standardised *measure.Column, measures []measure.Measure) (measure.Scores, error) {
	column := &measure.Column{
		Protocol:      standardised.Protocol,
		Weights:       standardised.Weights,
		Levels:        standardised.Levels,
		Probabilities: standardised.Probabilities,
		Class:         standardised.Class,
	}
	p.toUnit(column, y, target, c, t)
	if p.HasStd() {
		column.Transformed = &measure.Transformed{
			Standardised: standardised,
			Invert:       func(z float64) float64 { return t.Invert(float64(z*c.Std) + c.Mean) },
			LogSlopes:    logSlopes(column, c, t),
		}
	}
	if err := column.Check(); err != nil {
		return nil, err
	}
	return judge(column, measures)
}

// logSlopes returns the logarithm of the derivative of the standardised target by the
// target in each row, or nil if a row that counts has no density.
func logSlopes(column *measure.Column, c data.Scaler, t Transform) []float64 {
	slopes := make([]float64, len(column.Y))
	for row, y := range column.Y {
		if column.Weights != nil && column.Weights[row] == 0 {
			continue
		}
		slopes[row] = t.LogSlope(y) - portable.Log(c.Std)
		if !statistics.Finite(slopes[row]) {
			return nil
		}
	}
	return slopes
}

// toUnit fills a column with predictions of one target in its own unit.
func (p *Predictions) toUnit(column *measure.Column, y []float64, target int, c data.Scaler, t Transform) {
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

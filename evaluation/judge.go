package evaluation

import (
	"math"

	"sml/data"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models/distribution"
)

// column returns the standardised predictions of a target, judged against y, which is
// standardised as well.
func (p *Predictions) column(target int, standardised []float64, t Truth, protocol data.Protocol) *measure.Column {
	var distributions []distribution.Distribution
	var y []float64
	for i := target; i < len(p.Values); i += p.Targets {
		distributions = append(distributions, p.Values[i].Distribution)
		y = append(y, standardised[i])
	}
	c := newColumn(distributions, y)
	c.Protocol, c.Weights, c.Levels = protocol, t.Weights, p.Family.Levels
	return c
}

// newColumn returns predictions of one target and the true targets y. If all distributions
// are normal, means and standard deviations stand for them.
func newColumn(distributions []distribution.Distribution, y []float64) *measure.Column {
	c := &measure.Column{Y: y}
	isNormal, isPoint := true, true
	for _, d := range distributions {
		isNormal, isPoint = isNormal && distribution.IsNormal(d), isPoint && distribution.IsPoint(d)
		c.Mean, c.Std = append(c.Mean, d.Mean()), append(c.Std, d.Std())
	}
	if len(distributions) > 0 && math.IsNaN(c.Mean[0]) {
		c.Mean = nil
	}
	if len(distributions) > 0 && math.IsNaN(c.Std[0]) {
		c.Std = nil
	}
	if !isNormal && !isPoint {
		c.Distributions = distributions
	}
	return c
}

// judge returns the scores of a column by several measures.
func scoreAll(c *measure.Column, measures []measure.Measure) (measure.Scores, error) {
	var scores measure.Scores
	for _, m := range measures {
		found, err := scoreBy(c, m)
		if err != nil {
			return nil, err
		}
		scores = append(scores, found...)
	}
	return scores, nil
}

// judgeBy returns the scores of a column by one measure. A panic in the measure is an error
// that names it and the line.
func scoreBy(c *measure.Column, m measure.Measure) (scores measure.Scores, err error) {
	defer graph.Recover(&err, "the measure "+m.Name)
	return c.Score([]measure.Measure{m}), nil
}

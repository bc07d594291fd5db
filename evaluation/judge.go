package evaluation

import (
	"math"

	"sml/data"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models/distribution"
)

// column returns the standardised predictions of a target, judged against y, which is
// standardised as well. A class is judged by its number.
func (p *Predictions) column(target int, standardised []float64, t Truth, protocol data.Protocol) *measure.Column {
	c := &measure.Column{Protocol: protocol, Weights: t.Weights, Levels: p.Family.Levels}
	for i := target; i < len(p.Values); i += p.Targets {
		d := p.Values[i].Distribution
		y := standardised[i]
		if p.Family.Classes > 0 {
			y = t.Y[i]
		}
		c.Y = append(c.Y, y)
		add(c, d)
	}
	return c
}

// add appends the prediction of a row to a column. Normal distributions are in Mean and Std
// alone.
func add(c *measure.Column, d distribution.Distribution) {
	mean, std := d.Mean(), d.Std()
	if !math.IsNaN(mean) {
		c.Mean = append(c.Mean, mean)
	}
	if !math.IsNaN(std) {
		c.Std = append(c.Std, std)
	}
	if !distribution.IsNormal(d) && !distribution.IsPoint(d) {
		c.Distributions = append(c.Distributions, d)
	}
}

// judge returns the scores of a column by several measures.
func judge(c *measure.Column, measures []measure.Measure) (measure.Scores, error) {
	var scores measure.Scores
	for _, m := range measures {
		found, err := judgeBy(c, m)
		if err != nil {
			return nil, err
		}
		scores = append(scores, found...)
	}
	return scores, nil
}

// judgeBy returns the scores of a column by one measure. A panic in the measure is an error
// that names it and the line.
func judgeBy(c *measure.Column, m measure.Measure) (scores measure.Scores, err error) {
	defer graph.Recover(&err, "the measure "+m.Name)
	return c.Judge([]measure.Measure{m}), nil
}

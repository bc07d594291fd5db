package evaluation

import (
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// Standardised returns the standardised predictions of a target with its true values, in the rows in which it is known
// (Truth.KnownRows). It returns an error if a value is not finite, or as Truth.Standardised does.
func (p *Predictions) Standardised(t Truth, target int, protocol data.Protocol) (*measure.Column, error) {
	y, err := t.Standardised()
	if err != nil {
		return nil, err
	}
	c := p.standardisedColumn(target, y, t, protocol)
	return c, c.Check()
}

// standardisedColumn returns the result of Standardised, unchecked. standardised holds the standardised values of all
// targets, [rows, targets].
func (p *Predictions) standardisedColumn(target int, standardised []float64, t Truth, protocol data.Protocol) *measure.Column {
	asPredicted := func(v models.Prediction) distribution.Distribution { return v.Distribution }
	c := p.column(target, standardised, t, protocol, asPredicted)
	c.Correlations = p.correlationsOf(target, t.KnownRows(target))
	return c
}

// InUnit returns the predictions of one target with its true values, both in the target's own
// unit, in the rows in which the target is known (Truth.KnownRows). It returns an error if a value is not finite.
func (p *Predictions) InUnit(t Truth, target int, protocol data.Protocol) (*measure.Column, error) {
	unit := t.Unit(target)
	inUnit := func(v models.Prediction) distribution.Distribution { return unit.Convert(v).Distribution }
	c := p.column(target, t.Y, t, protocol, inUnit)
	return c, c.Check()
}

// column returns the converted predictions of a target with its true values, in the rows in which it is known. y holds
// the values of all targets, [rows, targets].
func (p *Predictions) column(target int, y []float64, t Truth, protocol data.Protocol, convert func(models.Prediction) distribution.Distribution) *measure.Column {
	var distributions []distribution.Distribution
	var knownY []float64
	known := t.KnownRows(target)
	for _, row := range known {
		i := row*p.Targets + target
		distributions = append(distributions, convert(p.Values[i]))
		knownY = append(knownY, y[i])
	}
	c := newColumn(distributions, knownY)
	c.Protocol = protocol
	c.Weights = SelectRows(t.Weights, known)
	c.Extras = t.extrasOf(known)
	c.Levels = p.Family.Levels
	return c
}

// correlationsOf returns the correlations of a target with all targets in the given rows; nil if the targets are
// independent.
func (p *Predictions) correlationsOf(target int, rows []int) [][]float64 {
	var correlations [][]float64
	for _, row := range rows {
		if own := p.Values[row*p.Targets+target].Correlations; own != nil {
			correlations = append(correlations, own)
		}
	}
	return correlations
}

// newColumn returns predictions of one target with its true values y. Means and standard deviations that
// the distributions do not have are nil. If all distributions are normal, the column has only their means
// and standard deviations, and if all are points, only the means, because measures are faster then.
func newColumn(distributions []distribution.Distribution, y []float64) *measure.Column {
	c := &measure.Column{Y: y}
	allNormal := true
	allPoints := true
	for _, d := range distributions {
		allNormal = allNormal && distribution.IsNormal(d)
		allPoints = allPoints && distribution.IsPoint(d)
		c.Mean = append(c.Mean, d.Mean())
		c.Std = append(c.Std, d.Std())
	}
	if len(distributions) > 0 && math.IsNaN(c.Mean[0]) { // then all are NaN
		c.Mean = nil
	}
	if len(distributions) > 0 && math.IsNaN(c.Std[0]) { // then all are NaN
		c.Std = nil
	}
	if !allNormal && !allPoints {
		c.Distributions = distributions
	}
	return c
}

// scoreAll returns the scores of a column by all measures that apply to it. It does not compute the scores in known.
func scoreAll(c *measure.Column, measures []measure.Measure, known measure.Scores) (measure.Scores, error) {
	var scores measure.Scores
	for _, m := range measures {
		if known.Has(m.Name) {
			scores = append(scores, measure.Value{Measure: m.Name, Score: known.Get(m.Name)})
			continue
		}
		score, err := scoreBy(c, m)
		if err != nil {
			return nil, err
		}
		scores = append(scores, score...)
	}
	return scores, nil
}

// scoreJoint returns the scores of several targets together, in the rows with all targets. It returns none if there is one
// target, or no such row. A panic of a measure becomes an error.
func (p *Predictions) scoreJoint(t Truth, standardised []float64, protocol data.Protocol, measures []measure.Measure) (scores measure.Scores, err error) {
	isJoint := func(m measure.Measure) bool { return m.ComputeJoint != nil }
	t.Y = completeRows(t.Y, p.Targets)
	if p.Targets == 1 || !slices.ContainsFunc(measures, isJoint) || len(t.KnownRows(0)) == 0 {
		return nil, nil
	}
	defer graph.Recover(&err, "a measure of all targets")
	var columns []*measure.Column
	for target := range p.Targets {
		column := p.standardisedColumn(target, standardised, t, protocol)
		if err := column.Check(); err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return measure.ScoreJoint(columns, measures), nil
}

// completeRows returns a copy of y, [rows, targets], with NaN for all targets of a row that lacks one.
func completeRows(y []float64, targets int) []float64 {
	complete := slices.Clone(y)
	for row := range slices.Chunk(complete, targets) {
		if slices.ContainsFunc(row, math.IsNaN) {
			for target := range row {
				row[target] = math.NaN()
			}
		}
	}
	return complete
}

// scoreBy returns the score of a column by one measure, or no score if the measure does not apply
// to it. A panic of the measure becomes an error that names the measure and the line.
func scoreBy(c *measure.Column, m measure.Measure) (scores measure.Scores, err error) {
	defer graph.Recover(&err, "the measure "+m.Name)
	return c.Score([]measure.Measure{m}), nil
}

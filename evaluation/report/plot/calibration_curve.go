package plot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
)

var calibrationCurve = Plot{
	Name: "calibration", Title: "Calibration curve",
	Summary: "How often the target is below the predicted quantile, over the quantile's level; and how much more often than it should. " +
		"At each level honest predictions stay within the grey band with a probability of 95 %. An S that is steep in its middle is of a σ that is too large, one that is flat there of one too small.",
	Source: "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; the band after Bröcker and Smith (2007), of binomial quantiles",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		if _, ok := curveOf(r.Raw); !ok {
			return Drawn{Note: noLevels}, nil
		}
		p, d := drawing.NewPlot("level of the quantile", "share of targets below"), drawing.NewPlot("level of the quantile", "share − level")
		zeroTo(p, 1, 1)
		d.X.Min, d.X.Max, d.X.Padding = 0, 1, 2
		var levels, low, high, lowBy, highBy []float64
		shown, _ := curveOf(r.predictions())
		widest := 0.02
		for i := range 101 {
			level := float64(i) / 100
			l, h := 0.0, 0.0
			if i == 100 {
				l, h = 1, 1
			} else if i > 0 {
				l, h = consistency(shown.rows, level)
			}
			levels, low, high = append(levels, level), append(low, l), append(high, h)
			lowBy, highBy = append(lowBy, l-level), append(highBy, h-level)
			widest = max(widest, level-l, h-level)
		}
		p.Add(area{levels, low, high, bandColour}, straight(0, 0, 1, 1, honest))
		d.Add(area{levels, lowBy, highBy, bandColour}, straight(0, 0, 1, 0, honest))
		for i, c := range r.versions() {
			curve, _ := curveOf(c)
			above := make([]float64, len(curve.levels))
			for k := range above {
				above[k] = curve.below[k] - curve.levels[k]
				widest = max(widest, math.Abs(above[k]))
			}
			p.Add(lineOf(curve.levels, curve.below, r.style(i)))
			d.Add(lineOf(curve.levels, above, r.style(i)))
			if len(curve.levels) < 30 {
				p.Add(marks{pointsOf(curve.levels, curve.below), r.colour(i), 1.8})
				d.Add(marks{pointsOf(curve.levels, above), r.colour(i), 1.8})
			}
		}
		d.Y.Min, d.Y.Max = -1.08*widest, 1.08*widest
		return Drawn{
			Panels: []drawing.Panel{{Plot: p}, {Plot: d}}, Across: 2,
			Legend: append(r.versionEntries("observed"), drawing.ColourEntry("95 % of honest predictions", bandColour)),
			Note:   r.each(saysCalibration),
		}, nil
	},
}

const noLevels = "the predictions have no distribution"

// saysCalibration says how far the curve is from the diagonal, and what intervals cover.
func saysCalibration(c *measure.Column) string {
	curve, _ := curveOf(c)
	away := 0.0
	for i, level := range curve.levels {
		away += math.Abs(curve.below[i]-level) / float64(len(curve.levels))
	}
	says := fmt.Sprintf("the share is %.3f off the level in the mean", away)
	if limits, ok := c.Interval(coverage); ok {
		says += fmt.Sprintf(", and %v intervals cover %v", percent(coverage), percent(covered(c, limits)))
	}
	return says
}

// each says the same of raw and calibrated predictions.
func (r *Rows) each(says func(*measure.Column) string) string {
	if r.Calibrated == nil {
		return "Here: " + says(r.Raw) + "."
	}
	return "Raw: " + says(r.Raw) + ". Calibrated: " + says(r.Calibrated) + "."
}

// curve is the share of targets below quantiles at levels.
type curve struct {
	levels, below []float64
	rows          int // that the shares are of, see effective
}

// curveOf returns the calibration curve of a column at the levels 0.01, 0.02 … 0.99; false
// without predicted distributions.
func curveOf(c *measure.Column) (curve, bool) {
	var out curve
	if !hasDistribution(c) {
		return out, false
	}
	var sum, squares float64
	for row := range c.Y {
		w := weight(c, row)
		sum, squares = sum+w, squares+w*w
	}
	out.rows = effective(sum, squares)
	s := standingOf(c)
	for i := 1; i < 100; i++ {
		level := float64(i) / 100
		out.levels, out.below = append(out.levels, level), append(out.below, s.below(level))
	}
	return out, true
}

// standing is the levels at which targets stand in what is predicted of them, ascending,
// and the weight up to each, of all.
type standing struct{ levels, upTo []float64 }

func standingOf(c *measure.Column) standing {
	type target struct{ level, weight float64 }
	all := make([]target, len(c.Y))
	for row := range all {
		all[row] = target{level(c, row), weight(c, row)}
	}
	slices.SortFunc(all, func(a, b target) int {
		switch {
		case a.level < b.level:
			return -1
		case a.level > b.level:
			return 1
		}
		return 0
	})
	s := standing{make([]float64, len(all)), make([]float64, len(all))}
	sum := 0.0
	for i, t := range all {
		sum += t.weight
		s.levels[i], s.upTo[i] = t.level, sum
	}
	for i := range s.upTo {
		s.upTo[i] /= sum
	}
	return s
}

// below is the share of the targets that stand at a level or below.
func (s standing) below(level float64) float64 {
	n := sort.Search(len(s.levels), func(i int) bool { return s.levels[i] > level })
	if n == 0 {
		return 0
	}
	return s.upTo[n-1]
}

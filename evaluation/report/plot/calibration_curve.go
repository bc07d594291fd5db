package plot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot/plotter"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/models/distribution"
)

var calibrationCurve = Plot{
	Name:  "calibration",
	Title: "Calibration curve",
	Summary: "Left: for each quantile level, the fraction of targets below the predicted quantile. Right: this fraction minus the level. " +
		"At each level, the curve of perfectly calibrated predictions stays within the grey band with a probability of 95 %. An S-shaped curve that is steep in the middle means that σ is too large; one that is flat in the middle means that σ is too small.",
	Source: "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; the band consists of binomial quantiles, after Bröcker and Smith (2007)",
	Draw:   drawCalibrationCurve,
}

// drawCalibrationCurve draws the curve of each version of the predictions in two panels: itself, and its
// differences from the levels.
func drawCalibrationCurve(_ context.Context, r *Rows) (Drawing, error) {
	if !hasDistribution(r.Raw) {
		return Drawing{Note: noDistribution}, nil
	}
	const (
		border    = 1.08 // factor
		minWidest = 0.02 // below it, differences are too small to matter
	)
	fractions := drawing.NewPlot("quantile level", "fraction of targets below")
	setLimitsFromZero(fractions, 1, 1)
	differences := drawing.NewPlot("quantile level", "fraction − level")
	setLimits(&differences.X, 0, 1)
	differences.X.Padding = axisPadding

	band := calibrationBand(newLevelCurve(r.predictions()).rows)
	fractions.Add(band, newSegment(0, 0, 1, 1, idealLine))
	differenceBand := minusLevels(band)
	differences.Add(differenceBand, newSegment(0, 0, 1, 0, idealLine))
	widest := minWidest // largest difference in the right panel
	for _, s := range differenceBand.spans {
		widest = max(widest, -s.low, s.high)
	}
	for version, c := range r.versions() {
		curve := newLevelCurve(c)
		style := r.versionLine(version)
		fractions.Add(newLine(curve.below, style))
		above := curve.differences()
		differences.Add(newLine(above, style))
		for _, point := range above {
			widest = max(widest, math.Abs(point.Y))
		}
	}
	setLimits(&differences.Y, -border*widest, border*widest)
	return Drawing{
		Panels:  []drawing.Panel{{Plot: fractions}, {Plot: differences}},
		Columns: 2,
		Legend:  append(r.versionEntries("observed"), drawing.ColourEntry("95 % band if perfectly calibrated", bandColour)),
		Note:    r.describeVersions(describeCalibration),
	}, nil
}

// calibrationBand returns the band in which the calibration curve of perfectly calibrated predictions stays
// with a probability of 95 % at each level. rows is the effective number of rows.
func calibrationBand(rows int) area {
	const steps = 100 // a span for each hundredth
	band := area{colour: bandColour}
	for i := range steps + 1 {
		level := float64(i) / steps
		low, high := level, level
		if i > 0 && i < steps { // at the levels 0 and 1 the band has no width
			low, high = consistencyBand(rows, level)
		}
		band.spans = append(band.spans, span{x: level, low: low, high: high})
	}
	return band
}

// minusLevels returns the band for the plot of differences: its ends minus the level, which is x.
func minusLevels(band area) area {
	differences := area{colour: band.colour}
	for _, s := range band.spans {
		differences.spans = append(differences.spans, span{x: s.x, low: s.low - s.x, high: s.high - s.x})
	}
	return differences
}

// describeCalibration returns half a sentence with the mean distance of the calibration curve from the
// levels, and the coverage of intervals.
func describeCalibration(c *measure.Column) string {
	differences := newLevelCurve(c).differences()
	meanDistance := 0.0
	for _, point := range differences {
		meanDistance += math.Abs(point.Y) / float64(len(differences))
	}
	text := fmt.Sprintf("the fraction differs from the level by %.3f on average", meanDistance)
	interval, ok := c.Interval(coverage)
	if ok {
		text += fmt.Sprintf(", and %v intervals cover %v", percent(coverage), percent(observedCoverage(c, interval)))
	}
	return text
}

// levelCurve is a calibration curve: the fraction of the targets below the predicted quantiles at
// some levels.
type levelCurve struct {
	below plotter.XYs // X is a level, Y the fraction of the targets below the quantile at this level
	rows  int         // effective number of rows, as from effectiveRows
}

// newLevelCurve returns the calibration curve at the levels 0.01, 0.02 … 0.99. The column must
// have distributions or standard deviations.
func newLevelCurve(c *measure.Column) levelCurve {
	const steps = 100
	var weightSum, squareSum float64
	for row := range c.Y {
		weight := rowWeight(c, row)
		weightSum += weight
		squareSum += weight * weight
	}
	curve := levelCurve{rows: effectiveRows(weightSum, squareSum)}
	targets := newTargetLevels(c)
	for i := 1; i < steps; i++ {
		level := float64(i) / steps
		curve.below = append(curve.below, plotter.XY{X: level, Y: targets.fractionBelow(level)})
	}
	return curve
}

// differences returns a point for each level: X is the level, Y the fraction below minus the level.
func (c levelCurve) differences() plotter.XYs {
	var differences plotter.XYs
	for _, point := range c.below {
		differences = append(differences, plotter.XY{X: point.X, Y: point.Y - point.X})
	}
	return differences
}

// targetLevels has the levels of all targets, ascending. The level of a target is the predicted probability
// of a smaller target (the probability integral transform).
type targetLevels []targetLevel

// targetLevel is the level of one target.
type targetLevel struct {
	level      float64
	cumulative float64 // fraction of the weight of all targets that belongs to this target and those before
}

// newTargetLevels returns the levels of the column's targets.
func newTargetLevels(c *measure.Column) targetLevels {
	type weightedLevel struct{ level, weight float64 }
	weighted := make([]weightedLevel, len(c.Y))
	for row := range weighted {
		weighted[row] = weightedLevel{level: levelOfTarget(c, row), weight: rowWeight(c, row)}
	}
	slices.SortFunc(weighted, func(a, b weightedLevel) int { return compare(a.level, b.level) })
	targets := make(targetLevels, len(weighted))
	total := 0.0
	for i, target := range weighted {
		total += target.weight
		targets[i] = targetLevel{level: target.level, cumulative: total}
	}
	for i := range targets { // from sums of weights to fractions of all weights
		targets[i].cumulative /= total
	}
	return targets
}

// levelOfTarget returns the level of a row's target. Predictions without a distribution count as normal.
func levelOfTarget(c *measure.Column, row int) float64 {
	if c.Distributions != nil {
		return c.Distributions[row].CDF(c.Y[row])
	}
	return distribution.NewNormal(c.Mean[row], c.Std[row]).CDF(c.Y[row])
}

// fractionBelow returns the weighted fraction of the targets at the level or below it.
func (t targetLevels) fractionBelow(level float64) float64 {
	count := sort.Search(len(t), func(i int) bool { return t[i].level > level })
	if count == 0 {
		return 0
	}
	return t[count-1].cumulative
}

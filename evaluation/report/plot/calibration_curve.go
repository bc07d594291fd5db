package plot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"

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
	fractions := drawing.NewPlot("quantile level", "fraction of targets below")
	setLimitsFromZero(fractions, 1, 1)
	differences := drawing.NewPlot("quantile level", "fraction − level")
	differences.X.Min = 0
	differences.X.Max = 1
	differences.X.Padding = 2
	widest := addCalibrationBand(fractions, differences, newLevelCurve(r.predictions()).rows)
	for version, c := range r.versions() {
		curve := newLevelCurve(c)
		above := curve.differences()
		for _, difference := range above {
			widest = max(widest, math.Abs(difference))
		}
		style := r.versionLine(version)
		fractions.Add(newCurve(curve.levels, curve.below, style))
		differences.Add(newCurve(curve.levels, above, style))
	}
	const border = 1.08 // factor
	differences.Y.Min = -border * widest
	differences.Y.Max = border * widest
	return Drawing{
		Panels:  []drawing.Panel{{Plot: fractions}, {Plot: differences}},
		Columns: 2,
		Legend:  append(r.versionEntries("observed"), drawing.ColourEntry("95 % band if perfectly calibrated", bandColour)),
		Note:    r.describeVersions(describeCalibration),
	}, nil
}

// addCalibrationBand adds two plotters: to the plot of the fractions, the band in which the curve of
// perfectly calibrated predictions of that many rows stays with a probability of 95 % at each level, and
// to the plot of the differences, the same band minus the levels. It returns the largest distance of the
// band from the levels, but at least minWidest.
func addCalibrationBand(fractions, differences *plot.Plot, rows int) (widest float64) {
	const (
		steps     = 100
		minWidest = 0.02 // below it, differences are too small to matter
	)
	fractionBand := area{colour: bandColour}
	differenceBand := area{colour: bandColour}
	widest = minWidest
	for i := range steps + 1 {
		level := float64(i) / steps
		low, high := level, level
		if i > 0 && i < steps { // at the levels 0 and 1 the band has no width
			low, high = consistencyBand(rows, level)
		}
		fractionBand.x = append(fractionBand.x, level)
		fractionBand.low = append(fractionBand.low, low)
		fractionBand.high = append(fractionBand.high, high)
		differenceBand.low = append(differenceBand.low, low-level)
		differenceBand.high = append(differenceBand.high, high-level)
		widest = max(widest, level-low, high-level)
	}
	differenceBand.x = fractionBand.x
	fractions.Add(fractionBand, newSegment(0, 0, 1, 1, idealLine))
	differences.Add(differenceBand, newSegment(0, 0, 1, 0, idealLine))
	return widest
}

// describeCalibration returns half a sentence with the mean distance of the calibration curve from the
// levels, and the coverage of intervals.
func describeCalibration(c *measure.Column) string {
	curve := newLevelCurve(c)
	meanDistance := 0.0
	for _, difference := range curve.differences() {
		meanDistance += math.Abs(difference) / float64(len(curve.levels))
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
	levels []float64
	below  []float64 // fraction of the targets below the quantile at each level
	rows   int       // effective number of rows, as from effectiveRows
}

// newLevelCurve returns the calibration curve at the levels 0.01, 0.02 … 0.99. The column must
// have distributions or standard deviations.
func newLevelCurve(c *measure.Column) levelCurve {
	var weightSum, squareSum float64
	for row := range c.Y {
		weight := rowWeight(c, row)
		weightSum += weight
		squareSum += weight * weight
	}
	curve := levelCurve{rows: effectiveRows(weightSum, squareSum)}
	targets := newTargetLevels(c)
	for i := 1; i < 100; i++ {
		level := float64(i) / 100
		curve.levels = append(curve.levels, level)
		curve.below = append(curve.below, targets.fractionBelow(level))
	}
	return curve
}

// differences returns the fraction below minus the level, for each level.
func (c levelCurve) differences() []float64 {
	differences := make([]float64, len(c.levels))
	for i, level := range c.levels {
		differences[i] = c.below[i] - level
	}
	return differences
}

// targetLevels has the level of each target in its predicted distribution, that is, the predicted
// probability of a smaller target (the probability integral transform).
type targetLevels struct {
	levels     []float64 // ascending
	cumulative []float64 // fraction of the total weight up to each level
}

// newTargetLevels returns the sorted levels of the column's targets.
func newTargetLevels(c *measure.Column) targetLevels {
	type weightedLevel struct{ level, weight float64 }
	sorted := make([]weightedLevel, len(c.Y))
	for row := range sorted {
		sorted[row] = weightedLevel{targetLevel(c, row), rowWeight(c, row)}
	}
	slices.SortFunc(sorted, func(a, b weightedLevel) int { return compare(a.level, b.level) })
	t := targetLevels{levels: make([]float64, len(sorted)), cumulative: make([]float64, len(sorted))}
	total := 0.0
	for i, target := range sorted {
		total += target.weight
		t.levels[i] = target.level
		t.cumulative[i] = total
	}
	for i := range t.cumulative {
		t.cumulative[i] /= total
	}
	return t
}

// targetLevel returns the level of a row's target. Predictions without a distribution count as normal.
func targetLevel(c *measure.Column, row int) float64 {
	if c.Distributions != nil {
		return c.Distributions[row].CDF(c.Y[row])
	}
	return distribution.NewNormal(c.Mean[row], c.Std[row]).CDF(c.Y[row])
}

// fractionBelow returns the weighted fraction of the targets at the level or below it.
func (t targetLevels) fractionBelow(level float64) float64 {
	count := sort.Search(len(t.levels), func(i int) bool { return t.levels[i] > level })
	if count == 0 {
		return 0
	}
	return t.cumulative[count-1]
}

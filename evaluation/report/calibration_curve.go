package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var calibrationCurve = Plot{
	Name:  "calibration",
	Title: "Calibration curve",
	Summary: "Left: for each quantile level, the fraction of targets below the predicted quantile. Right: this fraction minus the level. " +
		"At each level, the curve of perfectly calibrated predictions stays within the grey band with a probability of 95 %. An S-shaped curve that is steep in the middle means that σ is too large; one that is flat in the middle means that σ is too small.",
	Source: "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; the band consists of binomial quantiles, after Bröcker and Smith (2007)",
	Draw:   drawCalibrationCurve,
}

// bandName is the text of the legend for bands of perfectly calibrated predictions.
const bandName = "95 % band if perfectly calibrated"

// curveSteps is the number of steps of a calibration curve, from level 0 to level 1.
const curveSteps = 100

// drawCalibrationCurve draws the curve of each version of the predictions in two panels: itself, and its differences
// from the levels.
func drawCalibrationCurve(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	if !hasDistribution(r.Raw) {
		return f, noDistribution, nil
	}
	band := calibrationBand(effectiveRows(r.predictions().Weights, len(r.Raw.Y)))
	curves := chart.Panel{
		X:      chart.Axis{Label: "quantile level", Max: 1},
		Y:      chart.Axis{Label: "fraction of targets below", Max: 1},
		Layers: []chart.Layer{band, chart.Ideal(0, 0, 1, 1)},
	}
	differences := chart.Panel{
		X:      curves.X,
		Y:      chart.Axis{Label: "fraction − level"},
		Layers: []chart.Layer{minusLevels(band), chart.Ideal(0, 0, 1, 0)},
	}
	for _, v := range r.versions("observed") {
		curve := levelCurve(v.Column)
		curve.Name = v.name
		curve.Colour = v.colour
		curves.Layers = append(curves.Layers, curve)
		differences.Layers = append(differences.Layers, minusLevels(curve))
	}
	differences.Y.Max = differenceLimit(differences.Layers)
	differences.Y.Min = -differences.Y.Max
	f = chart.Figure{Panels: []chart.Panel{curves, differences}}
	return f, r.describeVersions(describeCalibration), nil
}

// differenceLimit returns a limit of the y axis, in both directions, that is a little beyond all differences.
func differenceLimit(layers []chart.Layer) float64 {
	const (
		border    = 1.08 // factor
		minWidest = 0.02 // smaller differences do not matter, and must not look large
	)
	widest := minWidest
	for _, l := range layers {
		for _, difference := range slices.Concat(l.Y, l.Y2) {
			widest = max(widest, math.Abs(difference))
		}
	}
	return border * widest
}

// calibrationBand returns the band in which the calibration curve of perfectly calibrated predictions stays with a
// probability of 95 % at each level. rows is the effective number of rows.
func calibrationBand(rows int) chart.Layer {
	band := chart.Layer{Name: bandName, Kind: chart.Band, X: fractions(curveSteps), Colour: bandColour}
	for _, level := range band.X {
		low, high := level, level
		if level > 0 && level < 1 { // at the levels 0 and 1 the band has no width
			low, high = consistencyBand(rows, level)
		}
		band.Y = append(band.Y, high)
		band.Y2 = append(band.Y2, low)
	}
	return band
}

// minusLevels returns a line or a band for the panel of differences: its values minus the level, which is x. The legend
// has its name already.
func minusLevels(l chart.Layer) chart.Layer {
	l.Name = ""
	l.Y = differences(l.Y, l.X)
	if l.Y2 != nil {
		l.Y2 = differences(l.Y2, l.X)
	}
	return l
}

// describeCalibration returns half a sentence with the mean distance of the calibration curve from the levels, and the
// coverage of intervals. The mean is over the levels between 0 and 1, at which every curve is right.
func describeCalibration(c *measure.Column) string {
	curve := minusLevels(levelCurve(c))
	meanDistance := 0.0
	for _, difference := range curve.Y {
		meanDistance += math.Abs(difference) / (curveSteps - 1)
	}
	text := fmt.Sprintf("the fraction differs from the level by %.3f on average", meanDistance)
	interval, ok := c.Interval(coverage)
	if ok {
		text += fmt.Sprintf(", and %v intervals cover %v", percent(coverage), percent(c.CoveredFraction(interval)))
	}
	return text
}

// levelCurve returns a calibration curve: at each level, the fraction of the targets below the predicted quantile. The
// column must have distributions or standard deviations. The curve begins at 0 and ends at 1.
func levelCurve(c *measure.Column) chart.Layer {
	curve := chart.Layer{X: fractions(curveSteps)}
	curve.Y = fractionsBelow(c, curve.X)
	curve.Y[0] = 0
	curve.Y[curveSteps] = 1
	return curve
}

// fractionsBelow returns, for each of several ascending levels, the weighted fraction of the targets at the level or below
// it. The level of a target is the predicted probability of a smaller target (the probability integral transform).
func fractionsBelow(c *measure.Column, levels []float64) []float64 {
	targets := make([]float64, len(c.Y)) // level of each row's target
	for row := range targets {
		targets[row] = c.Distribution(row).CDF(c.Y[row])
	}
	below := make([]float64, len(levels))
	total := 0.0 // weight of the rows so far
	i := 0       // index of the level that the next target is compared with
	for _, row := range sortRows(targets) {
		for i < len(levels) && targets[row] > levels[i] {
			below[i] = total
			i++
		}
		total += c.Weight(row)
	}
	for ; i < len(levels); i++ {
		below[i] = total
	}
	for i := range below { // from sums of weights to fractions of all weights
		below[i] /= total
	}
	return below
}

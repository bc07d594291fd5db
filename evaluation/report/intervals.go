package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var intervals = Plot{
	Name:  "intervals",
	Title: "Intervals by width",
	Summary: "The interval of each row around its prediction, with the narrowest at the left, and the target: blue inside the interval, red outside. " +
		"If the targets spread as the band widens, the width shows which rows are hard to predict.",
	Draw: drawIntervals,
}

// drawIntervals draws the intervals, relative to the mean, as a band over the rows sorted by width.
func drawIntervals(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	interval, ok := c.Interval(coverage)
	if !ok {
		return f, noStd, nil
	}
	if !canSquare(c) {
		return f, tooLarge, nil
	}
	sorted := sortIntervals(c, interval)
	n := float64(len(c.Y))
	band := sorted.band()
	inside, outside := sorted.clouds()
	p := chart.Panel{
		X:      chart.Axis{Label: "rows, by the width of their interval", Max: n, Ticks: wholeTicks(0, n)},
		Y:      chart.Axis{Label: "target − prediction"},
		Layers: []chart.Layer{band, chart.Ideal(0, 0, n, 0), inside, outside},
	}
	p.Y.Min, p.Y.Max = intervalLimits(sorted.targets, slices.Concat(band.Y2, band.Y))
	f.Panels = []chart.Panel{p}
	return f, sorted.describe(c.CoveredFraction(interval)), nil
}

// intervalLimits returns limits of the y axis that contain all but the most extreme errors and ends of the band.
func intervalLimits(errors, ends []float64) (low, high float64) {
	const (
		errorFraction  = 0.995 // of the errors, within the y axis
		endsFraction   = 0.98  // of the ends, within the y axis
		borderFraction = 0.04  // of the y axis, above and below
	)
	errorLow, errorHigh := chart.Quantiles(errors, errorFraction)
	endsLow, endsHigh := chart.Quantiles(ends, endsFraction)
	return chart.AddBorder(min(errorLow, endsLow), max(errorHigh, endsHigh), borderFraction)
}

// sortedIntervals has the intervals and the targets of the rows, relative to their means. The narrowest interval is first.
type sortedIntervals struct{ lows, highs, targets []float64 }

// sortIntervals returns the intervals of the column's rows, sorted by width. interval returns the interval of a row.
func sortIntervals(c *measure.Column, interval func(row int) (low, high float64)) sortedIntervals {
	widths := make([]float64, len(c.Y))
	for row := range widths {
		low, high := interval(row)
		widths[row] = high - low
	}
	var s sortedIntervals
	for _, row := range sortRows(widths) {
		low, high := interval(row)
		s.lows = append(s.lows, low-c.Mean[row])
		s.highs = append(s.highs, high-c.Mean[row])
		s.targets = append(s.targets, c.Y[row]-c.Mean[row])
	}
	return s
}

// band returns the area between the ends of the intervals. It is divided into groups of neighbours, each a step at the
// median ends of its intervals, which makes the band smooth.
func (s sortedIntervals) band() chart.Layer {
	const maxGroups = 600 // about a group for each point of the figure's width
	band := chart.Layer{Name: percent(coverage) + " interval", Kind: chart.Band, Colour: areaColour}
	n := len(s.lows)
	groups := min(maxGroups, n)
	for i := range groups {
		start, end := i*n/groups, (i+1)*n/groups
		low := upperMedian(s.lows[start:end])
		high := upperMedian(s.highs[start:end])
		band.X = append(band.X, float64(start), float64(end))
		band.Y = append(band.Y, high, high)
		band.Y2 = append(band.Y2, low, low)
	}
	return band
}

// clouds returns a cloud of the targets inside their intervals and a cloud of the others.
func (s sortedIntervals) clouds() (inside, outside chart.Layer) {
	inside = chart.Layer{Name: "target inside", Kind: chart.Cloud, Colour: cloudColour}
	outside = chart.Layer{Name: "target outside", Kind: chart.Cloud, Colour: alertColour}
	for i, target := range s.targets {
		cloud := &outside
		if s.lows[i] <= target && target <= s.highs[i] {
			cloud = &inside
		}
		cloud.Add(float64(i)+0.5, target) // a row is as wide as a unit of x
	}
	return inside, outside
}

// describe returns a note on the coverage and the widths of the intervals.
func (s sortedIntervals) describe(covered float64) string {
	n := len(s.lows)
	note := fmt.Sprintf("%v intervals cover %v of %d rows; half of them are narrower than %.3g.",
		percent(coverage), percent(covered), n, s.highs[n/2]-s.lows[n/2])
	infinite := 0
	for i, low := range s.lows {
		if math.IsInf(s.highs[i]-low, 0) {
			infinite++
		}
	}
	if infinite > 0 {
		note += fmt.Sprintf(" %d intervals are infinite.", infinite)
	}
	return note
}

// upperMedian returns the median of values, or the larger value of the two in the middle.
func upperMedian(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

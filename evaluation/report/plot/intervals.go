package plot

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

var intervals = Plot{
	Name:  "intervals",
	Title: "Intervals by width",
	Summary: "The interval of each row around its prediction, with the narrowest at the left, and the target: blue inside the interval, red outside. " +
		"If the targets spread as the band widens, the width shows which rows are hard to predict.",
	Draw: drawIntervals,
}

// drawIntervals draws the intervals, relative to the mean, as a band over the rows sorted by width.
func drawIntervals(_ context.Context, r *Rows) (Drawing, error) {
	c := r.predictions()
	interval, ok := c.Interval(coverage)
	if !ok {
		return Drawing{Note: noStd}, nil
	}
	if !canSquare(c) {
		return Drawing{Note: tooLarge}, nil
	}
	sorted := sortIntervals(c, interval)
	p := drawing.NewPlot("rows, by the width of their interval", "target − prediction")
	band := sorted.band()
	sorted.setLimits(p, band)
	n := len(c.Y)
	p.Add(band, newSegment(0, 0, float64(n), 0, idealLine))
	hidden := sorted.addTargets(p, true, cloudColour) + sorted.addTargets(p, false, alertColour)
	beyond := hidden - n // each row is hidden once more, by the cloud of the other colour
	return Drawing{
		Panels: []drawing.Panel{{Plot: p, Note: drawing.CountNote(beyond, "beyond the axis")}},
		Legend: []drawing.Entry{
			drawing.ColourEntry(percent(coverage)+" interval", areaColour),
			discEntry("target inside", cloudColour),
			discEntry("target outside", alertColour),
		},
		Note: sorted.describe(),
	}, nil
}

// sortedIntervals has the rows' intervals, sorted by width.
type sortedIntervals struct {
	column   *measure.Column
	interval func(row int) (low, high float64)
	order    []int     // row numbers, the narrowest interval first
	widths   []float64 // width of the interval of each row, in the order of the table
}

// sortIntervals returns the intervals of the column's rows, sorted by width. interval returns the interval
// of a row.
func sortIntervals(c *measure.Column, interval func(row int) (low, high float64)) sortedIntervals {
	widths := make([]float64, len(c.Y))
	for row := range widths {
		low, high := interval(row)
		widths[row] = high - low
	}
	return sortedIntervals{column: c, interval: interval, order: sortRows(widths), widths: widths}
}

// band returns the area between the ends of the intervals, relative to the mean. It divides the rows
// into at most maxGroups groups of neighbours, and takes the median ends of each, which makes the band
// smooth.
func (s sortedIntervals) band() area {
	const maxGroups = 600
	n := len(s.order)
	groups := min(n, maxGroups)
	band := area{colour: areaColour}
	for i := range groups {
		start := i * n / groups
		end := (i + 1) * n / groups
		var lows, highs []float64
		for _, row := range s.order[start:end] {
			low, high := s.interval(row)
			lows = append(lows, low-s.column.Mean[row])
			highs = append(highs, high-s.column.Mean[row])
		}
		low := upperMedian(lows)
		high := upperMedian(highs)
		band.x = append(band.x, float64(start), float64(end)) // a step as wide as the group
		band.low = append(band.low, low, low)
		band.high = append(band.high, high, high)
	}
	return band
}

// setLimits sets limits of the axes that contain all rows, and all but the most extreme errors and ends of
// the band.
func (s sortedIntervals) setLimits(p *plot.Plot, band area) {
	errors := make([]float64, len(s.order))
	for i, row := range s.order {
		errors[i] = s.column.Y[row] - s.column.Mean[row]
	}
	const ( // fractions that the y axis contains
		errorFraction = 0.995
		bandFraction  = 0.98
	)
	errorLow, errorHigh := axes.Quantiles(errors, errorFraction)
	bandLow, bandHigh := axes.Quantiles(groupEnds(band), bandFraction)
	p.X.Min = 0
	p.X.Max = float64(len(s.order))
	p.X.Tick.Marker = wholeTicks
	p.Y.Min = min(errorLow, bandLow)
	p.Y.Max = max(errorHigh, bandHigh)
	border := 0.04 * (p.Y.Max - p.Y.Min)
	p.Y.Min -= border
	p.Y.Max += border
}

// groupEnds returns the lower and the upper end of each group of a band.
func groupEnds(band area) []float64 {
	var ends []float64
	for i := 0; i < len(band.x); i += 2 { // a group has two points
		ends = append(ends, band.low[i], band.high[i])
	}
	return ends
}

// addTargets adds the targets inside their interval, or the targets outside, to the plot. It
// returns the number of rows that this cloud does not show.
func (s sortedIntervals) addTargets(p *plot.Plot, inside bool, colour color.NRGBA) (hidden int) {
	cloud, hidden := newCloud(p, len(s.order), func(i int) (x, y float64) {
		row := s.order[i]
		low, high := s.interval(row)
		target := s.column.Y[row]
		if (low <= target && target <= high) != inside {
			return 0.5, math.NaN() // newCloud leaves out NaN points
		}
		return float64(i) + 0.5, target - s.column.Mean[row]
	}, colour)
	p.Add(cloud)
	return hidden
}

// describe returns a note on the coverage and the widths of the intervals.
func (s sortedIntervals) describe() string {
	n := len(s.order)
	infinite := 0
	for _, width := range s.widths {
		if math.IsInf(width, 0) {
			infinite++
		}
	}
	covered := observedCoverage(s.column, s.interval)
	note := fmt.Sprintf("%v intervals cover %v of %d rows; half of them are narrower than %.3g.",
		percent(coverage), percent(covered), n, s.widths[s.order[n/2]])
	if infinite > 0 {
		note += fmt.Sprintf(" %d intervals are infinite.", infinite)
	}
	return note
}

// upperMedian returns the median of values, or the larger value of the two in the middle. It
// reorders values.
func upperMedian(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
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
	groups := sorted.groups()
	n := len(c.Y)
	p := drawing.NewPlot("rows, by the width of their interval", "target − prediction")
	sorted.setLimits(p, groups)
	p.Add(bandOfGroups(groups), newSegment(0, 0, float64(n), 0, idealLine))
	inside, notInside := sorted.targetCloud(p, true)
	outside, notOutside := sorted.targetCloud(p, false)
	p.Add(inside, outside)
	beyond := notInside + notOutside - n // each row is in one of the clouds at most, and missing in the other
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
	widths   []float64 // width of each row's interval, by row number
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

// intervalGroup is a group of rows whose intervals have similar widths.
type intervalGroup struct {
	start, end int     // positions of the rows in the order of the widths; the row at end is not in the group
	low, high  float64 // median ends of the intervals, relative to the means
}

// groups divides the sorted rows into groups of neighbours. Their median ends make a smooth band.
func (s sortedIntervals) groups() []intervalGroup {
	const maxGroups = 600 // about a group for each point of the figure's width
	var groups []intervalGroup
	start := 0
	for _, rows := range groupRows(s.order, maxGroups, 1) {
		var lows, highs []float64
		for _, row := range rows {
			low, high := s.interval(row)
			lows = append(lows, low-s.column.Mean[row])
			highs = append(highs, high-s.column.Mean[row])
		}
		end := start + len(rows)
		groups = append(groups, intervalGroup{
			start: start,
			end:   end,
			low:   upperMedian(lows),
			high:  upperMedian(highs),
		})
		start = end
	}
	return groups
}

// bandOfGroups returns the area between the ends of the groups, with a step as wide as the group for each.
func bandOfGroups(groups []intervalGroup) area {
	band := area{colour: areaColour}
	for _, g := range groups {
		band.spans = append(band.spans,
			span{x: float64(g.start), low: g.low, high: g.high},
			span{x: float64(g.end), low: g.low, high: g.high},
		)
	}
	return band
}

// setLimits sets limits of the axes that contain all rows, and all but the most extreme errors and ends of
// groups.
func (s sortedIntervals) setLimits(p *plot.Plot, groups []intervalGroup) {
	const (
		errorFraction  = 0.995 // of the errors, within the y axis
		endsFraction   = 0.98  // of the groups' ends, within the y axis
		borderFraction = 0.04  // of the y axis, above and below
	)
	errors := make([]float64, len(s.order))
	for i, row := range s.order {
		errors[i] = s.column.Y[row] - s.column.Mean[row]
	}
	var ends []float64
	for _, g := range groups {
		ends = append(ends, g.low, g.high)
	}
	errorLow, errorHigh := axes.Quantiles(errors, errorFraction)
	endsLow, endsHigh := axes.Quantiles(ends, endsFraction)
	low := min(errorLow, endsLow)
	high := max(errorHigh, endsHigh)
	border := borderFraction * (high - low)
	setLimits(&p.Y, low-border, high+border)
	setLimits(&p.X, 0, float64(len(s.order)))
	p.X.Tick.Marker = wholeTicks
}

// targetCloud returns a cloud of the targets inside their intervals, or of the targets outside, relative to
// the means. missing is the number of rows that the cloud does not show: the rows of the other cloud, and
// rows beyond the axes of p.
func (s sortedIntervals) targetCloud(p *plot.Plot, inside bool) (cloud shape.Cloud, missing int) {
	colour := alertColour
	if inside {
		colour = cloudColour
	}
	return newCloud(p, len(s.order), func(i int) (x, y float64) {
		row := s.order[i]
		low, high := s.interval(row)
		target := s.column.Y[row]
		isInside := low <= target && target <= high
		middle := float64(i) + 0.5 // a row is as wide as a unit of x
		if isInside != inside {
			return middle, math.NaN() // newCloud leaves out NaN points
		}
		return middle, target - s.column.Mean[row]
	}, colour)
}

// describe returns a note on the coverage and the widths of the intervals.
func (s sortedIntervals) describe() string {
	n := len(s.order)
	median := s.widths[s.order[n/2]]
	infinite := 0
	for _, width := range s.widths {
		if math.IsInf(width, 0) {
			infinite++
		}
	}
	covered := observedCoverage(s.column, s.interval)
	note := fmt.Sprintf("%v intervals cover %v of %d rows; half of them are narrower than %.3g.",
		percent(coverage), percent(covered), n, median)
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

package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

var intervals = Plot{
	Name: "intervals", Title: "Intervals by width",
	Summary: "The interval of each row around its prediction, the narrowest at the left, and where the target is: in blue within, in red outside. " +
		"Where the band widens and the targets spread with it, the width knows which rows are hard.",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		limits, ok := c.Interval(coverage)
		if !ok {
			return Drawn{Note: noInterval}, nil
		}
		if !squarable(c) {
			return Drawn{Note: tooLarge}, nil
		}
		n := len(c.Y)
		order, widths := make([]int, n), make([]float64, n)
		endless := 0
		for row := range order {
			low, high := limits(row)
			order[row], widths[row] = row, high-low
			if math.IsInf(widths[row], 0) {
				endless++
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return compare(widths[a], widths[b]) })

		// The band of columns, each of as many rows that follow one another.
		columns := min(n, 600)
		var x, below, above, ends []float64
		for i := range columns {
			rows := order[i*n/columns : (i+1)*n/columns]
			var lows, highs []float64
			for _, row := range rows {
				low, high := limits(row)
				lows, highs = append(lows, low-c.Mean[row]), append(highs, high-c.Mean[row])
			}
			l, h := upperMedian(lows), upperMedian(highs)
			x = append(x, float64(i*n/columns), float64((i+1)*n/columns))
			below, above, ends = append(below, l, l), append(above, h, h), append(ends, l, h)
		}
		off := make([]float64, n)
		for i, row := range order {
			off[i] = c.Y[row] - c.Mean[row]
		}
		low, high := axes.Quantiles(off, 0.995)
		bandLow, bandHigh := axes.Quantiles(ends, 0.98)
		p := drawing.NewPlot("rows, by the width of their interval", "target − prediction")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(n), min(low, bandLow), max(high, bandHigh)
		p.X.Tick.Marker = wholeTicks
		border := 0.04 * (p.Y.Max - p.Y.Min)
		p.Y.Min, p.Y.Max = p.Y.Min-border, p.Y.Max+border
		p.Add(area{x, below, above, areaColour}, straight(0, 0, float64(n), 0, honest))
		outside := 0
		for _, inside := range []bool{true, false} {
			colour := cloudColour
			if !inside {
				colour = alertColour
			}
			cloud, beyond := cloudOf(p, n, func(i int) (float64, float64) {
				row := order[i]
				if low, high := limits(row); (low <= c.Y[row] && c.Y[row] <= high) != inside {
					return 0.5, math.NaN()
				}
				return float64(i) + 0.5, off[i]
			}, colour)
			outside += beyond
			p.Add(cloud)
		}
		outside -= n // the rows of the other cloud
		note := fmt.Sprintf("%v intervals cover %v of %d rows; half of them are narrower than %.3g.", percent(coverage), percent(covered(c, limits)), n, widths[order[n/2]])
		if endless > 0 {
			note += fmt.Sprintf(" %d have no end.", endless)
		}
		return Drawn{
			Panels: []drawing.Panel{{Plot: p, Note: drawing.Note(outside, "beyond the axis")}},
			Legend: []drawing.Entry{drawing.ColourEntry(percent(coverage)+" interval", areaColour), dotsEntry("target within", cloudColour), dotsEntry("outside", alertColour)},
			Note:   note,
		}, nil
	},
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// upperMedian returns the median of values, or the larger one of the two in the middle. It
// reorders values.
func upperMedian(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

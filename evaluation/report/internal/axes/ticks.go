// Package axes sets the limits, scales and ticks of axes, for values of any size.
package axes

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"sml/internal/statistics"
)

// RoundTicks is a plot.Ticker of at least this many ticks over any finite range. The ticks are
// labelled multiples of 1, 2 or 5 times a power of ten. A range too narrow for several float64
// ticks has one. (plot.DefaultTicks labels two or three ticks, sometimes with odd numbers,
// and does not return if a range is close to the largest float64.)
type RoundTicks int

// Ticks implements plot.Ticker.
func (n RoundTicks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || !statistics.Finite(low) || !statistics.Finite(high) {
		return nil
	}
	if !isWideEnough(low, high) {
		return []plot.Tick{{Value: low, Label: tickLabel(low, math.Abs(low))}}
	}
	const (
		tolerance = 1e-9 // of a step
		largest   = 308  // the last power of ten that is a float64
	)
	// The logarithm is taken of half the range: the whole range may overflow a float64.
	exponent := min(largest, math.Ceil(math.Log10(high/2-low/2)+math.Log10(2)))
	step := math.Pow(10, exponent)
	first, last := 0.0, 0.0 // in steps
	for i := 0; ; i++ {
		first, last = math.Ceil(low/step-tolerance), math.Floor(high/step+tolerance)
		if last-first+1 >= float64(n) {
			break
		}
		step = []float64{5, 2, 1}[i%3] * math.Pow(10, exponent-1-float64(i/3))
	}
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: tickLabel(k*step, step)})
	}
	return ticks
}

// isWideEnough reports whether a range is wide enough for several ticks: much wider than the
// distance of neighbouring float64 values.
func isWideEnough(low, high float64) bool {
	half := high/2 - low/2
	return half > 1e-12*max(math.Abs(low), math.Abs(high)) && half > 1e-290
}

// tickLabel returns the label of a multiple of a step, with enough digits to distinguish it from
// its neighbours.
func tickLabel(value, step float64) string {
	if value == 0 {
		return "0"
	}
	exponent := math.Floor(math.Log10(step * 1.0001))
	format, digits := byte('f'), max(0, -int(exponent))
	if size := math.Abs(value); size >= 1e5 || digits > 4 {
		format, digits = 'g', min(15, max(3, 1+int(math.Floor(math.Log10(size))-exponent)))
	}
	return withMinusSign(strconv.FormatFloat(value, format, digits, 64))
}

// withMinusSign returns the number with a minus sign in place of a hyphen.
func withMinusSign(number string) string { return strings.ReplaceAll(number, "-", "−") }

// LeastLogarithm is the smallest value of a logarithmic axis. math.Log is inexact below 2e-308,
// since such a float64 has fewer digits.
const LeastLogarithm = 1e-300

// DecadeTicks returns the ticks of a logarithmic axis, none if low is below LeastLogarithm. It
// labels powers of ten, at most seven. If fewer than two are in the range, it labels 1, 2 and 5
// times a power; if these are too few as well, all whole multiples of a power; and if these are
// too few, it returns the ticks of RoundTicks. (plot.LogTicks labels every power.)
func DecadeTicks(low, high float64) []plot.Tick {
	if !(low >= LeastLogarithm && low < high) || !statistics.Finite(high) {
		return nil
	}
	first, last := int(math.Floor(math.Log10(low))), int(math.Floor(math.Log10(high)))
	every := (last-first)/6 + 1
	within := func(value float64) bool { return value >= low && value <= high }
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for _, times := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
			value := times * math.Pow10(e)
			if !within(value) || every > 1 && times > 1 || every > 9 && e%every != 0 {
				continue
			}
			ticks = append(ticks, plot.Tick{Value: value})
		}
	}
	for _, label := range [][]float64{{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		labelled := 0
		for e := first; e <= last; e++ {
			for _, times := range label {
				i := slices.IndexFunc(ticks, func(tick plot.Tick) bool { return tick.Value == times*math.Pow10(e) })
				if i >= 0 && e%every == 0 {
					ticks[i].Label = withMinusSign(strconv.FormatFloat(ticks[i].Value, 'g', 6, 64))
					labelled++
				}
			}
		}
		if labelled > 1 {
			return ticks
		}
	}
	return RoundTicks(3).Ticks(low, high)
}

// Within returns a ticker with the ticks between low and high for any limits of the axis.
func Within(low, high float64, ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(_, _ float64) []plot.Tick { return ticks.Ticks(low, high) })
}

// WholeTicks returns a ticker without the ticks at other than whole numbers, for numbers of epochs
// and the like.
func WholeTicks(ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		return slices.DeleteFunc(ticks.Ticks(low, high), func(tick plot.Tick) bool { return tick.Value != math.Round(tick.Value) })
	})
}

// WithLabels returns a ticker with the same ticks and the labels that label returns.
func WithLabels(ticks plot.Ticker, label func(value float64) string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		list := ticks.Ticks(low, high)
		for i := range list {
			list[i].Label = label(list[i].Value)
		}
		return list
	})
}

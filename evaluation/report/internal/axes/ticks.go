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

// RoundTicks are labelled ticks at multiples of 1, 2 or 5 times a power of
// ten, that many or a few more, over any finite range. (plot.DefaultTicks
// labels two or three, at times with odd numbers, and does not end where a
// float64 ends.) A range that float64 hardly resolves has one tick.
type RoundTicks int

// Ticks implements plot.Ticker.
func (n RoundTicks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || !statistics.Finite(low) || !statistics.Finite(high) {
		return nil
	}
	if !resolved(low, high) {
		return []plot.Tick{{Value: low, Label: tickLabel(low, math.Abs(low))}}
	}
	const (
		tolerance = 1e-9 // of a step
		largest   = 308  // the last power of ten that is a float64
	)
	// Of half the range, since the whole may be too large for a float64.
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

// resolved tells whether a range is wide enough for ticks that are apart: far
// more than the distance of neighbouring float64.
func resolved(low, high float64) bool {
	half := high/2 - low/2
	return half > 1e-12*max(math.Abs(low), math.Abs(high)) && half > 1e-290
}

// tickLabel writes a multiple of a step with as many digits as tell it from
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
	return signed(strconv.FormatFloat(value, format, digits, 64))
}

// signed writes a minus sign in place of a hyphen.
func signed(number string) string { return strings.ReplaceAll(number, "-", "−") }

// LeastLogarithm is the least value of a logarithmic axis: math.Log is wrong
// where float64 loses digits, below 2e-308.
const LeastLogarithm = 1e-300

// DecadeTicks are ticks of a logarithmic axis: labelled at powers of ten, at
// most seven of them; at twos and fives where fewer than two powers of ten are within;
// at whole multiples of a power, or else as RoundTicks are, where that leaves fewer than
// two labels. There are none below 1e-300. (plot.LogTicks leaves no power out.)
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
					ticks[i].Label = signed(strconv.FormatFloat(ticks[i].Value, 'g', 6, 64))
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

// Within are the ticks between two limits, wherever the axis ends.
func Within(low, high float64, ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(_, _ float64) []plot.Tick { return ticks.Ticks(low, high) })
}

// WholeTicks leaves ticks at whole numbers alone: there is no half epoch.
func WholeTicks(ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		return slices.DeleteFunc(ticks.Ticks(low, high), func(tick plot.Tick) bool { return tick.Value != math.Round(tick.Value) })
	})
}

// Relabelled are ticks with other labels.
func Relabelled(ticks plot.Ticker, label func(value float64) string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		list := ticks.Ticks(low, high)
		for i := range list {
			list[i].Label = label(list[i].Value)
		}
		return list
	})
}

// Package axes chooses the limits, scales and ticks of axes, for values of any size. Start with
// Fences for a few scores, Quantiles for many values, and RoundTicks for their ticks. The package
// does not draw: gonum's plots do.
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
	if !(low < high) || !statistics.IsFinite(low) || !statistics.IsFinite(high) {
		return nil
	}
	if !isWideEnough(low, high) {
		return []plot.Tick{{Value: low, Label: tickLabel(low, math.Abs(low))}}
	}
	step, first, last := n.chooseStep(low, high)
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: tickLabel(k*step, step)})
	}
	return ticks
}

// chooseStep returns the largest step, 1, 2 or 5 times a power of ten, that has at least n multiples
// in the range, and the first and the last of these multiples.
func (n RoundTicks) chooseStep(low, high float64) (step, first, last float64) {
	const (
		tolerance   = 1e-9 // of a step, for ends of the range that are multiples but for rounding
		maxExponent = 308  // last power of ten that is a float64
	)
	// Half the range plus log10(2), since the whole range may overflow a float64.
	exponent := min(maxExponent, math.Ceil(math.Log10(high/2-low/2)+math.Log10(2)))
	step = math.Pow(10, exponent)
	for i := 0; ; i++ {
		first = math.Ceil(low/step - tolerance)
		last = math.Floor(high/step + tolerance)
		if last-first+1 >= float64(n) {
			return step, first, last
		}
		multiple := []float64{5, 2, 1}[i%3]
		step = multiple * math.Pow(10, exponent-1-float64(i/3))
	}
}

// isWideEnough reports whether a range is wide enough for several ticks: much wider than the
// distance of neighbouring float64 values.
func isWideEnough(low, high float64) bool {
	half := high/2 - low/2
	return half > 1e-12*max(math.Abs(low), math.Abs(high)) && half > 1e-290
}

// tickLabel returns the label of a multiple of a step, with enough digits to distinguish it from its
// neighbours. Large numbers, and numbers with many decimals, have an exponent.
func tickLabel(value, step float64) string {
	if value == 0 {
		return "0"
	}
	const slightlyMore = 1.0001 // so that a step of 10ⁿ, rounded, has the exponent n
	exponent := math.Floor(math.Log10(step * slightlyMore))
	decimals := max(0, -int(exponent))
	size := math.Abs(value)
	if size < 1e5 && decimals <= 4 {
		return withMinusSign(strconv.FormatFloat(value, 'f', decimals, 64))
	}
	digits := 1 + int(math.Floor(math.Log10(size))-exponent)
	return withMinusSign(strconv.FormatFloat(value, 'g', min(15, max(3, digits)), 64))
}

// withMinusSign returns the number with a minus sign in place of a hyphen.
func withMinusSign(number string) string { return strings.ReplaceAll(number, "-", "−") }

// LeastLogarithm is the smallest value of a logarithmic axis. math.Log is inexact below 2e-308,
// since such a float64 has fewer digits.
const LeastLogarithm = 1e-300

// DecadeTicks returns the ticks of a logarithmic axis, nil if low is below LeastLogarithm. It labels
// powers of ten, at most seven. If fewer than two are in the range, it labels 1, 2 and 5 times a
// power; if these are too few as well, all whole multiples of a power; and if these are too few, it
// returns the ticks of RoundTicks. (plot.LogTicks labels every power.)
func DecadeTicks(low, high float64) []plot.Tick {
	if !(low >= LeastLogarithm && low < high) || !statistics.IsFinite(high) {
		return nil
	}
	d := newDecades(low, high)
	ticks := d.ticks(low, high)
	for _, multiples := range [][]float64{{1}, {1, 2, 5}, allMultiples} {
		if d.label(ticks, multiples) > 1 {
			return ticks
		}
	}
	return RoundTicks(3).Ticks(low, high)
}

// allMultiples are the whole multiples of a power of ten below the next power.
var allMultiples = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}

// decades is a range of powers of ten.
type decades struct {
	first, last int // exponents
	every       int // exponents that are multiples of every are labelled
}

func newDecades(low, high float64) decades {
	first := int(math.Floor(math.Log10(low)))
	last := int(math.Floor(math.Log10(high)))
	return decades{first: first, last: last, every: (last-first)/6 + 1}
}

// ticks returns the ticks between low and high without labels: all whole multiples of powers of ten
// in a short range, the powers alone in a longer range, and only labelled powers in a very long
// range.
func (d decades) ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for exponent := d.first; exponent <= d.last; exponent++ {
		if d.every > 9 && exponent%d.every != 0 {
			continue
		}
		for _, multiple := range allMultiples {
			value := multiple * math.Pow10(exponent)
			if value >= low && value <= high && (multiple == 1 || d.every == 1) {
				ticks = append(ticks, plot.Tick{Value: value})
			}
		}
	}
	return ticks
}

// label labels the ticks at the given multiples of powers of ten, and returns how many it labelled.
func (d decades) label(ticks []plot.Tick, multiples []float64) int {
	labelled := 0
	for exponent := d.first; exponent <= d.last; exponent++ {
		if exponent%d.every != 0 {
			continue
		}
		for _, multiple := range multiples {
			value := multiple * math.Pow10(exponent)
			i := slices.IndexFunc(ticks, func(tick plot.Tick) bool { return tick.Value == value })
			if i >= 0 {
				ticks[i].Label = withMinusSign(strconv.FormatFloat(value, 'g', 6, 64))
				labelled++
			}
		}
	}
	return labelled
}

// Within returns a ticker with the ticks between low and high for any limits of the axis.
func Within(low, high float64, ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(_, _ float64) []plot.Tick { return ticks.Ticks(low, high) })
}

// WholeTicks returns a ticker that has only the ticks at whole numbers, for axes of counts such as
// epochs.
func WholeTicks(ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		return slices.DeleteFunc(ticks.Ticks(low, high), func(tick plot.Tick) bool { return tick.Value != math.Round(tick.Value) })
	})
}

// WithLabels returns a ticker with the same ticks and the labels that label returns.
func WithLabels(ticks plot.Ticker, label func(value float64) string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		labelled := ticks.Ticks(low, high)
		for i := range labelled {
			labelled[i].Label = label(labelled[i].Value)
		}
		return labelled
	})
}

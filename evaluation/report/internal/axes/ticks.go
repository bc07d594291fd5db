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

// RoundTicks is a plot.Ticker. Its value is the smallest number of ticks. The ticks are multiples of 1, 2
// or 5 times a power of ten, all with labels. Any finite range is allowed; a range that is too narrow for
// several float64 values has one tick. (plot.DefaultTicks labels two or three ticks, sometimes with odd
// numbers, and does not return if a range is close to the largest float64.)
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
		tolerance   = 1e-9 // of a step, for ends of the range which miss a multiple only by rounding
		maxExponent = 308  // exponent of the largest float64 power of ten
	)
	// Half the range plus log10(2), since the whole range may overflow a float64.
	exponent := min(maxExponent, math.Ceil(math.Log10(high/2-low/2)+math.Log10(2)))
	step = math.Pow(10, exponent)
	// The loop ends, because smaller steps have more multiples in the range, if isWideEnough holds for it.
	for i := 0; ; i++ {
		first = math.Ceil(low/step - tolerance)
		last = math.Floor(high/step + tolerance)
		if last-first+1 >= float64(n) {
			return step, first, last
		}
		multiple := []float64{5, 2, 1}[i%3] // after 1, the next lower power of ten
		step = multiple * math.Pow(10, exponent-1-float64(i/3))
	}
}

// isWideEnough reports whether a range is wide enough for several ticks: much wider than the
// distance of neighbouring float64 values.
func isWideEnough(low, high float64) bool {
	const (
		minRelativeHalf = 1e-12  // of the larger limit; neighbouring values differ by 1e-16 of it
		minHalf         = 1e-290 // near 0, where float64 values have fewer digits
	)
	halfWidth := high/2 - low/2 // the width itself may overflow
	return halfWidth > minRelativeHalf*max(math.Abs(low), math.Abs(high)) && halfWidth > minHalf
}

// tickLabel returns the label of a multiple of a step, with enough digits to distinguish it from its
// neighbours. Large numbers, and numbers with many decimals, have an exponent.
func tickLabel(value, step float64) string {
	if value == 0 {
		return "0"
	}
	const (
		slightlyMore    = 1.0001 // factor with which a step of 10ⁿ, rounded down, still has the exponent n
		minWithExponent = 1e5    // from here on numbers have an exponent
		maxDecimals     = 4      // with more decimals numbers have an exponent
		minDigits       = 3      // significant digits of a number with an exponent
		maxDigits       = 15     // as many as a float64 has
	)
	exponent := math.Floor(math.Log10(step * slightlyMore))
	decimals := max(0, -int(exponent))
	size := math.Abs(value)
	if size < minWithExponent && decimals <= maxDecimals {
		return withMinusSign(strconv.FormatFloat(value, 'f', decimals, 64))
	}
	digits := 1 + int(math.Floor(math.Log10(size))-exponent)
	return withMinusSign(strconv.FormatFloat(value, 'g', min(maxDigits, max(minDigits, digits)), 64))
}

// withMinusSign returns the number with a minus sign in place of a hyphen.
func withMinusSign(number string) string { return strings.ReplaceAll(number, "-", "−") }

// LeastLogarithm is the smallest value of a logarithmic axis. math.Log is inexact below 2e-308,
// since such a float64 has fewer digits.
const LeastLogarithm = 1e-300

// DecadeTicks returns the ticks of a logarithmic axis, or nil if low is below LeastLogarithm. It labels at
// least two ticks: powers of ten, at most seven of them; or, if the range has fewer than two, 1, 2 and 5
// times a power; or else all whole multiples of a power. In a range without two of these it returns the
// ticks of RoundTicks. (plot.LogTicks labels every power.)
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
	labelStep   int // exponents are labelled if they are multiples of labelStep
}

// newDecades returns the powers of ten of a range and labels at most seven of them.
func newDecades(low, high float64) decades {
	const maxLabels = 7
	first := int(math.Floor(math.Log10(low)))
	last := int(math.Floor(math.Log10(high)))
	return decades{first: first, last: last, labelStep: (last-first)/(maxLabels-1) + 1}
}

// ticks returns the ticks between low and high without labels: all whole multiples of powers of ten
// if every power has a label, only the powers in a longer range, and only the powers with labels in a
// very long range.
func (d decades) ticks(low, high float64) []plot.Tick {
	const maxStepWithPowers = 9
	hasMultiples := d.labelStep == 1
	var ticks []plot.Tick
	for exponent := d.first; exponent <= d.last; exponent++ {
		if d.labelStep > maxStepWithPowers && exponent%d.labelStep != 0 {
			continue
		}
		for _, multiple := range allMultiples {
			value := multiple * math.Pow10(exponent)
			if value >= low && value <= high && (multiple == 1 || hasMultiples) {
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
		if exponent%d.labelStep != 0 {
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

// Within returns a ticker whose ticks lie between low and high, even if the axis extends further. It
// suits axes that reach beyond the data.
func Within(low, high float64, ticks plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(_, _ float64) []plot.Tick { return ticks.Ticks(low, high) })
}

// WholeTicks returns a ticker with ticks at whole numbers only, for axes of counts such as
// epochs.
func WholeTicks(ticks plot.Ticker) plot.Ticker {
	isFraction := func(tick plot.Tick) bool { return tick.Value != math.Round(tick.Value) }
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		return slices.DeleteFunc(ticks.Ticks(low, high), isFraction)
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

package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// DefaultTicks returns the ticks of an axis that has none of its own. A linear axis gets at least minCount. The limits must
// be set.
func (a Axis) DefaultTicks(minCount int) []Tick {
	switch a.Scale {
	case Logarithmic:
		return decadeTicks(a.Min, a.Max)
	case Symmetric:
		return symmetricTicks(a.Min, a.Max)
	}
	return RoundTicks(a.Min, a.Max, minCount)
}

// RoundTicks returns at least minCount ticks at multiples of 1, 2 or 5 times a power of ten, all with labels.
// Any finite range is allowed; a range that is too narrow for several float64 values has one tick.
// (plot.DefaultTicks labels two or three ticks, sometimes with odd numbers, and does not return if a range is close to
// the largest float64.)
func RoundTicks(low, high float64, minCount int) []Tick {
	if !(low < high) || !statistics.IsFinite(low) || !statistics.IsFinite(high) {
		return nil
	}
	if !isWideEnough(low, high) {
		return []Tick{{Value: low, Label: tickLabel(low, math.Abs(low))}}
	}
	step, first, last := chooseStep(low, high, float64(minCount))
	var ticks []Tick
	for k := first; k <= last; k++ {
		ticks = append(ticks, Tick{Value: k * step, Label: tickLabel(k*step, step)})
	}
	return ticks
}

// chooseStep returns the largest step, 1, 2 or 5 times a power of ten, that has at least minCount multiples in the range.
// The multiples are first*step to last*step. isWideEnough must hold for the range: then some step has enough multiples.
func chooseStep(low, high, minCount float64) (step, first, last float64) {
	const (
		tolerance   = 1e-9 // of a step, for ends of the range which miss a multiple only by rounding
		maxExponent = 308  // exponent of the largest float64 power of ten
	)
	// The first step is a power of ten at least as wide as the range. The range may overflow a float64, but not its half.
	exponent := min(maxExponent, math.Ceil(math.Log10(high/2-low/2)+math.Log10(2)))
	step = math.Pow(10, exponent)
	for i := 0; ; i++ {
		first = math.Ceil(low/step - tolerance)
		last = math.Floor(high/step + tolerance)
		if last-first+1 >= minCount {
			return step, first, last
		}
		multiple := []float64{5, 2, 1}[i%3] // then the next lower power of ten
		step = multiple * math.Pow(10, exponent-1-float64(i/3))
	}
}

// isWideEnough reports whether a range is wide enough for several ticks: much wider than the distance of neighbouring
// float64 values.
func isWideEnough(low, high float64) bool {
	const (
		minRelativeHalf = 1e-12  // of the larger limit; neighbouring values differ by 1e-16 of it
		minHalf         = 1e-290 // near 0, where float64 values have fewer digits
	)
	halfWidth := high/2 - low/2 // the width itself may overflow
	return halfWidth > minRelativeHalf*max(math.Abs(low), math.Abs(high)) && halfWidth > minHalf
}

// tickLabel returns the label of a multiple of a step, with enough digits to distinguish it from its neighbours. Large
// numbers, and numbers with many decimals, have an exponent.
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
		return WithMinusSign(strconv.FormatFloat(value, 'f', decimals, 64))
	}
	digits := 1 + int(math.Floor(math.Log10(size))-exponent)
	return WithMinusSign(strconv.FormatFloat(value, 'g', min(maxDigits, max(minDigits, digits)), 64))
}

// WithMinusSign returns the number with a minus sign in place of a hyphen.
func WithMinusSign(number string) string { return strings.ReplaceAll(number, "-", "−") }

// LeastLogarithm is the smallest value of a logarithmic axis. math.Log is inexact below 2e-308, since such a float64
// has fewer digits.
const LeastLogarithm = 1e-300

// decadeTicks returns the ticks of a logarithmic axis, or nil if low is below LeastLogarithm. The ticks are about seven
// powers of ten. A range with fewer than two powers has ticks at 1, 2 and 5 times a power, and a range with fewer than two
// of these has the ticks of RoundTicks. (plot.LogTicks labels every power.)
func decadeTicks(low, high float64) []Tick {
	if !(low >= LeastLogarithm && low < high) || !statistics.IsFinite(high) {
		return nil
	}
	for _, multiples := range [][]float64{{1}, {1, 2, 5}} {
		ticks := multiplesOfPowers(low, high, multiples)
		if len(ticks) >= 2 {
			return ticks
		}
	}
	const minCount = 3
	return RoundTicks(low, high, minCount)
}

// multiplesOfPowers returns ticks between low and high at the given multiples of powers of ten. It leaves out powers
// between others, so that there are at most about seven.
func multiplesOfPowers(low, high float64, multiples []float64) []Tick {
	const (
		maxSteps = 6 // between the powers
		digits   = 6 // of a label at most: larger and smaller numbers have an exponent
	)
	first := int(math.Floor(math.Log10(low)))
	last := int(math.Floor(math.Log10(high)))
	step := (last-first)/maxSteps + 1
	var ticks []Tick
	for exponent := first; exponent <= last; exponent++ {
		if exponent%step != 0 {
			continue
		}
		for _, multiple := range multiples {
			value := multiple * math.Pow10(exponent)
			if value >= low && value <= high {
				ticks = append(ticks, Tick{Value: value, Label: WithMinusSign(strconv.FormatFloat(value, 'g', digits, 64))})
			}
		}
	}
	return ticks
}

// symmetricTicks returns ticks at 0 and at the positive and negative powers of ten from low to high. If the
// range reaches 1000, it labels only 0 and the even powers from 100 on, since more labels would overlap.
func symmetricTicks(low, high float64) []Tick {
	const wideLimit = 1000
	ticks := []Tick{{Value: 0, Label: "0"}}
	furthest := max(-low, high)
	exponent := 0
	for power := 1.0; power <= furthest; power *= 10 {
		isLabelled := furthest < wideLimit || exponent > 0 && exponent%2 == 0
		for _, v := range []float64{-power, power} {
			label := ""
			if isLabelled {
				label = WithMinusSign(strconv.FormatFloat(v, 'g', -1, 64))
			}
			ticks = append(ticks, Tick{Value: v, Label: label})
		}
		exponent++
	}
	return slices.DeleteFunc(ticks, func(t Tick) bool { return t.Value < low || t.Value > high })
}

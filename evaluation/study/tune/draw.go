package tune

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"

	"sml/graph"
	"sml/internal/portable"
)

// Draw draws a value of each dimension, in the order of the dimensions. A value depends on the seed, the number of
// the trial and the dimension's key alone: other trials and other dimensions do not change it.
func (s Space) Draw(seed uint64, trial int) []string {
	values := make([]string, len(s))
	for i, d := range s {
		r := d.generator(seed, trial)
		if d.Choices != nil {
			values[i] = d.Choices[portable.UintN(r, uint64(len(d.Choices)))]
		} else {
			values[i] = d.valueAt(r.Float64())
		}
	}
	return values
}

// generator returns the random number generator for the dimension's value in the trial with the given number.
func (d Dimension) generator(seed uint64, trial int) *rand.Rand {
	keyHash := fnv.New64a()
	keyHash.Write([]byte(d.Key))
	return rand.New(rand.NewPCG(graph.Seed(seed, uint64(trial)), keyHash.Sum64()))
}

// drawInterval returns the ends of the interval from which the dimension's number is drawn uniformly. They are
// logarithms if d.Log is set. If d.Whole is set, the interval extends the range by 0.5 at both ends, so that
// rounding draws the first and the last whole number as often as the numbers between.
func (d Dimension) drawInterval() (low, high float64) {
	low, high = d.Low, d.High
	if d.Whole {
		low -= 0.5
		high += 0.5
	}
	if d.Log {
		return portable.Log(low), portable.Log(high)
	}
	return low, high
}

// valueAt returns the number at a fraction, from 0 to 1, of the interval of draws, as text. It has few digits, so
// that users can read and type it, and so that it does not depend on the last bits of logarithms.
func (d Dimension) valueAt(fraction float64) string {
	low, high := d.drawInterval()
	v := low + float64(fraction*(high-low)) // float64 keeps the compiler from fusing, so every CPU rounds alike
	if d.Log {
		v = portable.Exp(v)
	}
	if d.Whole {
		v = math.Round(v)
	} else {
		v = roundToDigits(v, d.significantDigits())
	}
	v = min(max(v, d.Low), d.High) // rounding may have passed an end
	return d.formatValue(v)
}

// significantDigits returns the number of digits of drawn numbers: at least four, and as many as numbers that are
// a hundredth of the range apart need to differ.
func (d Dimension) significantDigits() int {
	const minDigits, maxDigits = 4, 17 // 17 digits tell any two float64 apart
	largest := max(math.Abs(d.Low), math.Abs(d.High))
	needed := (d.High - d.Low) / 100 // difference that the digits must show
	for digits := minDigits; digits < maxDigits; digits++ {
		lastDigit := float64(largest * powerOfTen(1-digits)) // about one unit of the last digit, or up to ten
		if lastDigit <= needed {
			return digits
		}
	}
	return maxDigits
}

// roundToDigits rounds a number to the given number of significant decimal digits.
func roundToDigits(v float64, digits int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // cannot fail
	return rounded
}

// powerOfTen returns a power of ten. Parsing its text rounds it correctly on every CPU, which math.Pow need not.
func powerOfTen(exponent int) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(exponent), 64) // cannot fail
	return v
}

// fraction returns the fraction of the interval of draws at which a value lies. It is the inverse of valueAt, up
// to rounding.
func (d Dimension) fraction(value string) float64 {
	v, _ := strconv.ParseFloat(value, 64) // cannot fail: valueAt has written it
	if d.Log {
		v = portable.Log(v)
	}
	low, high := d.drawInterval()
	return min(max((v-low)/(high-low), 0), 1) // from 0 to 1 in spite of rounding
}

// fractions returns the fraction of each value.
func (d Dimension) fractions(values []string) []float64 {
	fractions := make([]float64, len(values))
	for i, v := range values {
		fractions[i] = d.fraction(v)
	}
	return fractions
}

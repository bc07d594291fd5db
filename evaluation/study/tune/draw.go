package tune

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"sml/graph"
	"sml/internal/portable"
)

// Draw draws a value of each dimension. A value follows from the seed, the
// trial's number and the dimension's key, so other trials and other dimensions do not change it.
func (s Space) Draw(seed uint64, trial int) []string {
	values := make([]string, len(s))
	for i, d := range s {
		r := d.generator(seed, trial)
		if d.Choices != nil {
			values[i] = d.Choices[portable.Below(r, uint64(len(d.Choices)))]
		} else {
			values[i] = d.valueAt(r.Float64())
		}
	}
	return values
}

// generator returns the random generator for the dimension's value in a trial.
func (d Dimension) generator(seed uint64, trial int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(d.Key))
	return rand.New(rand.NewPCG(graph.Seed(seed, uint64(trial)), h.Sum64()))
}

// interval returns the ends of the interval for a uniform draw. They are logarithms if d.Log is
// set. If d.Whole is set, the interval extends the range by 0.5 at both ends, so that rounding
// draws the first and the last whole number as often as their neighbours.
func (d Dimension) interval() (low, high float64) {
	low, high = d.Low, d.High
	if d.Whole {
		low, high = low-0.5, high+0.5
	}
	if d.Log {
		return portable.Log(low), portable.Log(high)
	}
	return low, high
}

// valueAt returns the number at a fraction, from 0 to 1, of the range, as text. The number has at
// least four digits, and more if numbers a hundredth of the range apart would otherwise be equal.
// Such numbers are easy to read and type, and do not depend on the last bits of logarithms.
func (d Dimension) valueAt(fraction float64) string {
	low, high := d.interval()
	v := low + float64(fraction*(high-low))
	if d.Log {
		v = portable.Exp(v)
	}
	if d.Whole {
		return d.text(min(max(math.Round(v), d.Low), d.High))
	}
	digits := 4
	largest := max(math.Abs(d.Low), math.Abs(d.High))
	for digits < 17 && float64(largest*tenTo(1-digits)) > (d.High-d.Low)/100 {
		digits++
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return d.text(min(max(v, d.Low), d.High))
}

// tenTo returns a power of ten, exactly rounded on every CPU.
func tenTo(exponent int) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(exponent), 64)
	return v
}

// fraction returns the fraction of the range at which a number lies. It is the inverse of
// valueAt.
func (d Dimension) fraction(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	if d.Log {
		v = portable.Log(v)
	}
	low, high := d.interval()
	return min(max((v-low)/(high-low), 0), 1)
}

// choiceIndex returns the index of a value among the choices, or -1 if it is none of them.
func (d Dimension) choiceIndex(text string) int { return slices.Index(d.Choices, text) }

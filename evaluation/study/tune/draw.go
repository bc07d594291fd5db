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

// Draw draws the values of a trial, one of each dimension. They follow from the seed, the
// trial's number and the key, so that a trial keeps its values when others are added, or
// other settings.
func (s Space) Draw(seed uint64, trial int) []string {
	values := make([]string, len(s))
	for i, d := range s {
		r := d.random(seed, trial)
		if d.Choices != nil {
			values[i] = d.Choices[portable.Below(r, uint64(len(d.Choices)))]
		} else {
			values[i] = d.at(r.Float64())
		}
	}
	return values
}

func (d Dimension) random(seed uint64, trial int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(d.Key))
	return rand.New(rand.NewPCG(graph.Seed(seed, uint64(trial)), h.Sum64()))
}

// ends are those of the interval that a number is taken from: whole numbers are the
// middles of intervals of width 1. They are logarithms where the number's is uniform.
func (d Dimension) ends() (low, high float64) {
	low, high = d.Low, d.High
	if d.Whole {
		low, high = low-0.5, high+0.5
	}
	if d.Log {
		return portable.Log(low), portable.Log(high)
	}
	return low, high
}

// at is the number at a share from 0 to 1 of the way through a range, written with as few
// digits as tell it from others a hundredth of the range away, and four at least: values
// can be read and typed, and do not hang on the last bits of logarithms.
func (d Dimension) at(share float64) string {
	low, high := d.ends()
	v := low + float64(share*(high-low))
	if d.Log {
		v = portable.Exp(v)
	}
	if d.Whole {
		return d.text(min(max(math.Round(v), d.Low), d.High))
	}
	size, digits := max(math.Abs(d.Low), math.Abs(d.High)), 4
	for ; digits < 17 && float64(size*tenTo(1-digits)) > (d.High-d.Low)/100; digits++ {
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return d.text(min(max(v, d.Low), d.High))
}

func tenTo(exponent int) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(exponent), 64)
	return v
}

// share is where in the range a number is that at has written.
func (d Dimension) share(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	if d.Log {
		v = portable.Log(v)
	}
	low, high := d.ends()
	return min(max((v-low)/(high-low), 0), 1)
}

// choice is the place of a value among the choices.
func (d Dimension) choice(text string) int { return slices.Index(d.Choices, text) }

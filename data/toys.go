package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// toys are the toy data sets of the paper's notebook, and Friedman's first function. Their random
// numbers z are standard normal.
var toys = []Dataset{
	curve{
		name:    "toy",
		meaning: "a wiggly cubic, no noise",
		points:  1000, start: -15, end: 20,
		repeats: 1,
		target: func(x, _ float64) float64 {
			return cubicWithWave(x, wave{centre: -1, width: 10, height: 4000, frequency: 1})
		},
	}.dataset(),
	curve{
		name:    "toy-hf",
		meaning: "toy with a wiggle of three times the frequency",
		points:  1000, start: -15, end: 20,
		repeats: 1,
		target: func(x, _ float64) float64 {
			return cubicWithWave(x, wave{centre: -1, width: 10, height: 4000, frequency: 3})
		},
	}.dataset(),
	curve{
		name:    "toy-modulated",
		meaning: "noise alone, σ = exp(−0.02 x²)",
		points:  2000, start: -15, end: 15,
		repeats: 10,
		target:  func(x, z float64) float64 { return portable.Exp(float64(-0.02*x)*x) * z },
	}.dataset(),
	curve{
		name:    "toy-uniform",
		meaning: "noise alone, σ = 1 everywhere",
		points:  2000, start: -15, end: 30,
		repeats: 10,
		target:  func(_, z float64) float64 { return z },
	}.dataset(),
	curve{
		name:    "toy-noise",
		meaning: "a cubic with a small wiggle and noise in one place",
		points:  1000, start: -15, end: 30,
		repeats: 10,
		target: func(x, z float64) float64 {
			sigma := math.Abs(wave{centre: 12, width: 5, height: 1200, frequency: 0.1}.value(x))
			cubic := cubicWithWave(x, wave{centre: -1, width: 1, height: 4000, frequency: 2})
			return 0.01 * (float64(100*cubic) + float64(sigma*z))
		},
	}.dataset(),
	curve{
		name:    "toy-noise-strong",
		meaning: "a cubic with a wiggle and noise everywhere, most in one place",
		points:  2000, start: -15, end: 30,
		repeats: 10,
		target: func(x, z float64) float64 {
			sigma := math.Abs(wave{centre: 12, width: 5, height: 2000, frequency: 0.1}.value(x)) + 80
			cubic := cubicWithWave(x, wave{centre: -5, width: 2, height: 4000, frequency: 2})
			return 0.01 * (float64(100*cubic) + float64(sigma*z))
		},
	}.dataset(),
	{
		Name:     "friedman",
		Rows:     1000,
		Features: 10,
		Target:   "y",
		Meaning:  "Friedman #1: 5 of 10 inputs matter, σ = 1, 1000 rows",
		Source:   "Friedman (1991), Multivariate Adaptive Regression Splines",
		Licence:  generatedLicence,
		Make:     func(_ context.Context, seed uint64) (*Table, error) { return Friedman(1000, seed), nil },
	},
}

// generatedLicence is the licence of generated data sets.
const generatedLicence = "none needed: it is made"

// wave is a sine wave that fades away from a centre as the normal density does:
// height·exp(−(x−centre)²/(2·width²))·sin(frequency·x).
type wave struct {
	centre, width     float64 // width is the standard deviation of the normal density
	height, frequency float64
}

// value returns the value of the wave at x. The conversions float64(x*y) round each product, so that
// all CPUs compute the same bits.
func (w wave) value(x float64) float64 {
	distance := x - w.centre
	envelope := float64(w.height * portable.Exp(-distance*distance/(2*w.width*w.width)))
	return float64(envelope * portable.Sin(float64(w.frequency*x)))
}

// cubicWithWave returns the value at x of the toys' cubic with a wave: 0.01·((5x)² − x³ + wave).
func cubicWithWave(x float64, w wave) float64 {
	square := float64(float64(25*x) * x)
	cube := float64(float64(x*x) * x)
	return 0.01 * ((square - cube) + w.value(x))
}

// curve describes a toy data set of one input x and one target.
type curve struct {
	name    string
	meaning string // of the target

	points     int     // number of different values of x
	start, end float64 // first and last value of x; the others are equally spaced between them
	repeats    int     // number of rows with each value of x

	target func(x, z float64) float64 // target of a row, for a new standard normal number z
}

// dataset returns the data set of the curve, which generates its table from a seed.
func (c curve) dataset() Dataset {
	return Dataset{
		Name:     c.name,
		Rows:     c.points * c.repeats,
		Features: 1,
		Target:   "y",
		Meaning:  c.meaning,
		Source:   theNotebook,
		Licence:  generatedLicence,
		Make:     c.generate,
	}
}

// generate returns the table of the curve, ordered by x. It never fails.
func (c curve) generate(_ context.Context, seed uint64) (*Table, error) {
	rng := rand.New(rand.NewPCG(seed, toyStream))
	t := &Table{Columns: []string{"x"}, Targets: []string{"y"}}
	for i := range c.points {
		x := c.start + float64((c.end-c.start)*float64(i))/float64(c.points-1)
		for range c.repeats {
			t.X = append(t.X, x)
			t.Y = append(t.Y, c.target(x, portable.NormFloat64(rng)))
		}
	}
	return t, nil
}

// Friedman returns the data set "friedman" with the given number of rows. It has 10 inputs, drawn
// uniformly from 0 to 1, and the target depends on five of them:
// y = 10 sin(π x1 x2) + 20 (x3 − 0.5)² + 10 x4 + 5 x5 + z with a standard normal z.
func Friedman(rows int, seed uint64) *Table {
	const inputs = 10
	rng := rand.New(rand.NewPCG(seed, toyStream))
	t := &Table{Name: "friedman", Targets: []string{"y"}}
	for j := range inputs {
		t.Columns = append(t.Columns, fmt.Sprintf("x%d", j+1))
	}
	for range rows {
		for range inputs {
			t.X = append(t.X, rng.Float64())
		}
		x := t.X[len(t.X)-inputs:]
		sine := float64(10 * portable.Sin(float64(math.Pi*x[0])*x[1]))
		parabola := float64(float64(20*(x[2]-0.5)) * (x[2] - 0.5))
		line := float64(10 * x[3])
		flatLine := float64(5 * x[4])
		t.Y = append(t.Y, sine+parabola+line+flatLine+portable.NormFloat64(rng))
	}
	return t
}

// toyStream selects the toys' stream of random numbers, so that other users of the same seed draw
// other numbers. It is "toy" in ASCII.
const toyStream = 0x746f79

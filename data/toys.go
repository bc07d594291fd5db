package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// toys are the toy data sets of the paper's notebook, and Friedman's first function.
var toys = []Dataset{
	curve("toy", "a wiggly cubic, no noise", 1000, -15, 20, 1,
		func(x, _ float64) float64 { return wiggle(x, bump(-1, 10, 4000, 1)) }),
	curve("toy-hf", "toy with a wiggle of three times the frequency", 1000, -15, 20, 1,
		func(x, _ float64) float64 { return wiggle(x, bump(-1, 10, 4000, 3)) }),
	curve("toy-modulated", "noise alone, σ = exp(−0.02 x²)", 2000, -15, 15, 10,
		func(x, z float64) float64 { return portable.Exp(float64(-0.02*x)*x) * z }),
	curve("toy-uniform", "noise alone, σ = 1 everywhere", 2000, -15, 30, 10,
		func(_, z float64) float64 { return z }),
	curve("toy-noise", "a cubic with a small wiggle and noise in one place", 1000, -15, 30, 10,
		func(x, z float64) float64 {
			sigma := math.Abs(bump(12, 5, 1200, 0.1)(x))
			return 0.01 * (float64(100*wiggle(x, bump(-1, 1, 4000, 2))) + float64(sigma*z))
		}),
	curve("toy-noise-strong", "a cubic with a wiggle and noise everywhere, most in one place", 2000, -15, 30, 10,
		func(x, z float64) float64 {
			sigma := math.Abs(bump(12, 5, 2000, 0.1)(x)) + 80
			return 0.01 * (float64(100*wiggle(x, bump(-5, 2, 4000, 2))) + float64(sigma*z))
		}),
	{Name: "friedman", Rows: 1000, Features: 10, Target: "y", Meaning: "Friedman #1: 5 of 10 inputs matter, σ = 1, 1000 rows",
		Source: "Friedman (1991), Multivariate Adaptive Regression Splines", Licence: madeHere,
		Make: func(_ context.Context, seed uint64) (*Table, error) { return Friedman(1000, seed), nil }},
}

// madeHere is the licence of generated data sets.
const madeHere = "none needed: it is made"

// bump returns a wave of frequency omega and height a that fades away from c with the standard
// deviation s: a·exp(−(x−c)²/(2s²))·sin(ωx).
func bump(c, s, a, omega float64) func(x float64) float64 {
	return func(x float64) float64 {
		return float64(float64(a*portable.Exp(-(x-c)*(x-c)/(2*s*s))) * portable.Sin(float64(omega*x)))
	}
}

// wiggle returns the value at x of the toys' cubic with a wave: 0.01·((5x)² − x³ + bump(x)).
func wiggle(x float64, bump func(float64) float64) float64 {
	return 0.01 * ((float64(float64(25*x)*x) - float64(float64(x*x)*x)) + bump(x))
}

// curve returns a toy data set of one input x, at points equally spaced in [from, to], including
// both ends. Every point has repeats rows, each with the target y(x, z) for a new standard normal
// z.
func curve(name, meaning string, points int, from, to float64, repeats int, y func(x, z float64) float64) Dataset {
	return Dataset{
		Name: name, Rows: points * repeats, Features: 1, Target: "y", Meaning: meaning, Source: theNotebook, Licence: madeHere,
		Make: func(_ context.Context, seed uint64) (*Table, error) {
			rng := rand.New(rand.NewPCG(seed, toyStream))
			t := &Table{Columns: []string{"x"}, Targets: []string{"y"}}
			for i := range points {
				x := from + float64((to-from)*float64(i))/float64(points-1)
				for range repeats {
					t.X = append(t.X, x)
					t.Y = append(t.Y, y(x, portable.NormFloat64(rng)))
				}
			}
			return t, nil
		},
	}
}

// Friedman returns the data set "friedman" with the given number of rows. It has 10 inputs from
// U(0,1), and the target depends on five of them:
// y = 10 sin(π x1 x2) + 20 (x3 − 0.5)² + 10 x4 + 5 x5 + N(0,1).
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
		wave := float64(10 * portable.Sin(float64(math.Pi*x[0])*x[1]))
		bowl := float64(float64(20*(x[2]-0.5)) * (x[2] - 0.5))
		t.Y = append(t.Y, wave+bowl+float64(10*x[3])+float64(5*x[4])+portable.NormFloat64(rng))
	}
	return t
}

// toyStream selects the toys' stream of random numbers: other users of the same seed draw other
// numbers.
const toyStream = 0x746f79

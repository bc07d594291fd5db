package measure

import (
	"cmp"
	"fmt"
	"slices"

	"sml/internal/statistics"
)

// Isotonic is a function that never falls: linear between its points, and constant
// beyond the first and the last. X ascends, Y does not descend, and both are of one
// length, at least 1.
type Isotonic struct{ X, Y []float64 }

// fitIsotonic returns the non-decreasing function f with the smallest Σ w·(f(x) − y)²,
// computed by pooling adjacent violators. Points of one x count as one, with the mean of
// their y; inner points between equal values are left out, as f is constant there. w
// are weights above 0, nil for all alike. It is an error if there are no points, if
// lengths differ, if a number is not finite or a weight not above 0. The arguments
// stay as they are, and the order of the points is of no account but for rounding.
//
// Source: Barlow, Bartholomew, Bremner, Brunk, Statistical Inference under Order
// Restrictions, chapter 1.
func fitIsotonic(x, y, w []float64) (Isotonic, error) {
	if len(x) == 0 || len(y) != len(x) || w != nil && len(w) != len(x) {
		return Isotonic{}, fmt.Errorf("isotonic regression: %d x, %d y and %d weights; want one of each per point, and at least one point", len(x), len(y), len(w))
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
		if !statistics.Finite(x[i]) || !statistics.Finite(y[i]) || !(weighted(w, i, 1) > 0) || !statistics.Finite(weighted(w, i, 1)) {
			return Isotonic{}, fmt.Errorf("isotonic regression: point %d is (%v, %v) with the weight %v; want finite numbers, and a weight above 0", i, x[i], y[i], weighted(w, i, 1))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })

	// A pool is the x from one to another, all of one value.
	type pool struct{ from, to, weight, sum float64 }
	mean := func(p pool) float64 { return p.sum / p.weight }
	var pools []pool
	for at := 0; at < len(order); {
		p := pool{from: x[order[at]], to: x[order[at]]}
		for ; at < len(order) && x[order[at]] == p.from; at++ {
			i := order[at]
			p.weight += weighted(w, i, 1)
			p.sum += weighted(w, i, y[i])
		}
		pools = append(pools, p)
		for n := len(pools); n > 1 && mean(pools[n-2]) >= mean(pools[n-1]); n = len(pools) {
			before, last := &pools[n-2], pools[n-1]
			before.to, before.weight, before.sum = last.to, before.weight+last.weight, before.sum+last.sum
			pools = pools[:n-1]
		}
	}
	var f Isotonic
	for _, p := range pools {
		f.X, f.Y = append(f.X, p.from), append(f.Y, mean(p))
		if p.to > p.from {
			f.X, f.Y = append(f.X, p.to), append(f.Y, mean(p))
		}
	}
	return f, nil
}

// At is the function's value.
func (f Isotonic) Eval(x float64) float64 {
	i, there := slices.BinarySearch(f.X, x) // the first point that is not below
	switch {
	case i == len(f.X):
		return f.Y[i-1]
	case i == 0 || there:
		return f.Y[i]
	}
	share := (x - f.X[i-1]) / (f.X[i] - f.X[i-1])
	return min(f.Y[i], f.Y[i-1]+float64(share*(f.Y[i]-f.Y[i-1])))
}

package measure

import (
	"cmp"
	"fmt"
	"slices"

	"sml/internal/statistics"
)

// Isotonic is a non-decreasing function: linear between its points, and constant before the first
// and after the last. X is ascending, Y is non-decreasing, and both have the same length, at least
// 1.
type Isotonic struct{ X, Y []float64 }

// fitIsotonic returns the non-decreasing function f with the smallest Σ w·(f(x) − y)², by the
// pool-adjacent-violators algorithm: it pools neighbouring points as long as their means decrease.
// Points with the same x are pooled first, and inner points of a constant part are left out. w has
// weights above 0, nil if all count the same. The result does not depend on the order of the
// points, except for rounding.
//
// fitIsotonic returns an error if there are no points, if lengths differ, if a number is not
// finite or if a weight is not above 0.
//
// Source: Barlow, Bartholomew, Bremner & Brunk (1972), Statistical inference under order
// restrictions, chapter 1.
func fitIsotonic(x, y, w []float64) (Isotonic, error) {
	if len(x) == 0 || len(y) != len(x) || w != nil && len(w) != len(x) {
		return Isotonic{}, fmt.Errorf("isotonic regression: %d x, %d y and %d weights; want one of each per point, and at least one point", len(x), len(y), len(w))
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
		weight := weighted(w, i, 1)
		if !statistics.IsFinite(x[i]) || !statistics.IsFinite(y[i]) || !statistics.IsFinite(weight) || !(weight > 0) {
			return Isotonic{}, fmt.Errorf("isotonic regression: point %d is (%v, %v) with the weight %v; want finite numbers, and a weight above 0", i, x[i], y[i], weight)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	var pools []pool
	for len(order) > 0 {
		ties := leadingTies(order, x)
		p := pool{from: x[ties[0]], to: x[ties[0]]}
		for _, i := range ties {
			p.weight += weighted(w, i, 1)
			p.sum += weighted(w, i, y[i])
		}
		pools = appendPool(pools, p)
		order = order[len(ties):]
	}
	var f Isotonic
	for _, p := range pools {
		f.appendPoint(p.from, p.mean())
		if p.to > p.from {
			f.appendPoint(p.to, p.mean())
		}
	}
	return f, nil
}

// pool is a range of x on which the fitted function is constant.
type pool struct {
	from, to    float64 // smallest and largest x
	weight, sum float64 // Σ w and Σ w·y of its points
}

// mean returns the weighted mean of y, which is the value of the fitted function.
func (p pool) mean() float64 { return p.sum / p.weight }

// appendPool appends a pool, and merges pools at the end until their means increase.
func appendPool(pools []pool, p pool) []pool {
	for len(pools) > 0 && pools[len(pools)-1].mean() >= p.mean() {
		before := pools[len(pools)-1]
		pools = pools[:len(pools)-1]
		p = pool{
			from:   before.from,
			to:     p.to,
			weight: before.weight + p.weight,
			sum:    before.sum + p.sum,
		}
	}
	return append(pools, p)
}

// appendPoint appends a point of the function.
func (f *Isotonic) appendPoint(x, y float64) {
	f.X = append(f.X, x)
	f.Y = append(f.Y, y)
}

// Eval returns the value of the function at x.
func (f Isotonic) Eval(x float64) float64 {
	i, isPoint := slices.BinarySearch(f.X, x) // the first point at or above x
	if i == len(f.X) {
		return f.Y[i-1]
	}
	if i == 0 || isPoint {
		return f.Y[i]
	}
	fraction := (x - f.X[i-1]) / (f.X[i] - f.X[i-1])
	return min(f.Y[i], f.Y[i-1]+float64(fraction*(f.Y[i]-f.Y[i-1])))
}

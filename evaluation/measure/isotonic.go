package measure

import "slices"

// Isotonic is a non-decreasing function: linear between its points, and constant before the first
// and after the last. X is ascending, Y is non-decreasing, and both have the same length, at least
// 1.
type Isotonic struct{ X, Y []float64 }

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

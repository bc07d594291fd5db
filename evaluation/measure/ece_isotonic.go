package measure

import "slices"

var eceIsotonic = Measure{
	Name:       "ece_isotonic",
	Title:      "ECE iso",
	Summary:    "ECE after an isotonic recalibration that is fitted to the training rows",
	Formula:    "ECE of g(Φ(r)), where g(q) is the isotonic regression of the fraction of training rows with Φ(r) ≤ q",
	Convention: "only in studies under the paper protocol. The paper has it; other rows would be a better choice, because a network predicts its training rows too well",
	Source:     "Kuleshov et al. 2018, algorithm 1, and the notebook of Sicking et al.",
	Unit:       None,
	Needs:      []Part{CDF, Recalibration},
	Compute: func(c *Column) float64 {
		recalibrated := make([]float64, len(c.PIT()))
		for i, q := range c.PIT() {
			recalibrated[i] = c.Recalibration.Eval(q)
		}
		return calibrationError(recalibrated, c.sortedPITWeights(), c.Protocol)
	},
}

// FitRecalibration returns the isotonic regression of the empirical distribution function of Φ(r),
// by the rows' weights, on Φ(r). It is close to the identity if the predictions are well calibrated. An empirical
// distribution function never falls, so the regression passes through all its points.
//
// Source: Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated
// regression, algorithm 1.
func (c *Column) FitRecalibration() Isotonic {
	q, weights := c.PIT(), c.sortedPITWeights()
	total := 0.0
	for i := range q {
		total += weighted(weights, i, 1)
	}
	var f Isotonic
	sum := 0.0
	for i := range q {
		sum += weighted(weights, i, 1)
		isLastTie := i+1 == len(q) || q[i+1] != q[i]
		if isLastTie { // all equal values have the fraction of the last one
			f.X = append(f.X, q[i])
			f.Y = append(f.Y, min(1, sum/total))
		}
	}
	return f
}

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

package summary

import (
	"math"
	"slices"
)

// fewestPairs is the number of rows below which a correlation says nothing.
const fewestPairs = 8

// correlation returns Pearson's r of two columns over the rows where both have a value. ok is
// false if there are too few such rows, or if a column is constant in them.
func correlation(a, b []float64) (r float64, ok bool) {
	var n, meanA, meanB float64
	both := func(see func(x, y float64)) {
		for i, x := range a {
			if y := b[i]; !math.IsNaN(x) && !math.IsNaN(y) {
				see(x, y)
			}
		}
	}
	var most [2]float64 // largest absolute values; values are divided by them, so that no product overflows
	both(func(x, y float64) { n, most[0], most[1] = n+1, max(most[0], math.Abs(x)), max(most[1], math.Abs(y)) })
	if n < fewestPairs || most[0] == 0 || most[1] == 0 {
		return 0, false
	}
	both(func(x, y float64) { meanA, meanB = meanA+x/most[0]/n, meanB+y/most[1]/n })
	var aa, bb, ab float64
	both(func(x, y float64) {
		x, y = x/most[0]-meanA, y/most[1]-meanB
		aa, bb, ab = aa+float64(x*x), bb+float64(y*y), ab+float64(x*y)
	})
	const rounding = 1e-24 // variance of a constant column, from rounding alone
	if aa <= rounding*n || bb <= rounding*n {
		return 0, false
	}
	return max(-1, min(ab/(math.Sqrt(aa)*math.Sqrt(bb)), 1)), true
}

// ranks returns the ranks of the values in ascending order, from 0. Equal values share their mean
// rank; the rank of NaN is NaN.
func ranks(values []float64) []float64 {
	var order []int
	of := make([]float64, len(values))
	for i, v := range values {
		if of[i] = math.NaN(); !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			of[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return of
}

// sample returns the values or, if there are more than sampled, this number of them at equal
// distances.
func sample(values []float64) []float64 {
	if len(values) <= sampled {
		return values
	}
	out := make([]float64, sampled)
	for i := range out {
		out[i] = values[i*len(values)/sampled]
	}
	return out
}

// quantile returns the quantile of level p of the sorted values, interpolated linearly. There
// must be at least one value.
func quantile(sorted []float64, p float64) float64 {
	at := float64(p * float64(len(sorted)-1))
	below := int(at)
	above := min(below+1, len(sorted)-1)
	share := at - float64(below)
	return float64((1-share)*sorted[below]) + float64(share*sorted[above])
}

// skewness returns the mean of ((x − mean)/std)³, and 0 if std is 0.
func skewness(values []float64, mean, std float64) float64 {
	if std == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		z := v/std - mean/std
		sum += float64(float64(z*z) * z)
	}
	return sum / float64(len(values))
}

// zeroShare returns the fraction of zeros among the values.
func zeroShare(values []float64) float64 {
	zeros := 0
	for _, v := range values {
		if v == 0 {
			zeros++
		}
	}
	return float64(zeros) / float64(len(values))
}

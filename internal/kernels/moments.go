package kernels

import "math"

// Welford adds the n-th draw x of a vector, counted from 1, to the running
// mean and the running sum of squared distances from it, m2 (Welford 1962).
// Both start at 0; m2/n is the variance of n draws. In float64:
//
//	d    = x − mean
//	mean = fma(d, 1/n, mean)
//	m2   = fma(d, x − mean, m2)
func Welford(mean, m2 []float64, x []float32, n int) {
	check(len(mean) == len(x) && len(m2) == len(x), "Welford", "mean, m2 and x differ in length")
	check(n > 0, "Welford", "draws are counted from 1")
	if len(x) == 0 {
		return
	}
	inverse := 1 / float64(n)
	switch active {
	case avx512:
		welfordAVX512(&mean[0], &m2[0], &x[0], len(x), inverse)
	case avx2:
		welfordAVX2(&mean[0], &m2[0], &x[0], len(x), inverse)
	default:
		for i, x := range x {
			d := float64(x) - mean[i]
			mean[i] = math.FMA(d, inverse, mean[i])
			m2[i] = math.FMA(d, float64(x)-mean[i], m2[i])
		}
	}
}

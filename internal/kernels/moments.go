package kernels

import "math"

// Welford updates the running means and variances of a vector by its n-th draw x (Welford, Note on
// a method for calculating corrected sums of squares and products, 1962). n counts from 1. mean
// and m2, the sum of squared distances from the mean, must be 0 before the first draw; m2/n is
// the variance of n draws. The operations are, in float64:
//
//	d    = x − mean
//	mean = fma(d, 1/n, mean)
//	m2   = fma(d, x − mean, m2)
func Welford(mean, m2 []float64, x []float32, n int) {
	check(len(mean) == len(x) && len(m2) == len(x), "Welford", "mean, m2 and x differ in length")
	check(n > 0, "Welford", "n counts draws from 1")
	if len(x) == 0 {
		return
	}
	inverse := 1 / float64(n)
	switch currentISA {
	case avx512:
		welfordAVX512(&mean[0], &m2[0], &x[0], len(x), inverse)
	case avx2:
		welfordAVX2(&mean[0], &m2[0], &x[0], len(x), inverse)
	case neon:
		welfordNEON(&mean[0], &m2[0], &x[0], len(x), inverse)
	default:
		for i, draw := range x {
			d := float64(draw) - mean[i]
			mean[i] = math.FMA(d, inverse, mean[i])
			m2[i] = math.FMA(d, float64(draw)-mean[i], m2[i])
		}
	}
}

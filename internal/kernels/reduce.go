package kernels

// sumLanes is the number of interleaved partial sums of Sum.
const sumLanes = 64

// Sum returns the sum of a, added in the same order by all implementations: lane l of 64 adds a[l],
// a[l+64], … to 0; then the upper half of the lanes is added to the lower half until one lane is
// left.
func Sum(a []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	var sum [1]float32
	SumCols(sum[:], a, 1, len(a))
	return sum[0]
}

// SumCols writes the Sum of each row of the contiguous m×n matrix a to dst.
func SumCols(dst, a []float32, m, n int) {
	check(m >= 0 && n >= 0 && len(dst) >= m && len(a) >= m*n, "SumCols", "dst is shorter than m or a than m*n")
	if m == 0 || n == 0 {
		clear(dst[:m])
		return
	}
	switch currentISA {
	case avx512:
		sumColsAVX512(&dst[0], &a[0], m, n)
	case avx2:
		sumColsAVX2(&dst[0], &a[0], m, n)
	case neon:
		sumColsNEON(&dst[0], &a[0], m, n)
	default:
		for i := range m {
			var lanes [sumLanes]float32
			for j, x := range a[i*n:][:n] {
				lanes[j%sumLanes] += x
			}
			dst[i] = addLanes(lanes[:])
		}
	}
}

// SumRows writes the sum of each column of the contiguous m×n matrix a to dst. Each sum adds the
// rows in ascending order to 0, or to dst if accumulate is set.
func SumRows(dst, a []float32, m, n int, accumulate bool) {
	check(m >= 0 && n >= 0 && len(dst) >= n && len(a) >= m*n, "SumRows", "dst is shorter than n or a than m*n")
	if n == 0 {
		return
	}
	dst = dst[:n]
	if !accumulate {
		clear(dst)
	}
	if m == 0 {
		return
	}
	switch currentISA {
	case avx512:
		sumRowsAVX512(&dst[0], &a[0], m, n)
	case avx2:
		sumRowsAVX2(&dst[0], &a[0], m, n)
	case neon:
		sumRowsNEON(&dst[0], &a[0], m, n)
	default:
		for i := range m {
			for j, x := range a[i*n:][:n] {
				dst[j] += x
			}
		}
	}
}

// Finite reports whether every value is finite.
func Finite(values []float32) bool {
	// x − x is 0 for finite numbers, and NaN for NaN and infinities.
	sum := Sum(values)
	if sum-sum == 0 { // a NaN or an infinity would have made the sum one, too
		return true
	}
	for _, v := range values { // the sum of large finite numbers can be infinite
		if v-v != 0 {
			return false
		}
	}
	return true
}

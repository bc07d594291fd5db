package data

import (
	"context"
	"math"
	"slices"
)

// leadingEigenvector returns the eigenvector, of norm 1, of the largest eigenvalue of a
// symmetric n×n matrix without negative eigenvalues, given as what sets dst to
// matrix·v: one of them, the same each time, where several eigenvalues are equally
// large. It is not ok where a number is not finite, or ctx has ended.
//
// The method is Lanczos's: an orthonormal basis of v, matrix·v, matrix²·v, … from
// a fixed v, in which the matrix is tridiagonal. The basis is kept orthogonal in
// full (Parlett, The symmetric eigenvalue problem, chapter 13), and grows until
// the leading vector within it is one of the matrix, to the last bits.
func leadingEigenvector(ctx context.Context, n int, times func(dst, v []float64)) (vector []float64, ok bool) {
	var basis [][]float64
	var diagonal, beside []float64 // of the tridiagonal matrix
	v := startVector(n)
	for ctx.Err() == nil {
		basis = append(basis, v)
		next := make([]float64, n)
		times(next, v)
		diagonal = append(diagonal, dot(v, next))
		for range 2 { // once leaves what rounding put there
			for _, b := range basis {
				accumulate(next, -dot(b, next), b)
			}
		}
		norm := math.Sqrt(dot(next, next))
		value, within := leadingTridiagonal(diagonal, beside)
		if math.IsNaN(value+norm) || math.IsInf(value+norm, 0) {
			return nil, false
		}
		// The residual of the vector within the basis, beside its eigenvalue.
		if rest := norm * math.Abs(within[len(within)-1]); rest <= 0x1p-53*value || norm == 0 || len(basis) == n {
			vector = make([]float64, n)
			for i, b := range basis {
				accumulate(vector, within[i], b)
			}
			scaleBy(vector, 1/math.Sqrt(dot(vector, vector)))
			return vector, true
		}
		scaleBy(next, 1/norm)
		beside = append(beside, norm)
		v = next
	}
	return nil, false
}

// startVector returns a vector of norm 1 without a pattern that data could be orthogonal to. Before
// scaling, its elements lie between 1 and 2, spread by the golden ratio, with signs from another
// irrational number.
func startVector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		k := uint64(i) + 1
		v[i] = 1 + float64(float64(k*0x9E3779B97F4A7C15>>11)/(1<<53))
		if k*0xB504F333F9DE6485>>63 == 1 { // √½
			v[i] = -v[i]
		}
	}
	scaleBy(v, 1/math.Sqrt(dot(v, v)))
	return v
}

// leadingTridiagonal returns the largest eigenvalue of a symmetric tridiagonal
// matrix, and its eigenvector of norm 1.
//
// The eigenvalue is the least number t, found by halving, that makes matrix − t
// negative definite, as the pivots of its factors tell. Pivots from above and
// from below meet at the vector's largest element, from which the others follow
// (Parlett and Dhillon 1997, Fernando's solution to Wilkinson's problem).
func leadingTridiagonal(diagonal, beside []float64) (value float64, vector []float64) {
	n := len(diagonal)
	edge := slices.Concat([]float64{0}, beside, []float64{0}) // that between i−1 and i
	low, high := math.Inf(-1), math.Inf(-1)
	for i, a := range diagonal {
		low, high = max(low, a), max(high, a+edge[i]+edge[i+1])
	}
	down, up := make([]float64, n), make([]float64, n)
	definite := func(t float64) bool {
		for i, a := range diagonal {
			down[i] = a - t
			if i > 0 {
				down[i] -= float64(beside[i-1]*beside[i-1]) / down[i-1]
			}
			if !(down[i] < 0) {
				return false
			}
		}
		return true
	}
	// The bound itself may be the eigenvalue; what lies above it cannot.
	for !definite(high) && !math.IsInf(high, 0) && high == high {
		high = math.Nextafter(high+float64(math.Abs(high)*0x1p-50), math.Inf(1))
	}
	for {
		middle := low + float64((high-low)/2)
		if !(low < middle && middle < high) {
			break
		}
		if definite(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	vector = make([]float64, n)
	if !definite(high) {
		return math.NaN(), vector
	}
	for i := n - 1; i >= 0; i-- {
		up[i] = diagonal[i] - high
		if i < n-1 {
			up[i] -= float64(beside[i]*beside[i]) / up[i+1]
		}
		up[i] = min(up[i], -0x1p-1022) // negative but for rounding
	}
	meet, least := 0, math.Inf(1)
	for i, a := range diagonal {
		if gap := math.Abs(down[i] + up[i] - (a - high)); gap < least {
			meet, least = i, gap
		}
	}
	vector[meet] = 1
	for i := meet; i > 0; i-- {
		vector[i-1] = -float64(beside[i-1]*vector[i]) / down[i-1]
	}
	for i := meet; i < n-1; i++ {
		vector[i+1] = -float64(beside[i]*vector[i]) / up[i+1]
	}
	scaleBy(vector, 1/math.Sqrt(dot(vector, vector)))
	return high, vector
}

// dot is the inner product, in four sums that are added at the end.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// accumulate adds factor·v to dst.
func accumulate(dst []float64, factor float64, v []float64) {
	dst = dst[:len(v)]
	for i, x := range v {
		dst[i] += float64(factor * x)
	}
}

func scaleBy(v []float64, factor float64) {
	for i := range v {
		v[i] = float64(v[i] * factor)
	}
}

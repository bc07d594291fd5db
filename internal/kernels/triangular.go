package kernels

import "math"

// This file has the loops of linear algebra, in portable Go for both number types. Sums are
// taken in float64 and in one order, whatever the number type and the CPU. float64(x*y) keeps
// the compiler from fusing a product with the sum that it is added to, and float64(x/2), which is
// compiled to a product, too.

// Cholesky writes to l the lower Cholesky factor of the symmetric part (a + aᵀ)/2 of the
// matrix a [n n]. It returns 0, or the order of the smallest leading block that is not
// positive definite; l is then NaN.
func Cholesky[T float32 | float64](l, a []T, n int) (order int) {
	l = l[:n*n]
	clear(l)
	for j := range n {
		row := l[j*n:][:j+1]
		pivot := float64(a[j*n+j])
		for _, v := range row[:j] {
			pivot -= float64(float64(v) * float64(v))
		}
		if !(pivot > 0) {
			for i := range l {
				l[i] = T(math.NaN())
			}
			return j + 1
		}
		row[j] = T(math.Sqrt(pivot))
		choleskyColumn(l, a, n, j)
	}
	return 0
}

// choleskyColumn computes column j of the factor l below its diagonal, four rows at a time.
func choleskyColumn[T float32 | float64](l, a []T, n, j int) {
	done, pivot := l[j*n:][:j], float64(l[j*n+j])
	half := func(i, j int) float64 { return float64(float64(a[i*n+j]) / 2) }
	start := func(i int) float64 { return half(i, j) + half(j, i) }
	i := j + 1
	for ; i+4 <= n; i += 4 {
		r0, r1, r2, r3 := l[i*n:][:j], l[(i+1)*n:][:j], l[(i+2)*n:][:j], l[(i+3)*n:][:j]
		s0, s1, s2, s3 := start(i), start(i+1), start(i+2), start(i+3)
		for k, v := range done {
			s0 -= float64(float64(r0[k]) * float64(v))
			s1 -= float64(float64(r1[k]) * float64(v))
			s2 -= float64(float64(r2[k]) * float64(v))
			s3 -= float64(float64(r3[k]) * float64(v))
		}
		l[i*n+j], l[(i+1)*n+j], l[(i+2)*n+j], l[(i+3)*n+j] = T(s0/pivot), T(s1/pivot), T(s2/pivot), T(s3/pivot)
	}
	for ; i < n; i++ {
		row, s := l[i*n:][:j], start(i)
		for k, v := range done {
			s -= float64(float64(row[k]) * float64(v))
		}
		l[i*n+j] = T(s / pivot)
	}
}

// Triangular is a system of linear equations t·x = b with a triangular matrix t [n n] and
// right-hand sides b [n m]. Only the lower triangle of t is read, or only the upper.
type Triangular[T float32 | float64] struct {
	N, M  int
	Upper bool
	T, B  []T
	X     []T // solution [n m]; shares no memory with B
}

// Solve computes the columns from, …, to−1 of X.
func (s *Triangular[T]) Solve(from, to int) {
	for ; from+4 <= to; from += 4 {
		for i := range s.N {
			s.solveFour(s.row(i), from)
		}
	}
	for ; from < to; from++ {
		for i := range s.N {
			s.solveOne(s.row(i), from)
		}
	}
}

// row returns the row of X to compute after i rows.
func (s *Triangular[T]) row(i int) int {
	if s.Upper {
		return s.N - 1 - i
	}
	return i
}

// offDiagonal returns the elements of row i of T without the diagonal, and the number of the
// row of X for the first element.
func (s *Triangular[T]) offDiagonal(i int) (elements []T, first int) {
	if s.Upper {
		return s.T[i*s.N:][i+1 : s.N], i + 1
	}
	return s.T[i*s.N:][:i], 0
}

// solveFour computes the elements j, …, j+3 in row i of X.
func (s *Triangular[T]) solveFour(i, j int) {
	m, at := s.M, i*s.M+j
	elements, first := s.offDiagonal(i)
	b := s.B[at:][:4]
	s0, s1, s2, s3 := float64(b[0]), float64(b[1]), float64(b[2]), float64(b[3])
	from := first*m + j
	for _, e := range elements {
		x := s.X[from:][:4]
		from += m
		s0 -= float64(float64(e) * float64(x[0]))
		s1 -= float64(float64(e) * float64(x[1]))
		s2 -= float64(float64(e) * float64(x[2]))
		s3 -= float64(float64(e) * float64(x[3]))
	}
	pivot, x := float64(s.T[i*s.N+i]), s.X[at:][:4]
	x[0], x[1], x[2], x[3] = T(s0/pivot), T(s1/pivot), T(s2/pivot), T(s3/pivot)
}

// solveOne computes element j in row i of X.
func (s *Triangular[T]) solveOne(i, j int) {
	elements, first := s.offDiagonal(i)
	sum, from := float64(s.B[i*s.M+j]), first*s.M+j
	for _, e := range elements {
		sum -= float64(float64(e) * float64(s.X[from]))
		from += s.M
	}
	s.X[i*s.M+j] = T(sum / float64(s.T[i*s.N+i]))
}

// Triangle copies one triangle of a matrix [n n], the upper or the lower one, and multiplies
// its diagonal by a number. The other triangle of dst becomes 0.
func Triangle[T float32 | float64](dst, a []T, n int, upper bool, diagonal T) {
	clear(dst[:n*n])
	for i := range n {
		from, to := 0, i
		if upper {
			from, to = i+1, n
		}
		copy(dst[i*n+from:i*n+to], a[i*n+from:i*n+to])
		dst[i*n+i] = diagonal * a[i*n+i]
	}
}

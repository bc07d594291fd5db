package kernels

import "math"

// This file has the loops of linear algebra, in portable Go for both number types. Sums are added
// in float64 and in the same order for all number types and CPUs. float64(x*y) keeps the compiler
// from fusing a product with a sum; so does float64(x/2), which is compiled to a product.

// Cholesky writes the lower Cholesky factor of the symmetric matrix (a + aᵀ)/2 to l; both are n×n.
// It returns 0, or the size of the smallest leading block that is not positive definite; all
// elements of l are NaN then.
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

// choleskyColumn computes column j of the factor l below its diagonal:
// l[i,j] = (a[i,j] − Σₖ l[i,k]·l[j,k])/l[j,j] over k < j. It computes four rows at a time, so that the CPU
// adds four independent sums, and then the remaining rows one by one.
func choleskyColumn[T float32 | float64](l, a []T, n, j int) {
	pivotRow := l[j*n:][:j]
	pivot := float64(l[j*n+j])
	half := func(i, j int) float64 { return float64(float64(a[i*n+j]) / 2) }
	symmetric := func(i int) float64 { return half(i, j) + half(j, i) } // element (i, j) of (a + aᵀ)/2
	i := j + 1
	for ; i+4 <= n; i += 4 {
		r0 := l[i*n:][:j]
		r1 := l[(i+1)*n:][:j]
		r2 := l[(i+2)*n:][:j]
		r3 := l[(i+3)*n:][:j]
		s0 := symmetric(i)
		s1 := symmetric(i + 1)
		s2 := symmetric(i + 2)
		s3 := symmetric(i + 3)
		for k, v := range pivotRow {
			s0 -= float64(float64(r0[k]) * float64(v))
			s1 -= float64(float64(r1[k]) * float64(v))
			s2 -= float64(float64(r2[k]) * float64(v))
			s3 -= float64(float64(r3[k]) * float64(v))
		}
		l[i*n+j] = T(s0 / pivot)
		l[(i+1)*n+j] = T(s1 / pivot)
		l[(i+2)*n+j] = T(s2 / pivot)
		l[(i+3)*n+j] = T(s3 / pivot)
	}
	for ; i < n; i++ {
		row := l[i*n:][:j]
		s := symmetric(i)
		for k, v := range pivotRow {
			s -= float64(float64(row[k]) * float64(v))
		}
		l[i*n+j] = T(s / pivot)
	}
}

// Triangular is a system of linear equations T·X = B with a triangular matrix T, or several systems of one
// size, one after another in memory.
type Triangular[T float32 | float64] struct {
	N     int  // equations
	M     int  // right-hand sides
	Upper bool // whether the upper triangle of T is read, not the lower one
	T     []T  // N×N for each system
	B     []T  // N×M right-hand sides for each system
	X     []T  // N×M solution for each system; must not overlap B
}

// Systems returns the number of systems.
func (s *Triangular[T]) Systems() int { return len(s.X) / (s.N * s.M) }

// System returns the system with index i.
func (s *Triangular[T]) System(i int) Triangular[T] {
	triangle := s.N * s.N
	sides := s.N * s.M
	return Triangular[T]{
		N:     s.N,
		M:     s.M,
		Upper: s.Upper,
		T:     s.T[i*triangle:][:triangle],
		B:     s.B[i*sides:][:sides],
		X:     s.X[i*sides:][:sides],
	}
}

// SolveAll computes the solutions of all systems.
func (s *Triangular[T]) SolveAll() {
	for i := range s.Systems() {
		system := s.System(i)
		system.Solve(0, s.M)
	}
}

// Solve computes the columns from, …, to−1 of X, the solution of a single system, by substitution: each row of X follows from the rows
// that were computed before it. Columns do not depend on each other.
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

// row returns the index of the row of X that is computed after i others: from the top for a lower
// triangle, from the bottom for an upper one.
func (s *Triangular[T]) row(i int) int {
	if s.Upper {
		return s.N - 1 - i
	}
	return i
}

// offDiagonal returns the elements of row i of T beside the diagonal. first is the row of X that the
// first element is multiplied by; each further element belongs to the next row.
func (s *Triangular[T]) offDiagonal(i int) (elements []T, first int) {
	if s.Upper {
		return s.T[i*s.N:][i+1 : s.N], i + 1
	}
	return s.T[i*s.N:][:i], 0
}

// solveFour computes the elements j, …, j+3 in row i of X, after all rows that they depend on:
// X[i,j] = (B[i,j] − Σₖ T[i,k]·X[k,j])/T[i,i]. The four sums are independent, so that the CPU adds them at
// the same time.
func (s *Triangular[T]) solveFour(i, j int) {
	m := s.M
	index := i*m + j
	elements, first := s.offDiagonal(i)
	b := s.B[index:][:4]
	s0 := float64(b[0])
	s1 := float64(b[1])
	s2 := float64(b[2])
	s3 := float64(b[3])
	from := first*m + j
	for _, e := range elements {
		x := s.X[from:][:4]
		from += m
		s0 -= float64(float64(e) * float64(x[0]))
		s1 -= float64(float64(e) * float64(x[1]))
		s2 -= float64(float64(e) * float64(x[2]))
		s3 -= float64(float64(e) * float64(x[3]))
	}
	pivot := float64(s.T[i*s.N+i])
	x := s.X[index:][:4]
	x[0] = T(s0 / pivot)
	x[1] = T(s1 / pivot)
	x[2] = T(s2 / pivot)
	x[3] = T(s3 / pivot)
}

// solveOne computes element j in row i of X, as solveFour does.
func (s *Triangular[T]) solveOne(i, j int) {
	elements, first := s.offDiagonal(i)
	sum := float64(s.B[i*s.M+j])
	from := first*s.M + j
	for _, e := range elements {
		sum -= float64(float64(e) * float64(s.X[from]))
		from += s.M
	}
	s.X[i*s.M+j] = T(sum / float64(s.T[i*s.N+i]))
}

// Triangles computes the triangle of each n×n matrix in a.
func Triangles[T float32 | float64](dst, a []T, n int, upper bool, diagonal T) {
	size := n * n
	for i := 0; i < len(a); i += size {
		triangle(dst[i:], a[i:], n, upper, diagonal)
	}
}

// triangle copies the upper or lower triangle of the n×n matrix a to dst and multiplies the diagonal
// by a number. The other triangle of dst becomes 0.
func triangle[T float32 | float64](dst, a []T, n int, upper bool, diagonal T) {
	clear(dst[:n*n])
	for i := range n {
		from := 0 // columns from, …, to−1 of row i are in the triangle, beside the diagonal
		to := i
		if upper {
			from = i + 1
			to = n
		}
		copy(dst[i*n+from:i*n+to], a[i*n+from:i*n+to])
		dst[i*n+i] = diagonal * a[i*n+i]
	}
}

package graph

import (
	"errors"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Cholesky returns the lower Cholesky factor L of a symmetric positive definite matrix a
// [n, n]: L·Lᵀ = a. It factorizes the symmetric part (a + aᵀ)/2 of a matrix that is not
// symmetric. If the symmetric part is not positive definite, every element of L is NaN; a
// multiple of the identity added to a makes it positive definite:
//
//	l := b.Cholesky(b.Add(a, b.Scale(1e-4, b.Identity(n))))
func (b *Builder) Cholesky(a *Node) *Node {
	return b.apply("Cholesky", Nodes{a}, func() (*Node, error) {
		if err := checkSquare(a); err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewCholesky(), a)
	})
}

// SolveLower returns the solution x [n, m] of l·x = y for a lower triangular matrix l
// [n, n] and m right-hand sides y [n, m]. Elements of l above the diagonal are not read.
// The solution of (l·lᵀ)·x = y is b.SolveUpper(b.Transpose(l), b.SolveLower(l, y)).
//
// For k matrices l [k, n, n] and y [k, n, m], such as a factor of each row's covariance, it returns the k
// solutions [k, n, m].
func (b *Builder) SolveLower(l, y *Node) *Node { return b.solve("SolveLower", false, l, y) }

// SolveUpper returns the solution x [n, m] of u·x = y for an upper triangular matrix u
// [n, n] and m right-hand sides y [n, m], or k solutions as in SolveLower. Elements of u below the diagonal
// are not read.
func (b *Builder) SolveUpper(u, y *Node) *Node { return b.solve("SolveUpper", true, u, y) }

// solve returns the solution of t·x = y for a triangular matrix t, upper or lower, or for several.
func (b *Builder) solve(name string, upper bool, t, y *Node) *Node {
	return b.apply(name, Nodes{t, y}, func() (*Node, error) {
		axes := t.Dims()
		haveEqualAxes := (axes == 2 || axes == 3) && y.Dims() == axes
		if !haveEqualAxes || t.Shape()[axes-2] != t.Shape()[axes-1] || !slices.Equal(t.Shape()[:axes-1], y.Shape()[:axes-1]) {
			return nil, errors.New("want [n n] and [n m], or [k n n] and [k n m]")
		}
		return gorgonia.ApplyOp(ops.NewTriangularSolve(upper), t, y)
	})
}

// LogDet returns the logarithm of the determinant of a symmetric positive definite matrix a [n, n], a
// scalar: 2·Σ log Lᵢᵢ for the factor L of Cholesky(a). The graph computes the factor once if the
// objective uses it, too. The result is NaN if a is not positive definite.
func (b *Builder) LogDet(a *Node) *Node {
	return b.Scale(2, b.Sum(b.Log(b.Diagonal(b.Cholesky(a)))))
}

// Diagonal returns the diagonal of a matrix [n, n] as a column [n, 1].
func (b *Builder) Diagonal(a *Node) *Node {
	b.apply("Diagonal", Nodes{a}, func() (*Node, error) { return a, checkSquare(a) })
	if b.err != nil {
		return b.standIn(Nodes{a})
	}
	return b.SumColumns(b.Where(b.Identity(a.Shape()[0]), a, b.Const(0)))
}

// checkSquare returns an error unless a is a matrix [n, n].
func checkSquare(a *Node) error {
	if !a.IsMatrix() || a.Shape()[0] != a.Shape()[1] {
		return errors.New("want a square matrix [n n]" + reshapeHint(a))
	}
	return nil
}

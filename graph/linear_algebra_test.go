package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"sml/graph"
)

// positiveDefinite returns a positive definite matrix that depends on all elements of x [n n], and
// is not symmetric itself.
func positiveDefinite(b *graph.Builder, x *graph.Node) *graph.Node {
	n := x.Shape()[0]
	skew := b.Sub(x, b.Transpose(x))
	return b.Add(b.Add(b.Scale(1/float64(n), b.MatMul(x, b.Transpose(x))), skew), b.Identity(n))
}

// matrixOperations returns the operations of linear algebra.
func matrixOperations() []operation {
	diagonal := func(b builder, x node) node { return b.Add(x, b.Scale(4, b.Identity(x.Shape()[0]))) }
	var all []operation
	for _, n := range []int{1, 2, 5, 9} {
		all = append(all,
			operation{fmt.Sprint("Cholesky", n), func(b builder, p maker) node { return b.Cholesky(positiveDefinite(b, p(n, n))) }},
			operation{fmt.Sprint("LogDet", n), func(b builder, p maker) node { return b.LogDet(positiveDefinite(b, p(n, n))) }},
			operation{fmt.Sprint("Diagonal", n), func(b builder, p maker) node { return b.Square(b.Diagonal(p(n, n))) }},
		)
		for _, m := range []int{1, 4, 7, 40} {
			all = append(all,
				operation{fmt.Sprint("SolveLower", n, m), func(b builder, p maker) node { return b.SolveLower(diagonal(b, p(n, n)), p(n, m)) }},
				operation{fmt.Sprint("SolveLower of matrices", n, m), func(b builder, p maker) node {
					t := b.ConcatRows(diagonal(b, p(n, n)), diagonal(b, p(n, n)), diagonal(b, p(n, n)))
					x := b.SolveLower(b.Reshape(t, 3, n, n), b.Reshape(p(3*n, m), 3, n, m))
					return b.Reshape(b.SolveUpper(b.Reshape(t, 3, n, n), x), 3*n, m)
				}},
				operation{fmt.Sprint("SolveUpper", n, m), func(b builder, p maker) node { return b.SolveUpper(diagonal(b, p(n, n)), p(n, m)) }},
			)
		}
	}
	return append(all,
		operation{"SolveLower of repeated rows", func(b builder, p maker) node {
			return b.SolveLower(b.Repeat(b.Shift(b.Square(p(1, 3)), 1), 3, 3), b.Repeat(p(3, 1), 3, 2))
		}},
		operation{"Cholesky of repeated numbers", func(b builder, p maker) node {
			return b.Cholesky(b.Repeat(b.Shift(b.Square(p(1, 1)), 1), 1, 1))
		}})
}

// gaussianNLL returns the negative log-likelihood of rows y [m n] under N(0, a), without its constant.
func gaussianNLL(b *graph.Builder, a, y *graph.Node) *graph.Node {
	z := b.SolveLower(b.Cholesky(a), b.Transpose(y))
	return b.Add(b.Sum(b.Square(z)), b.Scale(float64(y.Shape()[0]), b.LogDet(a)))
}

// The determinant and the likelihood share one factor.
func TestFactorIsComputedOnce(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	loss := gaussianNLL(b, positiveDefinite(b, b.Param("x", 6, 6, graph.Uniform(1))), b.Input("y", 4, 6))
	r := newRunner(t, graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	factors := 0
	for _, s := range r.Program().Instructions() {
		if s.Kernel == "cholesky" {
			factors++
		}
	}
	if factors != 1 {
		t.Errorf("%d factors, want 1", factors)
	}
}

// The fault of a matrix without a factor names the matrix, its line and the remedy.
func TestFaultOfIndefiniteMatrix(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	graph.Inspect(b).TraceLines()
	loss := b.LogDet(b.Input("a", 3, 3))
	f, err := graph.Inspect(b).FindFault(func(r *graph.Runner) {
		copy(r.Input("a"), []float32{2, 1, 0, 1, 0.4, 0, 0, 0, 7})
	}, loss)
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	want := "cholesky of [3 3] of size up to 7 is NaN: the matrix is not positive definite, nor are its first 2 rows and columns; add a multiple of the identity to it, such as b.Scale(1e-4, b.Identity(3)) (at linear_algebra_test.go:"
	if !strings.HasPrefix(f.String(), want) {
		t.Errorf("got %s\nwant %s", f, want)
	}
	if f.Rows != nil {
		t.Errorf("rows %v of a matrix that is NaN everywhere", f.Rows)
	}
}

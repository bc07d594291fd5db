package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/kernels"
)

// Cholesky is the lower Cholesky factor of the symmetric part of a matrix. The factor is NaN if
// the symmetric part is not positive definite.
type Cholesky struct{ baseOp }

// NewCholesky returns the Cholesky factorization.
func NewCholesky() Cholesky { return Cholesky{baseOp{"cholesky", 1}} }

func (o Cholesky) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return squareShape(shapes[0])
}

func (o Cholesky) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	n := inputs[0].Shape()[0]
	return newValue(inputs[0], tensor.Shape{n, n},
		func(dst, x []float32) { kernels.Cholesky(dst, x, n) },
		func(dst, x []float64) { kernels.Cholesky(dst, x, n) })
}

// SymDiff returns the symmetric part of L⁻ᵀ·P·L⁻¹, where P is the lower triangle of Lᵀ·grad with
// half its diagonal: Murray 2016, "Differentiation of the Cholesky decomposition", equation 10.
func (o Cholesky) SymDiff(_ gorgonia.Nodes, l, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	lt := e.transpose(l)
	p := e.apply(NewTriangle(false, 0.5), e.product(lt, grad))
	left := e.apply(NewTriangularSolve(true), lt, p)
	both := e.apply(NewTriangularSolve(true), lt, e.transpose(left))
	sum := e.add(both, e.transpose(both))
	return e.results(e.mul(sum, e.number(l, 0.5)))
}

// TriangularSolve solves t·x = b for a triangular matrix t. It reads only one triangle of t.
type TriangularSolve struct {
	baseOp
	Upper bool
}

// NewTriangularSolve returns the solution of a system with an upper or a lower triangular matrix.
func NewTriangularSolve(upper bool) TriangularSolve {
	return TriangularSolve{baseOp{"solve " + triangleName(upper), 2}, upper}
}

func triangleName(upper bool) string {
	if upper {
		return "upper"
	}
	return "lower"
}

func (o TriangularSolve) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	t, err := squareShape(shapes[0])
	if err != nil {
		return nil, err
	}
	rows, columns, err := matrixShape(shapes[1])
	if err == nil && rows != t[0] {
		err = fmt.Errorf("want %d rows, not %d", t[0], rows)
	}
	return tensor.Shape{rows, columns}, err
}

func (o TriangularSolve) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	b, err := asMatrix(inputs[1])
	if err != nil {
		return nil, err
	}
	n, m := b.Shape()[0], b.Shape()[1]
	return newValue(inputs[0], tensor.Shape{n, m},
		func(x, t []float32) {
			s := kernels.Triangular[float32]{N: n, M: m, Upper: o.Upper, T: t, B: b.Float32s(), X: x}
			s.Solve(0, m)
		},
		func(x, t []float64) {
			s := kernels.Triangular[float64]{N: n, M: m, Upper: o.Upper, T: t, B: b.Float64s(), X: x}
			s.Solve(0, m)
		})
}

// SymDiff returns −triangle(g·xᵀ) and g for g = t⁻ᵀ·grad.
func (o TriangularSolve) SymDiff(operands gorgonia.Nodes, x, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	toB := e.apply(NewTriangularSolve(!o.Upper), e.transpose(operands[0]), grad)
	toT := e.apply(NewTriangle(o.Upper, 1), e.product(toB, e.transpose(x)))
	return e.results(e.unary(gorgonia.Neg, toT), toB)
}

// Triangle is one triangle of a matrix, with its diagonal multiplied by a number, and 0 in the
// other triangle.
type Triangle struct {
	baseOp
	Upper    bool
	Diagonal float64 // factor of the diagonal
}

// NewTriangle returns the upper or the lower triangle of a matrix.
func NewTriangle(upper bool, diagonal float64) Triangle {
	return Triangle{baseOp{fmt.Sprintf("%s triangle with diagonal times %v", triangleName(upper), diagonal), 1}, upper, diagonal}
}

func (o Triangle) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return squareShape(shapes[0])
}

func (o Triangle) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	n := inputs[0].Shape()[0]
	return newValue(inputs[0], tensor.Shape{n, n},
		func(dst, x []float32) { kernels.Triangle(dst, x, n, o.Upper, float32(o.Diagonal)) },
		func(dst, x []float64) { kernels.Triangle(dst, x, n, o.Upper, o.Diagonal) })
}

// SymDiff applies the same operation, which is linear and equal to its own transpose.
func (o Triangle) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(o, grad))
}

// squareShape returns the shape of a square matrix while a graph is built. It returns an error if
// the operand is not a square matrix.
func squareShape(d gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(d)
	if err == nil && rows != columns {
		err = fmt.Errorf("want a square matrix, not [%d %d]", rows, columns)
	}
	return tensor.Shape{rows, columns}, err
}

package ops

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/kernels"
)

// choleskyOp is the lower triangular matrix L with L·Lᵀ = (a + aᵀ)/2, the symmetric part of a matrix a
// [n n]. All its elements are NaN if the symmetric part is not positive definite.
type choleskyOp struct{ baseOp }

// NewCholesky returns the Cholesky factorization.
func NewCholesky() gorgonia.Op { return choleskyOp{baseOp{name: "cholesky", arity: 1}} }

// InferShape returns the shape of the matrix. It returns an error unless the matrix is square.
func (o choleskyOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return squareShape(shapes[0])
}

// Do returns the factor.
func (o choleskyOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	n := inputs[0].Shape()[0]
	return newValue(inputs[0], tensor.Shape{n, n},
		func(dst, x []float32) { kernels.Cholesky(dst, x, n) },
		func(dst, x []float64) { kernels.Cholesky(dst, x, n) })
}

// SymDiff returns the gradient with respect to the matrix: the symmetric part of S = L⁻ᵀ·P·L⁻¹ for
// the factor L, where P is the lower triangle of Lᵀ·grad with half its diagonal. Source: Murray
// 2016, "Differentiation of the Cholesky decomposition", equation 10.
func (o choleskyOp) SymDiff(_ gorgonia.Nodes, l, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	lTransposed := e.transpose(l)
	p := e.apply(NewTriangle(false, 0.5), e.product(lTransposed, grad))
	solveUpper := NewTriangularSolve(true)
	left := e.apply(solveUpper, lTransposed, p)                        // L⁻ᵀ·P
	sTransposed := e.apply(solveUpper, lTransposed, e.transpose(left)) // L⁻ᵀ·(L⁻ᵀ·P)ᵀ = L⁻ᵀ·Pᵀ·L⁻¹
	sum := e.add(sTransposed, e.transpose(sTransposed))
	return e.results(e.mul(sum, e.number(l, 0.5))) // the symmetric part, (S + Sᵀ)/2
}

// triangularSolveOp is the solution x [n m] of t·x = b for a triangular matrix t [n n] and right-hand
// sides b [n m], or the solutions [k n m] for k matrices [k n n] and their right-hand sides [k n m]. It
// reads only one triangle of t.
type triangularSolveOp struct {
	baseOp
	Upper bool // whether t is upper triangular, not lower
}

// NewTriangularSolve returns the operation that solves systems with an upper triangular matrix, or
// with a lower one if upper is false.
func NewTriangularSolve(upper bool) gorgonia.Op {
	return triangularSolveOp{baseOp: baseOp{name: "solve " + triangleName(upper), arity: 2}, Upper: upper}
}

// triangleName returns "upper" or "lower".
func triangleName(upper bool) string {
	if upper {
		return "upper"
	}
	return "lower"
}

// InferShape returns the shape of the solution. It returns an error unless the shapes are [n n] and
// [n m], or [k n n] and [k n m].
func (o triangularSolveOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	t, err := squaresShape(shapes[0])
	if err != nil {
		return nil, err
	}
	b, ok := shapes[1].(tensor.Shape)
	last := t.Dims() - 1
	if !ok || b.Dims() != t.Dims() || !slices.Equal(b[:last], t[:last]) {
		return nil, fmt.Errorf("want %v and any number of right-hand sides, not %v", t[:last], shapes[1])
	}
	return b.Clone(), nil
}

// Do returns the solution.
func (o triangularSolveOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := inputs[1].Shape().Clone()
	n := shape[shape.Dims()-2]
	m := shape[shape.Dims()-1]
	return newValue(inputs[0], shape,
		func(x, t []float32) {
			s := kernels.Triangular[float32]{N: n, M: m, Upper: o.Upper, T: t, B: numbersOf(inputs[1]).([]float32), X: x}
			s.SolveAll()
		},
		func(x, t []float64) {
			s := kernels.Triangular[float64]{N: n, M: m, Upper: o.Upper, T: t, B: numbersOf(inputs[1]).([]float64), X: x}
			s.SolveAll()
		})
}

// SymDiff returns the gradients with respect to t and b: the triangle of −g·xᵀ, and g = t⁻ᵀ·grad.
// They follow from dx = t⁻¹·(db − dt·x); tᵀ is a triangle of the other side.
func (o triangularSolveOp) SymDiff(operands gorgonia.Nodes, x, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	g := e.apply(NewTriangularSolve(!o.Upper), e.transpose(operands[0]), grad)
	triangle := e.apply(NewTriangle(o.Upper, 1), e.product(g, e.transpose(x)))
	return e.results(e.unary(gorgonia.Neg, triangle), g)
}

// triangleOp is one triangle of a matrix [n n], or of each matrix in [k n n], with its diagonal multiplied by
// a number. The other triangle is 0.
type triangleOp struct {
	baseOp
	Upper    bool    // whether it is the upper triangle, not the lower one
	Diagonal float64 // factor of the diagonal
}

// NewTriangle returns the operation that takes the upper triangle of a matrix, or the lower one if
// upper is false, and multiplies its diagonal by a number.
func NewTriangle(upper bool, diagonal float64) gorgonia.Op {
	name := fmt.Sprintf("%s triangle with diagonal times %v", triangleName(upper), diagonal)
	return triangleOp{baseOp: baseOp{name: name, arity: 1}, Upper: upper, Diagonal: diagonal}
}

// InferShape returns the shape of the operand. It returns an error unless its matrices are square.
func (o triangleOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return squaresShape(shapes[0])
}

// Do returns the triangle.
func (o triangleOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := inputs[0].Shape().Clone()
	n := shape[shape.Dims()-1]
	return newValue(inputs[0], shape,
		func(dst, x []float32) { kernels.Triangles(dst, x, n, o.Upper, float32(o.Diagonal)) },
		func(dst, x []float64) { kernels.Triangles(dst, x, n, o.Upper, o.Diagonal) })
}

// SymDiff returns the same triangle of grad: the operation is linear, and each element of the result
// depends on one element of the matrix.
func (o triangleOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
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

// squaresShape returns the shape of a square matrix [n n] or of square matrices [k n n] while a graph is
// built. It returns an error for other operands.
func squaresShape(d gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := d.(tensor.Shape)
	if !ok || shape.Dims() < 2 || shape.Dims() > 3 || shape[shape.Dims()-2] != shape[shape.Dims()-1] {
		return nil, fmt.Errorf("want [n n] or [k n n], not %v", d)
	}
	return shape.Clone(), nil
}

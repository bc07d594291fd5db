package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// columnsOp selects the columns From, …, To−1 of a matrix.
type columnsOp struct {
	baseOp
	From, To int
}

// NewColumns returns the operation that selects the columns from, …, to−1 of a matrix.
func NewColumns(from, to int) gorgonia.Op {
	name := fmt.Sprintf("columns %d:%d", from, to)
	return columnsOp{baseOp: baseOp{name: name, arity: 1}, From: from, To: to}
}

// InferShape returns the shape of the selected columns.
func (o columnsOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(shapes[0])
	return tensor.Shape{rows, o.To - o.From}, err
}

// Do returns a copy of the selected columns.
func (o columnsOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := asMatrix(inputs[0])
	if err != nil {
		return nil, err
	}
	width := o.To - o.From
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], width))
	copyColumns(dst, x, 0, o.From, width)
	return dst, nil
}

// SymDiff returns the gradient with respect to the matrix: grad in the selected columns, and zeros
// in the others.
func (o columnsOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(newPadColumns(o.From, operands[0].Shape()[1]), grad))
}

// padColumnsOp copies a matrix to the columns From, From+1, … of a matrix of zeros with Width
// columns. It is the gradient of columnsOp.
type padColumnsOp struct {
	baseOp
	From, Width int
}

// newPadColumns returns the operation that copies a matrix to the columns from, from+1, … of a
// matrix of zeros with width columns.
func newPadColumns(from, width int) padColumnsOp {
	name := fmt.Sprintf("spread to %d of %d", from, width)
	return padColumnsOp{baseOp: baseOp{name: name, arity: 1}, From: from, Width: width}
}

// InferShape returns the shape of the padded matrix.
func (o padColumnsOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(shapes[0])
	return tensor.Shape{rows, o.Width}, err
}

// Do returns the padded matrix.
func (o padColumnsOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := asMatrix(inputs[0])
	if err != nil {
		return nil, err
	}
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], o.Width))
	copyColumns(dst, x, o.From, 0, x.Shape()[1])
	return dst, nil
}

// SymDiff returns the gradient with respect to the matrix: its columns of grad.
func (o padColumnsOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewColumns(o.From, o.From+operands[0].Shape()[1]), grad))
}

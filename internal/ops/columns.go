package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Columns cuts columns out of a matrix.
type Columns struct {
	baseOp
	From, To int
}

// NewColumns cuts the columns from, …, to−1.
func NewColumns(from, to int) Columns {
	return Columns{baseOp{fmt.Sprintf("columns %d:%d", from, to), 1}, from, to}
}

func (o Columns) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(in[0])
	return tensor.Shape{rows, o.To - o.From}, err
}

func (o Columns) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := asMatrix(in[0])
	if err != nil {
		return nil, err
	}
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], o.To-o.From))
	copyColumns(dst, x, 0, o.From, o.To-o.From)
	return dst, nil
}

func (o Columns) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewPadColumns(o.From, in[0].Shape()[1]), grad))
}

// PadColumns puts a matrix into a wider one of zeros: the gradient of Columns.
type PadColumns struct {
	baseOp
	From, Width int
}

// NewPadColumns puts a matrix to columns from, … of one with width columns.
func NewPadColumns(from, width int) PadColumns {
	return PadColumns{baseOp{fmt.Sprintf("spread to %d of %d", from, width), 1}, from, width}
}

func (o PadColumns) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(in[0])
	return tensor.Shape{rows, o.Width}, err
}

func (o PadColumns) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := asMatrix(in[0])
	if err != nil {
		return nil, err
	}
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], o.Width))
	copyColumns(dst, x, o.From, 0, x.Shape()[1])
	return dst, nil
}

func (o PadColumns) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewColumns(o.From, o.From+in[0].Shape()[1]), grad))
}

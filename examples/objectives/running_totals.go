package main

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "running-totals", whose objective uses an operation of its own.
func init() {
	models.Register(models.Method{
		Name:      "running-totals",
		Title:     "Totals",
		Summary:   "squared error of the running totals over the targets, such as the demand of successive days",
		Source:    "Hou, Yu and Samaras 2016, squared earth mover's distance",
		Objective: runningTotals,
		Predict:   methods.PredictFullNetwork,
	})
}

// runningTotals returns the mean squared error of the sums of the first 1, 2, … targets, a scalar. The sums
// are an operation that neither graph.Builder, whose CumulativeSumRows is over rows, nor Gorgonia has. b.Fail does nothing
// if the error is nil.
func runningTotals(b *graph.Builder, t *models.Task) *graph.Node {
	totals, err := gorgonia.ApplyOp(cumulativeSum{}, b.Sub(t.Forward(graph.Full), t.Y))
	b.Fail(err)
	return t.Mean(b.Square(totals))
}

// cumulativeSum is an operation on a matrix, with its gradient: column j of the result is the sum of the
// columns up to j from the left, or from the right if fromRight is set. It implements gorgonia.Op.
type cumulativeSum struct{ fromRight bool }

// Arity returns the number of operands.
func (o cumulativeSum) Arity() int { return 1 }

// Type returns the type of the operation: the result has the type of the operand.
func (o cumulativeSum) Type() hm.Type {
	a := hm.TypeVariable('a')
	return hm.NewFnType(a, a)
}

// InferShape returns the shape of the result while a graph is built. Its error is the error of
// the objective.
func (o cumulativeSum) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := in[0].(tensor.Shape)
	if !ok || shape.Dims() != 2 {
		return nil, fmt.Errorf("want a matrix, not %v", in[0])
	}
	return shape.Clone(), nil
}

// Do computes the result in new memory and leaves the operand as it is. Several goroutines may
// call it at the same time.
func (o cumulativeSum) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	x, ok := in[0].(tensor.Tensor)
	if !ok {
		return nil, fmt.Errorf("want a matrix, not %T", in[0])
	}
	result := tensor.Materialize(x).Clone().(tensor.Tensor)
	columns := x.Shape()[1]
	switch values := result.Data().(type) {
	case []float32:
		addColumns(values, columns, o.fromRight)
	case []float64:
		addColumns(values, columns, o.fromRight)
	}
	return result, nil
}

// addColumns replaces the values of each row, which are stored one after the other, by their cumulative
// sums.
func addColumns[T float32 | float64](values []T, columns int, fromRight bool) {
	for start := 0; start < len(values); start += columns {
		row := values[start:][:columns]
		for j := 1; j < columns; j++ {
			if fromRight {
				row[columns-1-j] += row[columns-j]
			} else {
				row[j] += row[j-1]
			}
		}
	}
}

// DiffWRT reports for each operand whether a gradient flows to it.
func (o cumulativeSum) DiffWRT(inputs int) []bool { return []bool{true} }

// SymDiff returns the gradient with respect to each operand, as nodes. A column of the operand adds to its
// own column of the result and to all columns after it, so its gradient is the sum of theirs: a cumulative
// sum from the other side. It is made of operations that can be differentiated, so it has a gradient too.
func (o cumulativeSum) SymDiff(operands gorgonia.Nodes, result, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	n, err := gorgonia.ApplyOp(cumulativeSum{fromRight: !o.fromRight}, gradient)
	return gorgonia.Nodes{n}, err
}

// String returns the name of the operation in errors, profiles and drawings.
func (o cumulativeSum) String() string {
	if o.fromRight {
		return "cumulative sum from the right"
	}
	return "cumulative sum"
}

// WriteHash writes what identifies the operation: Gorgonia makes one node of two operations with equal
// hashes and operands, so every field has to change the hash. Here the name depends on the only field.
func (o cumulativeSum) WriteHash(h hash.Hash) { fmt.Fprint(h, o) }

// Hashcode returns a hash of what WriteHash writes.
func (o cumulativeSum) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// ReturnsPtr, CallsExtern and OverwritesInput describe the memory of the result: it is a
// pointer, Go allocates it, and no operand shares it.
func (o cumulativeSum) ReturnsPtr() bool     { return true }
func (o cumulativeSum) CallsExtern() bool    { return false }
func (o cumulativeSum) OverwritesInput() int { return -1 }

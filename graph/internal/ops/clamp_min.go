package ops

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// ClampMin is max(x, Floor), elementwise.
type ClampMin struct {
	identity
	Floor float64
}

// NewClampMin is the maximum of an operand and a floor.
func NewClampMin(floor float64) ClampMin {
	return ClampMin{identity{fmt.Sprintf("clamp min %v", floor), 1}, floor}
}

func (o ClampMin) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) { return sameShape(in[0]) }

func (o ClampMin) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return elements(in, o.Floor, func(floor float64, v []float64) float64 { return math.Max(v[0], floor) })
}

func (o ClampMin) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	g, err := gorgonia.ApplyOp(NewAbove(o.Floor), in[0], grad)
	return gorgonia.Nodes{g}, err
}

// Above is the second operand where the first is above Floor, and 0 elsewhere,
// also where the second is not a number: the gradient of ClampMin.
type Above struct {
	identity
	Floor float64
}

// NewAbove lets its second operand pass where the first is above a floor.
func NewAbove(floor float64) Above {
	return Above{identity{fmt.Sprintf("where above %v", floor), 2}, floor}
}

func (o Above) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) { return sameShape(in[0]) }

func (o Above) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return elements(in, o.Floor, func(floor float64, v []float64) float64 {
		if v[0] > floor {
			return v[1]
		}
		return 0
	})
}

// DiffWRT says that the gradient passes to what is let through, not to what
// decides.
func (o Above) DiffWRT(int) []bool { return []bool{false, true} }

func (o Above) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	g, err := gorgonia.ApplyOp(NewAbove(o.Floor), in[0], grad)
	return gorgonia.Nodes{nil, g}, err
}

func sameShape(d gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := d.(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("want a tensor, not %T", d)
	}
	return shape.Clone(), nil
}

// elements computes a value element by element, from a number, rounded as the
// operands are, and operands of one shape.
func elements(in []gorgonia.Value, number float64, f func(number float64, v []float64) float64) (gorgonia.Value, error) {
	result, err := gorgonia.CloneValue(in[0])
	if err != nil {
		return nil, err
	}
	at := make([]float64, len(in))
	if in[0].Dtype() == tensor.Float32 {
		number = float64(float32(number))
	}
	switch dst := result.(type) {
	case *gorgonia.F32:
		for k, v := range in {
			at[k] = float64(v.Data().(float32))
		}
		return gorgonia.NewF32(float32(f(number, at))), nil
	case *gorgonia.F64:
		for k, v := range in {
			at[k] = v.Data().(float64)
		}
		return gorgonia.NewF64(f(number, at)), nil
	case *tensor.Dense:
		operands := make([]*tensor.Dense, len(in))
		for k, v := range in {
			d, ok := tensor.Materialize(v.(tensor.Tensor)).(*tensor.Dense)
			if !ok {
				return nil, fmt.Errorf("want a dense tensor, not %T", v)
			}
			operands[k] = d
		}
		result := tensor.New(tensor.Of(dst.Dtype()), tensor.WithShape(dst.Shape()...))
		for i := range result.DataSize() {
			for k, d := range operands {
				switch data := d.Data().(type) {
				case []float32:
					at[k] = float64(data[i])
				case []float64:
					at[k] = data[i]
				}
			}
			switch data := result.Data().(type) {
			case []float32:
				data[i] = float32(f(number, at))
			case []float64:
				data[i] = f(number, at)
			}
		}
		return result, nil
	}
	return nil, fmt.Errorf("want numbers, not %T", in[0])
}

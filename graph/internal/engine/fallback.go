package engine

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// emitFallback returns the instruction of an operation without a kernel. It calls Gorgonia's
// own Do method on copies of the operands, since Do may overwrite them.
func (e emitter[T]) emitFallback(v *value, dst []T) instruction {
	sources := make([][]T, len(v.args))
	fills := make([]func(), len(v.args)) // nil for operands that need no filling
	for i, a := range v.args {
		sources[i], fills[i] = e.materialize(a)
	}
	op := v.node.Op()
	return instruction{fmt.Sprintf("gorgonia %v", op), func() {
		operands := make([]gorgonia.Value, len(sources))
		for i, src := range sources {
			if fills[i] != nil {
				fills[i]()
			}
			a := v.args[i]
			operands[i] = newGorgoniaValue(a.shape, slices.Clone(src[:a.size()]))
		}
		if err := runGorgonia(op, dst, operands); err != nil {
			e.fail(fmt.Errorf("%v: %w", op, err))
		}
	}}
}

// runGorgonia writes the numbers of a Gorgonia operation's result to dst. It returns an error if
// the operation fails or gives numbers of another type or count.
func runGorgonia[T float](op gorgonia.Op, dst []T, operands []gorgonia.Value) error {
	result, err := op.Do(operands...)
	if err != nil {
		return err
	}
	data, err := rowMajorData[T](result)
	if err != nil {
		return err
	}
	if len(data) != len(dst) {
		return fmt.Errorf("the result has %d numbers, want %d", len(data), len(dst))
	}
	copy(dst, data)
	return nil
}

// newGorgoniaValue returns a Gorgonia scalar, or a tensor that uses data as its memory.
func newGorgoniaValue[T float](shape []int, data []T) gorgonia.Value {
	if len(shape) > 0 {
		return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
	}
	switch x := any(data[0]).(type) {
	case float32:
		return gorgonia.NewF32(x)
	default:
		return gorgonia.NewF64(any(data[0]).(float64))
	}
}

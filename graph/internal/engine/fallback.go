package engine

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// emitFallback makes the step of an operation that has no kernel: Gorgonia's
// own Do on copies of the operands, since it may overwrite them.
func (e emitter[T]) emitFallback(v *value, dst []T) step {
	op := v.node.Op()
	sources := make([][]T, len(v.args))
	writes := make([]func(), len(v.args))
	for i, a := range v.args {
		sources[i], writes[i] = e.written(a)
	}
	return step{fmt.Sprintf("gorgonia %v", op), func() {
		operands := make([]gorgonia.Value, len(sources))
		for i, src := range sources {
			if writes[i] != nil {
				writes[i]()
			}
			operands[i] = gorgoniaValue(v.args[i].shape, append([]T(nil), src[:v.args[i].size()]...))
		}
		result, err := op.Do(operands...)
		if err != nil {
			e.fail(fmt.Errorf("%v: %w", op, err))
			return
		}
		data, err := dataOf[T](result)
		if err != nil {
			e.fail(fmt.Errorf("%v: %w", op, err))
			return
		}
		if len(data) != len(dst) {
			e.fail(fmt.Errorf("%v gave %d numbers, want %d", op, len(data), len(dst)))
			return
		}
		copy(dst, data)
	}}
}

// gorgoniaValue makes a Gorgonia value on data, without copying a tensor's.
func gorgoniaValue[T float](shape []int, data []T) gorgonia.Value {
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

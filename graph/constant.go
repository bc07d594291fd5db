package graph

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
)

// Constant returns a [rows, columns] matrix of values, row by row, which it copies:
// numbers that no training moves and no model saves. Equal ones are one node. It is an
// error if there are not rows·columns values, or one is not finite in the graph's type.
func (b *Builder) Constant(rows, columns int, values []float64) *Node {
	return b.apply("Constant", nil, func() (*Node, error) {
		if rows < 1 || columns < 1 || len(values) != rows*columns {
			return nil, fmt.Errorf("%d values are not [%d %d]", len(values), rows, columns)
		}
		h := fnv.New64a()
		var word [8]byte
		for i, v := range values {
			if err := b.holds(v); err != nil || math.IsInf(v, 0) || b.dtype == Float32 && math.Abs(v) > math.MaxFloat32 {
				return nil, fmt.Errorf("value %d is %v: want a finite number of %v", i, v, b.dtype)
			}
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			h.Write(word[:])
		}
		// Named by its values, so that Same tells other ones apart.
		name := fmt.Sprintf("constant %016x [%d %d]", h.Sum64(), rows, columns)
		for _, have := range b.inputs {
			if have.name == name && slices.Equal(have.fixed, values) {
				return have.node, nil
			}
		}
		n, err := b.input(name, rows, columns)
		if err == nil {
			b.inputs[len(b.inputs)-1].fixed = slices.Clone(values)
		}
		return n, err
	})
}

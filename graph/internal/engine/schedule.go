package engine

import "slices"

// schedule returns the values to compute, operands first. With sampling, the values that
// depend on no random numbers come first, and firstDynamic is the index of the first other value.
func schedule(outputs []*value, sampling bool) (order []*value, firstDynamic int) {
	for _, v := range withOperands(outputs) {
		switch v.kind {
		case kindInput, kindConstant, kindBroadcast, kindReshape: // nothing to compute
		default:
			order = append(order, v)
		}
	}
	if !sampling {
		return order, 0
	}
	// The sort keeps operands before their users: it is stable, and no value without random
	// numbers depends on one with them.
	slices.SortStableFunc(order, func(a, b *value) int {
		switch {
		case a.dynamic == b.dynamic:
			return 0
		case b.dynamic:
			return -1
		}
		return 1
	})
	firstDynamic = slices.IndexFunc(order, func(v *value) bool { return v.dynamic })
	if firstDynamic < 0 {
		firstDynamic = len(order)
	}
	return order, firstDynamic
}

// giveOutputsMemory returns the outputs with memory of their own each, and marks the owners of
// this memory as outputs. It copies an output that is an input, a constant or a broadcast, or that
// shares memory with an earlier output.
func giveOutputsMemory(outputs []*value) []*value {
	taken := make(map[*value]bool) // values in whose memory an output lies
	result := make([]*value, len(outputs))
	for i, v := range outputs {
		if !hasOwnMemory(v) || taken[v.memoryOwner()] {
			v = &value{
				kind:    kindCopy,
				args:    []*value{v},
				shape:   v.shape,
				rows:    v.rows,
				cols:    v.cols,
				dynamic: v.dynamic,
			}
		}
		taken[v.memoryOwner()] = true
		v.memoryOwner().isOutput = true
		result[i] = v
	}
	return result
}

// hasOwnMemory reports whether the numbers of v lie in the arena, one for each element.
func hasOwnMemory(v *value) bool {
	switch v.memoryOwner().kind {
	case kindInput, kindConstant, kindBroadcast:
		return false
	}
	return v.kind != kindBroadcast
}

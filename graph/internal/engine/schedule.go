package engine

import "slices"

// schedule lists the values to compute, operands first. For sampling, what
// masks do not reach comes first; from says where the rest begins.
func schedule(outputs []*value, sampling bool) (order []*value, from int) {
	for _, v := range needed(outputs) {
		switch v.kind {
		case input, constant, broadcast, reshape:
		default:
			order = append(order, v)
		}
	}
	if !sampling {
		return order, 0
	}
	slices.SortStableFunc(order, func(a, b *value) int {
		switch {
		case a.dynamic == b.dynamic:
			return 0
		case b.dynamic:
			return -1
		}
		return 1
	})
	from = slices.IndexFunc(order, func(v *value) bool { return v.dynamic })
	if from < 0 {
		from = len(order)
	}
	return order, from
}

// separate returns outputs that each have memory of their own: where one is
// an input, a constant, a broadcast, or shares memory with another output, it is
// copied.
func separate(outputs []*value) []*value {
	taken := make(map[*value]bool)
	result := make([]*value, len(outputs))
	for i, v := range outputs {
		s := v.stored()
		own := v.kind != broadcast && s.kind != input && s.kind != constant && s.kind != broadcast && !taken[s]
		if !own {
			v = &value{kind: copied, args: []*value{v}, shape: v.shape, rows: v.rows, cols: v.cols, dynamic: v.dynamic}
			s = v
		}
		taken[s] = true
		s.output = true
		result[i] = v
	}
	return result
}

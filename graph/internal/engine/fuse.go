package engine

import (
	"slices"

	"sml/internal/kernels"
)

// fusion moves elementwise work into products.
type fusion struct {
	outputs  []*value
	users    map[*value][]*value
	gone     map[*value]bool // part of another value now
	sampling bool            // what masks reach is computed more often than the rest
}

// fuse rewrites what the outputs depend on and returns the outputs, some of
// which may be other values now.
func fuse(outputs []*value, sampling bool) []*value {
	f := &fusion{outputs: slices.Clone(outputs), users: make(map[*value][]*value), gone: make(map[*value]bool), sampling: sampling}
	gatesByResults(needed(outputs))
	order := needed(outputs)
	for _, v := range order {
		for _, a := range v.operands() {
			f.users[a] = append(f.users[a], v)
		}
	}
	for _, v := range outputs {
		v.output = true
	}
	for _, v := range order {
		switch {
		case f.gone[v]:
		case v.kind == matmul:
			f.tail(v)
		case v.kind == sumRows:
			f.add(v)
		}
	}
	return f.outputs
}

// needed lists the values that the outputs depend on, operands first.
func needed(outputs []*value) []*value {
	var order []*value
	seen := make(map[*value]bool)
	var visit func(v *value)
	visit = func(v *value) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, a := range v.operands() {
			visit(a)
		}
		order = append(order, v)
	}
	for _, v := range outputs {
		visit(v)
	}
	return order
}

// gatesByResults lets gates look at the result of a ReLU in place of its
// operand: one is positive where the other is. The operand then needs no memory.
// Likewise x·mask gated by h is gated as well by h·mask.
func gatesByResults(order []*value) {
	relu := make(map[*value]*value)
	dropped := make(map[[2]*value]*value) // of h and its mask
	for _, v := range order {
		switch {
		case v.kind == unary && v.unaryOp == kernels.Relu:
			relu[v.args[0]] = v
		case v.is(kernels.Mul):
			dropped[[2]*value{v.args[0], v.args[1]}] = v
			dropped[[2]*value{v.args[1], v.args[0]}] = v
		}
	}
	for _, v := range order {
		if !v.is(kernels.Gate) {
			continue
		}
		if h, ok := relu[v.args[1]]; ok {
			v.args[1] = h
		}
		if x := v.args[0]; x.is(kernels.Mul) {
			for i, mask := range x.args {
				if d, ok := dropped[[2]*value{v.args[1], mask}]; ok && isMask(mask) && x.args[1-i] != v.args[1] {
					v.args[1] = d
					break
				}
			}
		}
	}
}

// isMask tells whether a value is a dropout mask: not negative, from outside.
func isMask(v *value) bool {
	if v.kind == reshape {
		v = v.args[0]
	}
	return v.kind == input && v.dynamic
}

// only returns the single user of v, nil if it has several or is an output.
func (f *fusion) only(v *value) *value {
	if users := f.users[v]; len(users) == 1 && !v.output {
		return users[0]
	}
	return nil
}

// tail lets a product absorb what happens to its result.
func (f *fusion) tail(v *value) {
	for {
		user := f.only(v)
		if user == nil {
			f.twice(v)
			return
		}
		if f.sampling && user.dynamic && !v.dynamic {
			return // it would be computed again for every draw
		}
		if !f.absorb(v, user) {
			return
		}
	}
}

// absorb makes the user of a product part of it, if that is possible.
func (f *fusion) absorb(v, user *value) bool {
	t := &v.tail
	done := t.relu || t.mask != nil || t.gate != nil
	switch {
	case user.is(kernels.Add) && !done:
		other := user.args[0]
		if other == v {
			other = user.args[1]
		}
		switch {
		case other == v:
			return false
		case other.kind == broadcast && t.bias == nil && isRow(other.args[0], v.cols):
			t.bias = other.args[0]
		case t.bias == nil && v.accumulate == nil && f.ownMemory(other, user) && f.before(other, v):
			v.accumulate = other
		default:
			return false
		}
	case user.kind == unary && user.unaryOp == kernels.Relu && !done:
		t.relu = true
	case user.is(kernels.Mul) && t.mask == nil && t.gate == nil:
		mask := user.args[0]
		if mask == v {
			mask = user.args[1]
		}
		if mask == v || mask.kind == broadcast || !f.before(mask, v) {
			return false
		}
		t.mask = mask
	case user.is(kernels.Gate) && user.args[0] == v && user.args[1] != v && user.args[1].kind != broadcast && t.gate == nil && f.before(user.args[1], v):
		t.gate = user.args[1]
	default:
		return false
	}
	f.replace(v, user)
	return true
}

// isRow tells whether a value is a row of n numbers.
func isRow(v *value, n int) bool { return v.cols == n && v.rows == 1 || v.size() == 1 && n == 1 }

// ownMemory tells whether other ends with user, so that its memory can be
// taken over.
func (f *fusion) ownMemory(other, user *value) bool {
	switch other.kind {
	case input, constant, broadcast, reshape, masked:
		return false
	}
	again := f.sampling && user.dynamic && !other.dynamic // other is computed once, user for every draw
	return f.only(other) == user && slices.Equal(other.shape, user.shape) && !again
}

// before tells whether v can be computed before w, that is, does not need it.
func (f *fusion) before(v, w *value) bool {
	seen := make(map[*value]bool)
	var needs func(v *value) bool
	needs = func(v *value) bool {
		if v == w {
			return true
		}
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.operands(), needs)
	}
	return !needs(v)
}

// twice lets a product store its result before and after a mask, when both
// are used.
func (f *fusion) twice(v *value) {
	if v.tail.mask != nil || v.tail.gate != nil || f.sampling {
		return
	}
	for _, user := range f.users[v] {
		if !user.is(kernels.Mul) {
			continue
		}
		mask := user.args[0]
		if mask == v {
			mask = user.args[1]
		}
		if mask == v || mask.kind == broadcast || !f.before(mask, v) {
			continue
		}
		v.tail.mask = mask
		v.tail.twice = user
		f.users[mask] = append(slices.DeleteFunc(f.users[mask], func(u *value) bool { return u == user }), v)
		user.kind = masked
		user.args = []*value{v}
		return
	}
}

// add lets a sum over rows start from what would be added to it.
func (f *fusion) add(v *value) {
	user := f.only(v)
	if user == nil || !user.is(kernels.Add) {
		return
	}
	other := user.args[0]
	if other == v {
		other = user.args[1]
	}
	if other == v || v.accumulate != nil || !f.ownMemory(other, user) || !f.before(other, v) {
		return
	}
	v.accumulate = other
	f.replace(v, user)
}

// replace puts v in the place of user, which v now computes.
func (f *fusion) replace(v, user *value) {
	for _, a := range user.operands() {
		f.users[a] = slices.DeleteFunc(f.users[a], func(u *value) bool { return u == user })
		if a != v {
			f.users[a] = append(f.users[a], v)
		}
	}
	for _, u := range f.users[user] {
		for i, a := range u.args {
			if a == user {
				u.args[i] = v
			}
		}
		for _, field := range []**value{&u.tail.bias, &u.tail.mask, &u.tail.gate, &u.accumulate} {
			if *field == user {
				*field = v
			}
		}
	}
	f.users[v] = f.users[user]
	v.output = v.output || user.output
	v.dynamic = v.dynamic || user.dynamic
	f.gone[user] = true
	for i, o := range f.outputs {
		if o == user {
			f.outputs[i] = v
		}
	}
}

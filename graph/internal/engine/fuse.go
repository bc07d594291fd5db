package engine

import (
	"slices"

	"sml/internal/kernels"
)

// fusion moves elementwise operations into the products and sums before them.
type fusion struct {
	outputs  []*value
	users    map[*value][]*value // values with the key among their operands, once for each such operand: see setOperand
	fused    map[*value]bool     // values that another value now computes
	sampling bool                // whether values that depend on random numbers are computed for every draw
}

// fuse rewrites the values that the outputs depend on, so that a product also does the
// elementwise operations that follow it. It returns the outputs after the rewriting.
func fuse(outputs []*value, sampling bool) []*value {
	f := &fusion{
		outputs:  slices.Clone(outputs),
		users:    make(map[*value][]*value),
		fused:    make(map[*value]bool),
		sampling: sampling,
	}
	rewriteGates(withOperands(outputs))
	order := withOperands(outputs) // again, since the rewritten gates have other operands
	for _, v := range order {
		for _, a := range v.operands() {
			f.users[a] = append(f.users[a], v)
		}
	}
	for _, v := range outputs {
		v.isOutput = true
	}
	for _, v := range order {
		if f.fused[v] { // another value computes it already
			continue
		}
		switch v.kind {
		case kindMatMul:
			f.fuseEpilogue(v)
		case kindSumRows:
			f.fuseSumRows(v)
		}
	}
	return f.outputs
}

// withOperands returns the outputs and all values that they depend on, operands first.
func withOperands(outputs []*value) []*value {
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

// rewriteGates replaces the second operand of gates, so that values which only gates read
// need no memory. A gate sets an element to 0 where its second operand is not positive.
//   - relu(z) is positive where z is: a gate by z becomes a gate by relu(z).
//   - mask·h is 0 or has the sign of h: a gate of mask·x by h becomes a gate by mask·h.
func rewriteGates(order []*value) {
	relus := make(map[*value]*value)       // relu(z) by z
	products := make(map[[2]*value]*value) // elementwise products by their operands, in both orders
	for _, v := range order {
		switch {
		case v.kind == kindUnary && v.unaryOp == kernels.Relu:
			relus[v.args[0]] = v
		case v.isBinary(kernels.Mul):
			products[[2]*value{v.args[0], v.args[1]}] = v
			products[[2]*value{v.args[1], v.args[0]}] = v
		}
	}
	for _, v := range order {
		if !v.isBinary(kernels.Gate) {
			continue
		}
		if relu, ok := relus[v.args[1]]; ok {
			v.args[1] = relu
		}
		// The order matters: a gate of mask·x by z, with h = relu(z), now is one by h.
		if masked := maskedGate(v, products); masked != nil {
			v.args[1] = masked
		}
	}
}

// maskedGate returns the existing product mask·h for a gate of mask·x by h, nil if there is
// none. Either factor of the gated product can be the mask.
func maskedGate(gate *value, products map[[2]*value]*value) *value {
	gated, h := gate.args[0], gate.args[1]
	if !gated.isBinary(kernels.Mul) {
		return nil
	}
	for i, mask := range gated.args {
		x := gated.args[1-i]
		if product, ok := products[[2]*value{h, mask}]; ok && isMask(mask) && x != h {
			return product
		}
	}
	return nil
}

// isMask reports whether v is a dropout mask, also in another shape.
func isMask(v *value) bool {
	if v.kind == kindReshape {
		v = v.args[0]
	}
	return v.isMask
}

// singleUser returns the only user of v, nil if v has several users or is an output.
func (f *fusion) singleUser(v *value) *value {
	if users := f.users[v]; len(users) == 1 && !v.isOutput {
		return users[0]
	}
	return nil
}

// fuseEpilogue lets a matrix product compute the operations that follow it, as far as its
// epilogue can express them. Each round moves one operation into the product, which then has the
// users of that operation; the loop ends where the product has no single user or cannot absorb it.
func (f *fusion) fuseEpilogue(product *value) {
	for {
		user := f.singleUser(product)
		if user == nil {
			f.fuseMaskedResult(product)
			return
		}
		// A product that does not depend on random numbers is computed once for all draws. It must not
		// absorb an operation that is computed for every draw.
		if f.sampling && user.dynamic && !product.dynamic {
			return
		}
		if !f.fuseUser(product, user) {
			return
		}
	}
}

// fuseUser makes the single user of a matrix product part of its epilogue, if the user adds a
// bias or a matrix, applies ReLU, or multiplies by a mask or a gate. It reports whether that was
// possible.
func (f *fusion) fuseUser(product, user *value) bool {
	e := &product.epilogue
	pastSums := e.relu || e.mask != nil || e.gate != nil // ReLU, mask and gate follow all sums
	switch {
	case user.isBinary(kernels.Add):
		if pastSums || !f.fuseAddition(product, user) {
			return false
		}
	case user.kind == kindUnary && user.unaryOp == kernels.Relu:
		if pastSums {
			return false
		}
		e.relu = true
	case user.isBinary(kernels.Mul):
		mask := otherOperand(user, product)
		if mask.kind == kindBroadcast && isRow(mask.args[0], product.cols) {
			mask = mask.args[0]
		}
		if e.mask != nil || e.gate != nil || !isEpilogueOperand(mask, product) {
			return false
		}
		f.setOperand(product, &e.mask, mask)
	case user.isBinary(kernels.Gate):
		gate := user.args[1]
		if user.args[0] != product || e.gate != nil || !isEpilogueOperand(gate, product) {
			return false
		}
		f.setOperand(product, &e.gate, gate)
	default:
		return false
	}
	f.replace(user, product)
	return true
}

// fuseAddition makes the other operand of an addition the bias of a product, or the matrix
// that the product accumulates onto. It reports whether that was possible. The kernel adds
// the products to the matrix and then the bias: after a bias, no further addition keeps this order.
func (f *fusion) fuseAddition(product, addition *value) bool {
	if product.epilogue.bias != nil {
		return false
	}
	other := otherOperand(addition, product)
	switch {
	case other == product: // product + product
		return false
	case other.kind == kindBroadcast && isRow(other.args[0], product.cols):
		f.setOperand(product, &product.epilogue.bias, other.args[0])
	case product.accumulate == nil && f.canOverwrite(other, addition) && !dependsOn(other, product):
		// The matrix must be computed before the product, and nobody may need it afterwards.
		f.setOperand(product, &product.accumulate, other)
	default:
		return false
	}
	return true
}

// otherOperand returns the operand of a binary operation beside v: v itself for v op v.
func otherOperand(operation, v *value) *value {
	if operation.args[0] == v {
		return operation.args[1]
	}
	return operation.args[0]
}

// isEpilogueOperand reports whether a product can read v as its mask or gate: v must have a number
// for each element, and must be computed before the product.
func isEpilogueOperand(v, product *value) bool {
	return v != product && v.kind != kindBroadcast && !dependsOn(v, product)
}

// isRow reports whether v is a row of n numbers.
func isRow(v *value, n int) bool {
	return v.cols == n && v.rows == 1 || v.size() == 1 && n == 1
}

// canOverwrite reports whether the result of user may lie in the memory of its operand v: v
// has memory of its own, and only user reads it, once. With sampling, an operand that is computed
// once for all draws must survive the first draw.
func (f *fusion) canOverwrite(v, user *value) bool {
	switch v.kind {
	case kindInput, kindConstant, kindBroadcast, kindReshape, kindMaskedResult:
		return false
	}
	readByEveryDraw := f.sampling && user.dynamic && !v.dynamic
	return f.singleUser(v) == user && slices.Equal(v.shape, user.shape) && !readByEveryDraw
}

// dependsOn reports whether v is w or is computed from w.
func dependsOn(v, w *value) bool {
	seen := make(map[*value]bool)
	var visit func(v *value) bool
	visit = func(v *value) bool {
		if v == w {
			return true
		}
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.operands(), visit)
	}
	return visit(v)
}

// fuseMaskedResult lets a product with several users store its result both before and after
// a mask, if one user is the multiplication by the mask. That multiplication becomes a masked
// result, which the product's instruction writes.
func (f *fusion) fuseMaskedResult(product *value) {
	if product.epilogue.mask != nil || product.epilogue.gate != nil || f.sampling {
		return
	}
	for _, user := range f.users[product] {
		if !user.isBinary(kernels.Mul) {
			continue
		}
		mask := otherOperand(user, product)
		if !isEpilogueOperand(mask, product) {
			continue
		}
		f.setOperand(product, &product.epilogue.mask, mask)
		f.removeUser(mask, user)
		product.epilogue.maskedResult = user
		user.kind = kindMaskedResult
		user.args = []*value{product}
		return
	}
}

// fuseSumRows lets a sum over rows accumulate onto the other operand of the addition that follows.
func (f *fusion) fuseSumRows(sum *value) {
	user := f.singleUser(sum)
	if user == nil || !user.isBinary(kernels.Add) {
		return
	}
	other := otherOperand(user, sum)
	if other == sum || sum.accumulate != nil || !f.canOverwrite(other, user) || dependsOn(other, sum) {
		return
	}
	f.setOperand(sum, &sum.accumulate, other)
	f.replace(user, sum)
}

// setOperand makes operand one more operand of user, in one of user's fields. Fusing adds operands
// by this function alone, so that users has every value that reads another one.
func (f *fusion) setOperand(user *value, field **value, operand *value) {
	*field = operand
	f.users[operand] = append(f.users[operand], user)
}

// removeUser removes user from the users of v. A value that has lost its last user is not computed, so
// that it does not use its operands either.
func (f *fusion) removeUser(v, user *value) {
	f.users[v] = slices.DeleteFunc(f.users[v], func(u *value) bool { return u == user })
	if len(f.users[v]) > 0 || v.isOutput {
		return
	}
	for _, a := range v.operands() {
		f.removeUser(a, v)
	}
}

// replace puts v in the place of old, whose operation is part of v from now on and whose operands v
// has already. v takes over the users of old; it becomes an output if old was one, and dynamic if old
// was.
func (f *fusion) replace(old, v *value) {
	for _, user := range f.users[old] {
		replaceOperand(user, old, v)
	}
	f.users[v] = f.users[old]
	f.users[old] = nil
	v.isOutput = v.isOutput || old.isOutput
	for _, a := range old.operands() {
		if a != v {
			f.removeUser(a, old)
		}
	}
	v.dynamic = v.dynamic || old.dynamic
	f.fused[old] = true
	for i, output := range f.outputs {
		if output == old {
			f.outputs[i] = v
		}
	}
}

// replaceOperand makes user read v wherever it read old.
func replaceOperand(user, old, v *value) {
	for i, a := range user.args {
		if a == old {
			user.args[i] = v
		}
	}
	substitute := func(operand *value) *value {
		if operand == old {
			return v
		}
		return operand
	}
	e := &user.epilogue
	e.bias = substitute(e.bias)
	e.mask = substitute(e.mask)
	e.gate = substitute(e.gate)
	user.accumulate = substitute(user.accumulate)
}

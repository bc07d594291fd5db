package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"

	"sml/internal/kernels"
	"sml/internal/ops"
)

// kind is the operation that computes a value. In the comments, a and b are the value's
// first and second operand, args[0] and args[1].
type kind uint8

const (
	kindInput              kind = iota // numbers bound to node from outside the program
	kindConstant                       // the scalar number
	kindBroadcast                      // a scalar, row or column a, repeated to shape; has no memory of its own
	kindReshape                        // a with another shape; shares the memory of a
	kindMatMul                         // matrix product a·b, with an epilogue
	kindBatchedMatMul                  // products of the matrices of a with the matrices of b, pairwise
	kindUnary                          // unaryOp of each element of a
	kindBinary                         // binaryOp of the elements of a and b; operands may be broadcasts
	kindSum                            // sum of all elements of a
	kindSumRows                        // sum over the rows of a: one number per column
	kindSumCols                        // sum over the columns of a: one number per row
	kindMaxRows                        // maximum over the rows of a: one number per column
	kindMaxCols                        // maximum over the columns of a: one number per row
	kindFunction                       // function of each element of a
	kindTranspose                      // transpose of the matrix a
	kindTransposeMatrices              // transpose of each matrix of a
	kindSliceColumns                   // columns of a, from firstColumn on
	kindPadColumns                     // a, placed at firstColumn in a wider matrix of zeros
	kindConcat                         // args side by side
	kindCopy                           // a in memory of its own
	kindPatches                        // patches of the images a under a sliding window
	kindImages                         // images, as the sum of their patches a
	kindGatherRows                     // rows of a whose indices are the column b
	kindScatterRows                    // sum of the rows of a by the row indices b
	kindCumulativeSum                  // cumulative sum over the rows of a
	kindOrder                          // row numbers of the elements of each column of a in ascending order
	kindCholesky                       // Cholesky factor of a
	kindTriangularSolution             // solution x of a·x = b with a triangular matrix a
	kindTriangle                       // triangle of a, with the diagonal multiplied by number
	kindFallback                       // the operation of node, computed by Gorgonia
	kindMaskedResult                   // second result of the product a: its elements times the mask
)

// value is one intermediate result of a program. Every value is stored as a matrix, row by
// row: a scalar is 1×1, a vector of n numbers is 1×n, and the rows of a tensor of more axes
// are the vectors along its last axis.
type value struct {
	kind       kind
	args       []*value // operands
	shape      []int    // as in Gorgonia; empty for a scalar
	rows, cols int

	node        *gorgonia.Node // for kindInput and kindFallback
	number      float64        // for kindConstant and kindTriangle
	unaryOp     kernels.UnaryOp
	binaryOp    kernels.BinaryOp
	function    ops.Function // for kindFunction
	firstColumn int          // for kindSliceColumns and kindPadColumns
	window      ops.Window   // for kindPatches and kindImages
	transA      bool         // whether a product transposes its first operand
	fromEnd     bool         // whether a cumulative sum begins with the last row
	upper       bool         // whether a triangle is the upper one, not the lower one
	epilogue    epilogue     // for kindMatMul
	accumulate  *value       // value that a product or sum over rows adds to, in its memory; nil if none

	isMask   bool // for kindInput: whether it is a dropout mask, which has no negative number
	dynamic  bool // whether the value depends on random numbers
	isOutput bool
	offset   int // index of the first number in the arena
}

// epilogue lists the operations that a matrix product applies to each element before storing it,
// in this order: add bias, ReLU, multiply by mask, set to 0 where gate is not positive. A nil field
// leaves its operation out.
type epilogue struct {
	bias *value // row
	relu bool
	mask *value // one number for each element, or a row
	gate *value

	// maskedResult is the value of kindMaskedResult that receives the masked elements, if the
	// product itself stores the elements before the mask. It is nil if only one result is needed.
	maskedResult *value
}

// size returns the number of elements.
func (v *value) size() int { return v.rows * v.cols }

// isBinary reports whether v is computed by the given operation on two values.
func (v *value) isBinary(op kernels.BinaryOp) bool { return v.kind == kindBinary && v.binaryOp == op }

// operands returns every value that must be computed before v.
func (v *value) operands() []*value {
	operands := slices.Clone(v.args)
	for _, w := range []*value{v.epilogue.bias, v.epilogue.mask, v.epilogue.gate, v.accumulate} {
		if w != nil {
			operands = append(operands, w)
		}
	}
	return operands
}

// memoryOwner returns the value in whose memory the numbers of v lie: v itself, unless v is a view, as
// reshapes and broadcasts are.
func (v *value) memoryOwner() *value {
	for v.kind == kindReshape || v.kind == kindBroadcast {
		v = v.args[0]
	}
	return v
}

// matrixDims returns the rows and columns of the matrix that stores a tensor.
func matrixDims(shape []int) (rows, cols int) {
	if len(shape) == 0 {
		return 1, 1
	}
	last := len(shape) - 1
	rows = 1
	for _, n := range shape[:last] {
		rows *= n
	}
	return rows, shape[last]
}

// shapeSize returns the number of elements of a tensor.
func shapeSize(shape []int) int {
	rows, cols := matrixDims(shape)
	return rows * cols
}

// valueTable creates values and simplifies them. Equal values are created only once (common
// subexpression elimination).
type valueTable struct {
	isFloat32 bool
	byKey     map[string]*value // all values, by the text that key returns
	ids       map[*value]int    // consecutive numbers of the values, by which keys name operands
}

// newValueTable returns an empty table for a graph in float32, or in float64.
func newValueTable(isFloat32 bool) *valueTable {
	return &valueTable{isFloat32: isFloat32, byKey: make(map[string]*value), ids: make(map[*value]int)}
}

// lookUpOrAdd returns an equal value that the table already has, or else enters v. It sets the
// matrix dimensions of v, and marks v as dynamic if an operand is.
func (t *valueTable) lookUpOrAdd(v value) *value {
	v.rows, v.cols = matrixDims(v.shape)
	for _, a := range v.args {
		v.dynamic = v.dynamic || a.dynamic
	}
	key := t.key(&v)
	if existing, ok := t.byKey[key]; ok {
		return existing
	}
	t.byKey[key] = &v
	t.ids[&v] = len(t.ids)
	return &v
}

// key returns a text that is the same for equal values only: the operation, its settings and the
// operands. The operands are in the table already, so that equal ones are the same value and a
// number identifies each. Epilogues are not part of the text: fusing sets them after the last
// lookup.
func (t *valueTable) key(v *value) string {
	var key strings.Builder
	fmt.Fprint(&key, v.kind, v.shape, math.Float64bits(v.number), v.unaryOp, v.binaryOp)
	fmt.Fprint(&key, " ", v.function.Key, v.firstColumn, v.window, v.transA, v.fromEnd, v.upper)
	if v.kind == kindInput || v.kind == kindFallback {
		fmt.Fprint(&key, v.node.ID())
	}
	for _, a := range v.args {
		fmt.Fprint(&key, ",", t.ids[a])
	}
	return key.String()
}

// constant returns a scalar.
func (t *valueTable) constant(number float64) *value {
	return t.lookUpOrAdd(value{kind: kindConstant, number: t.roundToGraph(number)})
}

// roundToGraph rounds a number to the number type of the graph.
func (t *valueTable) roundToGraph(number float64) float64 {
	if t.isFloat32 {
		return float64(float32(number))
	}
	return number
}

// broadcast returns v, which is a scalar, a row, a column or a broadcast of one, repeated to a shape.
func (t *valueTable) broadcast(v *value, shape []int) *value {
	if slices.Equal(v.shape, shape) {
		return v
	}
	if v.kind == kindBroadcast { // repeat the source itself, so that no broadcast has a broadcast as its operand
		v = v.args[0]
	}
	return t.lookUpOrAdd(value{kind: kindBroadcast, args: []*value{v}, shape: shape})
}

// scalarSource returns the scalar that v repeats, v itself if it has one element, or else nil.
func scalarSource(v *value) *value {
	if v.kind == kindBroadcast {
		v = v.args[0]
	}
	if v.size() == 1 {
		return v
	}
	return nil
}

// isConstant reports whether every element of v is the given constant.
func isConstant(v *value, number float64) bool {
	s := scalarSource(v)
	return s != nil && s.kind == kindConstant && s.number == number
}

// isScalarBroadcast reports whether v repeats a scalar.
func isScalarBroadcast(v *value) bool {
	return v.kind == kindBroadcast && v.args[0].size() == 1
}

// reshape returns v with another shape of as many elements. The numbers stay where they are,
// except for a repeated row or column: it is written out first, since in another shape the
// repeated numbers are no row or column any more.
func (t *valueTable) reshape(v *value, shape []int) *value {
	switch {
	case slices.Equal(v.shape, shape):
		return v
	case isScalarBroadcast(v):
		return t.broadcast(v.args[0], shape)
	case v.kind == kindConstant:
		return t.broadcast(v, shape)
	case v.kind == kindReshape: // reshape the original: two reshapes are one
		v = v.args[0]
		if slices.Equal(v.shape, shape) {
			return v
		}
	case v.kind == kindBroadcast:
		v = t.lookUpOrAdd(value{kind: kindCopy, args: []*value{v}, shape: v.shape})
	}
	return t.lookUpOrAdd(value{kind: kindReshape, args: []*value{v}, shape: shape})
}

// unary returns op of each element of v. A constant is computed now, a broadcast before it is
// repeated. A tensor that is a reshaped matrix is computed as that matrix, because only a direct
// user of a matrix product can become part of its epilogue.
func (t *valueTable) unary(op kernels.UnaryOp, v *value) *value {
	switch {
	case v.kind == kindConstant:
		return t.constant(ops.EntryOfUnaryKernel(op).UnaryFunc(v.number))
	case v.kind == kindBroadcast:
		return t.broadcast(t.unary(op, v.args[0]), v.shape)
	case v.kind == kindReshape && len(v.shape) > 2:
		return t.reshape(t.unary(op, v.args[0]), v.shape)
	}
	return t.lookUpOrAdd(value{kind: kindUnary, unaryOp: op, args: []*value{v}, shape: v.shape})
}

// apply returns f of each element of v. f sees the numbers of a broadcast once, before they are
// repeated.
func (t *valueTable) apply(f ops.Function, v *value) *value {
	if v.kind == kindBroadcast {
		return t.broadcast(t.apply(f, v.args[0]), v.shape)
	}
	return t.lookUpOrAdd(value{kind: kindFunction, function: f, args: []*value{v}, shape: v.shape})
}

// binary returns a op b, element by element, with the shape of the result. A scalar operand
// is repeated to that shape.
func (t *valueTable) binary(op kernels.BinaryOp, a, b *value, shape []int) *value {
	matrixShape := matrixShapeBeforeReshape(a, b, shape)
	if matrixShape != nil { // at most two axes, so that the call below does not come here again
		result := t.binary(op, t.reshape(a, matrixShape), t.reshape(b, matrixShape), matrixShape)
		return t.reshape(result, shape)
	}
	if v := t.simplifyBinary(op, a, b, shape); v != nil {
		return v
	}
	args := []*value{t.broadcast(a, shape), t.broadcast(b, shape)}
	return t.lookUpOrAdd(value{kind: kindBinary, binaryOp: op, args: args, shape: shape})
}

// matrixShapeBeforeReshape returns the shape of the matrix that a or b reshapes to a tensor
// of more than two axes, nil if neither does. An elementwise operation computed in this shape
// meets the matrix product whose epilogue it may become.
func matrixShapeBeforeReshape(a, b *value, shape []int) []int {
	if len(shape) <= 2 {
		return nil
	}
	for _, v := range []*value{a, b} {
		if v.kind == kindReshape && len(v.args[0].shape) <= 2 {
			return v.args[0].shape
		}
	}
	return nil
}

// simplifyBinary returns a cheaper value equal to a op b, nil if there is none.
func (t *valueTable) simplifyBinary(op kernels.BinaryOp, a, b *value, shape []int) *value {
	if a.kind == kindConstant && b.kind == kindConstant && len(shape) == 0 {
		return t.constant(ops.EntryOfBinaryKernel(op).BinaryFunc(a.number, b.number))
	}
	// If both operands repeat a scalar, one number is computed and repeated.
	scalarA := scalarSource(a)
	scalarB := scalarSource(b)
	hasBroadcast := a.kind == kindBroadcast || b.kind == kindBroadcast
	if scalarA != nil && scalarB != nil && len(shape) > 0 && hasBroadcast {
		return t.broadcast(t.binary(op, t.scalar(scalarA), t.scalar(scalarB), nil), shape)
	}
	switch op {
	case kernels.Pow:
		hasConstantExponent := scalarB != nil && scalarB.kind == kindConstant
		if hasConstantExponent && slices.Equal(a.shape, shape) {
			return t.power(a, scalarB.number)
		}
	case kernels.Mul:
		return t.simplifyProduct(a, b, shape)
	}
	return nil
}

// power returns v^exponent if a simpler operation computes it, such as a square, or else nil.
func (t *valueTable) power(v *value, exponent float64) *value {
	switch exponent {
	case 0:
		return t.broadcast(t.constant(1), v.shape)
	case 1:
		return v
	case 2:
		return t.unary(kernels.Square, v)
	case 3:
		return t.unary(kernels.Cube, v)
	case 0.5:
		return t.unary(kernels.Sqrt, v)
	case -1:
		return t.unary(kernels.Reciprocal, v)
	case -0.5:
		return t.unary(kernels.InvSqrt, v)
	}
	return nil
}

// simplifyProduct returns the elementwise product a·b if a factor is 1 or a comparison with
// 0, else nil. A factor 1 of another shape stays: dropping it would lose the repetition to
// shape.
func (t *valueTable) simplifyProduct(a, b *value, shape []int) *value {
	if isConstant(a, 1) && slices.Equal(b.shape, shape) {
		return b
	}
	if isConstant(b, 1) && slices.Equal(a.shape, shape) {
		return a
	}
	if v := t.gate(a, b); v != nil {
		return v
	}
	return t.gate(b, a)
}

// gate returns x·(z > 0) as a gate: x where z is positive, and 0 elsewhere, also where x is
// not a number. ReLU and its gradient have this form. It returns nil if test is not z > 0.
func (t *valueTable) gate(x, test *value) *value {
	isTest := test.isBinary(kernels.Greater) && isConstant(test.args[1], 0)
	if !isTest || !slices.Equal(x.shape, test.shape) || x.kind == kindBroadcast {
		return nil // kernels of gates repeat no operand
	}
	z := test.args[0]
	if z.kind == kindBroadcast {
		return nil
	}
	if z == x {
		return t.unary(kernels.Relu, x)
	}
	return t.lookUpOrAdd(value{kind: kindBinary, binaryOp: kernels.Gate, args: []*value{x, z}, shape: x.shape})
}

// scalar returns the only element of v with the shape of a scalar, which has no axes.
func (t *valueTable) scalar(v *value) *value {
	if v.kind == kindConstant {
		return v
	}
	return t.reshape(v, nil)
}

// sum returns the sum of all elements of v, as a scalar. The sum of a repeated scalar is the scalar
// times its count.
func (t *valueTable) sum(v *value) *value {
	if isScalarBroadcast(v) {
		count := t.constant(float64(v.size()))
		return t.binary(kernels.Mul, t.scalar(v.args[0]), count, nil)
	}
	if v.size() == 1 {
		return t.reshape(v, nil)
	}
	return t.lookUpOrAdd(value{kind: kindSum, args: []*value{v}})
}

// transpose returns the transpose of v. The transpose of a vector shares its memory.
func (t *valueTable) transpose(v *value) *value {
	shape := []int{v.cols, v.rows}
	if v.rows == 1 || v.cols == 1 {
		return t.reshape(v, shape)
	}
	return t.lookUpOrAdd(value{kind: kindTranspose, args: []*value{v}, shape: shape})
}

// matMul returns the matrix product a·b. transA and transB say whether an operand is
// transposed first. The kernels read a transposed first operand without a copy, but no
// transposed second operand.
func (t *valueTable) matMul(a, b *value, transA, transB bool, shape []int) *value {
	if transA && (a.rows == 1 || a.cols == 1) { // the transpose of a vector costs nothing
		a = t.transpose(a)
		transA = false
	}
	if transB {
		b = t.transpose(b)
	}
	if !transA && a.kind == kindTranspose && b.cols > 1 {
		a = a.args[0] // the product reads a transposed operand without a copy
		transA = true
	}
	if transA && b.cols == 1 {
		// aᵀ·b with a column b is the row bᵀ·a, which needs no transposed operand. The call below
		// has transA false, so that it does not come here again.
		row := t.matMul(t.reshape(b, []int{1, b.rows}), a, false, false, []int{1, a.cols})
		return t.reshape(row, shape)
	}
	return t.lookUpOrAdd(value{kind: kindMatMul, args: []*value{a, b}, transA: transA, shape: shape})
}

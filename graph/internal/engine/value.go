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

// kind says how a value is computed.
type kind uint8

const (
	input     kind = iota // from outside: node
	constant              // number, a scalar
	broadcast             // args[0], a scalar, row or column, repeated to shape; has no memory of its own
	reshape               // args[0] under another shape; shares its memory
	matmul                // args[0]·args[1], each transposed if so marked, with a tail
	batched               // the products of the matrices of args[0] and args[1], those transposed if so marked
	unary                 // elementwise unaryOp
	binary                // elementwise binaryOp; operands may be broadcasts
	sum                   // of all elements
	sumRows               // over rows: one number for each column
	sumCols               // over columns: one number for each row
	maxRows               // the same of maxima
	maxCols
	each // function of each element
	transpose
	transposeEach // of the matrices of args[0]
	columns       // columns from, from+1, … of args[0]
	spread        // args[0] from column from on in a matrix of zeros
	concat        // args side by side
	copied        // args[0] in memory of its own
	patches       // of a window
	images        // sums of patches
	lookedUp      // rows of args[0] by args[1]
	addedUp       // args[0] by args[1] to rows
	cholesky      // the Cholesky factor of args[0]
	solution      // of the triangular system with the matrix args[0] and the right-hand sides args[1]
	triangle      // the triangle of args[0], with number times its diagonal
	fallback      // node's own operation
	masked        // the second result of the product args[0]: after its mask
)

// value is one intermediate result. Values are matrices; a scalar is 1×1,
// a vector of n is 1×n, and a tensor of more axes is flat but for the last.
type value struct {
	kind       kind
	args       []*value
	shape      []int // as Gorgonia has it
	rows, cols int

	node       *gorgonia.Node // input, fallback
	number     float64        // constant, triangle
	unaryOp    kernels.UnaryOp
	binaryOp   kernels.BinaryOp
	function   ops.Function // each
	from       int          // columns, spread
	window     ops.Window   // patches, images
	transA     bool
	transB     bool
	upper      bool   // solution, triangle: the upper triangle, not the lower one
	tail       tail   // matmul
	accumulate *value // matmul, sumRows: start from this value, in its memory

	dynamic bool // depends on a mask
	output  bool
	offset  int // of its memory in the arena
}

// tail is what a product does to each element before it is stored.
type tail struct {
	bias  *value // a row
	relu  bool
	mask  *value
	gate  *value
	twice *value // the masked value, when both it and the one before are wanted
}

func (v *value) size() int { return v.rows * v.cols }

// is tells whether v is computed by that operation on two numbers.
func (v *value) is(op kernels.BinaryOp) bool { return v.kind == binary && v.binaryOp == op }

// operands lists every value that has to be there before v.
func (v *value) operands() []*value {
	list := slices.Clone(v.args)
	for _, w := range []*value{v.tail.bias, v.tail.mask, v.tail.gate, v.accumulate} {
		if w != nil {
			list = append(list, w)
		}
	}
	return list
}

// stored is the value whose memory v is read from.
func (v *value) stored() *value {
	for v.kind == reshape || v.kind == broadcast {
		v = v.args[0]
	}
	return v
}

// dims reads a shape as rows and columns.
func dims(shape []int) (rows, cols int) {
	if len(shape) == 0 {
		return 1, 1
	}
	cols = shape[len(shape)-1]
	rows = 1
	for _, n := range shape[:len(shape)-1] {
		rows *= n
	}
	return rows, cols
}

func size(shape []int) int {
	rows, cols := dims(shape)
	return rows * cols
}

// values makes values, each only once.
type values struct {
	single bool // numbers are float32
	known  map[string]*value
	ids    map[*value]int
	list   []*value
}

func newValues(single bool) *values {
	return &values{single: single, known: make(map[string]*value), ids: make(map[*value]int)}
}

// add returns v, or an equal value that is there already.
func (vs *values) add(v value) *value {
	v.rows, v.cols = dims(v.shape)
	var key strings.Builder
	fmt.Fprint(&key, v.kind, v.shape, math.Float64bits(v.number), v.unaryOp, v.binaryOp, v.function.Key, v.from, v.window, v.transA, v.transB, v.upper)
	if v.kind == input || v.kind == fallback {
		fmt.Fprint(&key, v.node.ID())
	}
	for _, a := range v.args {
		fmt.Fprint(&key, ",", vs.ids[a])
		v.dynamic = v.dynamic || a.dynamic
	}
	if have, ok := vs.known[key.String()]; ok {
		return have
	}
	p := &v
	vs.known[key.String()] = p
	vs.ids[p] = len(vs.list)
	vs.list = append(vs.list, p)
	return p
}

func (vs *values) constant(number float64) *value {
	return vs.add(value{kind: constant, number: vs.rounded(number)})
}

// rounded is a number as the graph's type has it.
func (vs *values) rounded(number float64) float64 {
	if vs.single {
		return float64(float32(number))
	}
	return number
}

// repeat returns a scalar, row or column repeated to shape.
func (vs *values) repeat(v *value, shape []int) *value {
	if slices.Equal(v.shape, shape) {
		return v
	}
	if v.kind == broadcast {
		v = v.args[0]
	}
	return vs.add(value{kind: broadcast, args: []*value{v}, shape: shape})
}

// scalarSource returns the scalar that v repeats, or v itself if it has one
// element; nil for anything else.
func scalarSource(v *value) *value {
	if v.kind == broadcast {
		v = v.args[0]
	}
	if v.size() == 1 {
		return v
	}
	return nil
}

func isConstant(v *value, number float64) bool {
	s := scalarSource(v)
	return s != nil && s.kind == constant && s.number == number
}

func (vs *values) reshape(v *value, shape []int) *value {
	switch {
	case slices.Equal(v.shape, shape):
		return v
	case v.kind == broadcast && v.args[0].size() == 1:
		return vs.repeat(v.args[0], shape)
	case v.kind == constant:
		return vs.repeat(v, shape)
	case v.kind == reshape:
		v = v.args[0]
		if slices.Equal(v.shape, shape) {
			return v
		}
	case v.kind == broadcast:
		v = vs.add(value{kind: copied, args: []*value{v}, shape: v.shape})
	}
	return vs.add(value{kind: reshape, args: []*value{v}, shape: shape})
}

func (vs *values) unary(op kernels.UnaryOp, v *value) *value {
	switch {
	case v.kind == constant:
		return vs.constant(ops.OfUnary(op).One(v.number))
	case v.kind == broadcast:
		return vs.repeat(vs.unary(op, v.args[0]), v.shape)
	case v.kind == reshape && len(v.shape) > 2:
		return vs.reshape(vs.unary(op, v.args[0]), v.shape)
	}
	return vs.add(value{kind: unary, unaryOp: op, args: []*value{v}, shape: v.shape})
}

// each returns the values of a function.
func (vs *values) each(f ops.Function, v *value) *value {
	if v.kind == broadcast {
		return vs.repeat(vs.each(f, v.args[0]), v.shape)
	}
	return vs.add(value{kind: each, function: f, args: []*value{v}, shape: v.shape})
}

// binary returns a op b; shape is that of the result, to which a scalar
// operand is repeated.
func (vs *values) binary(op kernels.BinaryOp, a, b *value, shape []int) *value {
	if inner := vs.inner(a, b, shape); inner != nil {
		return vs.reshape(vs.binary(op, vs.reshape(a, inner), vs.reshape(b, inner), inner), shape)
	}
	if a.kind == constant && b.kind == constant && len(shape) == 0 {
		return vs.constant(ops.OfBinary(op).Two(a.number, b.number))
	}
	if sa, sb := scalarSource(a), scalarSource(b); sa != nil && sb != nil && len(shape) > 0 && (a.kind == broadcast || b.kind == broadcast) {
		return vs.repeat(vs.binary(op, vs.flat(sa), vs.flat(sb), nil), shape)
	}
	if e := scalarSource(b); op == kernels.Pow && e != nil && e.kind == constant && slices.Equal(a.shape, shape) {
		if v := vs.power(a, e.number); v != nil {
			return v
		}
	}
	if op == kernels.Mul {
		if isConstant(a, 1) && slices.Equal(b.shape, shape) {
			return b
		}
		if isConstant(b, 1) && slices.Equal(a.shape, shape) {
			return a
		}
		if g, ok := vs.gated(a, b); ok {
			return g
		}
		if g, ok := vs.gated(b, a); ok {
			return g
		}
	}
	return vs.add(value{kind: binary, binaryOp: op, args: []*value{vs.repeat(a, shape), vs.repeat(b, shape)}, shape: shape})
}

// inner is the shape in which an elementwise operation of more than two axes is
// computed: that of an operand before it was reshaped, so that the operation meets the
// product that it may become the tail of. nil: its own.
func (vs *values) inner(a, b *value, shape []int) []int {
	if len(shape) <= 2 {
		return nil
	}
	for _, v := range []*value{a, b} {
		if v.kind == reshape && len(v.args[0].shape) <= 2 {
			return v.args[0].shape
		}
	}
	return nil
}

// power returns v to an exponent for which there is more than Pow, nil for others.
func (vs *values) power(v *value, exponent float64) *value {
	switch exponent {
	case 0:
		return vs.repeat(vs.constant(1), v.shape)
	case 1:
		return v
	case 2:
		return vs.unary(kernels.Square, v)
	case 3:
		return vs.unary(kernels.Cube, v)
	case 0.5:
		return vs.unary(kernels.Sqrt, v)
	case -1:
		return vs.unary(kernels.Inv, v)
	case -0.5:
		return vs.unary(kernels.InvSqrt, v)
	}
	return nil
}

// flat returns a value of one element as a scalar.
func (vs *values) flat(v *value) *value {
	if v.kind == constant {
		return v
	}
	return vs.reshape(v, nil)
}

// gated recognises x·(z > 0), which is what a ReLU and its gradient are made
// of: x where z is positive, and 0 elsewhere, also where x is not a number.
func (vs *values) gated(x, test *value) (*value, bool) {
	if !test.is(kernels.Gt) || !isConstant(test.args[1], 0) || !slices.Equal(x.shape, test.shape) || x.kind == broadcast {
		return nil, false
	}
	z := test.args[0]
	if z.kind == broadcast {
		return nil, false
	}
	if z == x {
		return vs.unary(kernels.Relu, x), true
	}
	return vs.add(value{kind: binary, binaryOp: kernels.Gate, args: []*value{x, z}, shape: x.shape}), true
}

func (vs *values) sum(v *value) *value {
	if v.kind == broadcast && v.args[0].size() == 1 {
		return vs.binary(kernels.Mul, vs.flat(v.args[0]), vs.constant(float64(v.size())), nil)
	}
	if v.size() == 1 {
		return vs.reshape(v, nil)
	}
	return vs.add(value{kind: sum, args: []*value{v}})
}

// transposed returns the transpose; a vector's is the same memory.
func (vs *values) transposed(v *value) *value {
	shape := []int{v.cols, v.rows}
	if v.rows == 1 || v.cols == 1 {
		return vs.reshape(v, shape)
	}
	return vs.add(value{kind: transpose, args: []*value{v}, shape: shape})
}

// matmul returns a·b with operands transposed as marked.
func (vs *values) matmul(a, b *value, transA, transB bool, shape []int) *value {
	if transA && (a.rows == 1 || a.cols == 1) {
		a, transA = vs.transposed(a), false
	}
	if transB {
		b = vs.transposed(b)
	}
	if !transA && a.kind == transpose && b.cols > 1 {
		a, transA = a.args[0], true // the same sums, read where they lie
	}
	if transA && b.cols == 1 {
		// Aᵀ·x is the row xᵀ·A.
		row := vs.matmul(vs.reshape(b, []int{1, b.rows}), a, false, false, []int{1, a.cols})
		return vs.reshape(row, shape)
	}
	return vs.add(value{kind: matmul, args: []*value{a, b}, transA: transA, shape: shape})
}

package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/kernels"
	"sml/graph/internal/ops"
)

// reader turns Gorgonia nodes into values.
type reader struct {
	*values
	masks map[int64]bool // nodes that are masks
	done  map[int64]*value
}

// read returns the value of a node, and makes those it depends on.
func (r *reader) read(n *gorgonia.Node) (*value, error) {
	if v, ok := r.done[n.ID()]; ok {
		return v, nil
	}
	v, err := r.make(n)
	if err != nil {
		return nil, err
	}
	if v.size() != max(1, n.Shape().TotalSize()) {
		return nil, fmt.Errorf("%v has shape %v, and %v was expected", n.Op(), v.shape, n.Shape())
	}
	r.done[n.ID()] = v
	return v, nil
}

func (r *reader) make(n *gorgonia.Node) (*value, error) {
	shape := slices.Clone([]int(n.Shape()))
	if n.IsScalar() {
		shape = nil
	}
	if n.Op() == nil || strings.HasSuffix(fmt.Sprintf("%T", n.Op()), "constantTensor") {
		return r.add(value{kind: input, node: n, shape: shape, dynamic: r.masks[n.ID()]}), nil
	}
	var args []*value
	for it := n.Graph().From(n.ID()); it.Next(); {
		a, err := r.read(it.Node().(*gorgonia.Node))
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if want := n.Op().Arity(); want >= 0 && want != len(args) {
		// Gorgonia's rewriting of log(1−x) recycles nodes that may still be in use.
		return nil, fmt.Errorf("%v takes %d operands and the graph gives it %d", n.Op(), want, len(args))
	}
	if v := r.recognise(n, args, shape); v != nil {
		return v, nil
	}
	if have, want := n.Dtype(), r.dtype(); have != want {
		return nil, fmt.Errorf("%v gives %v, and the graph computes in %v", n.Op(), have, want)
	}
	return r.add(value{kind: fallback, node: n, args: args, shape: shape}), nil
}

func (r *reader) dtype() tensor.Dtype {
	if r.single {
		return tensor.Float32
	}
	return tensor.Float64
}

// recognise returns the value of an operation that the engine knows, nil for
// another. Gorgonia's operations are unexported: they are told by the names
// of their types, their fields and how they print.
func (r *reader) recognise(n *gorgonia.Node, args []*value, shape []int) *value {
	switch op := n.Op().(type) {
	case ops.StopGradient:
		return args[0]
	case ops.Columns:
		return r.add(value{kind: columns, from: op.From, args: args, shape: shape})
	case ops.PadColumns:
		return r.add(value{kind: spread, from: op.From, args: args, shape: shape})
	case ops.Concat:
		return r.add(value{kind: concat, args: args, shape: shape})
	case ops.ClampMin:
		return r.binary(kernels.Max, args[0], r.constant(op.Floor), shape)
	case ops.Above:
		// x − floor is above 0 where x is above the floor, also in the last bit.
		return r.where(args[1], r.binary(kernels.Sub, args[0], r.constant(op.Floor), shape))
	}
	switch strings.TrimPrefix(fmt.Sprintf("%T", n.Op()), "*") {
	case "gorgonia.constantScalar":
		return r.number(n)
	case "gorgonia.elemUnaryOp":
		if op, ok := unaryOps[n.Op().String()]; ok {
			return r.unary(op, args[0])
		}
	case "gorgonia.elemBinOp":
		return r.elementwise(n, args, shape)
	case "gorgonia.minBetween":
		return r.add(value{kind: binary, binaryOp: kernels.Min, args: args, shape: shape})
	case "gorgonia.maxBetween":
		return r.add(value{kind: binary, binaryOp: kernels.Max, args: args, shape: shape})
	case "gorgonia.linAlgBinOp":
		return r.product(n, args, shape)
	case "gorgonia.sumOp":
		return r.reduction(n, args[0], shape)
	case "gorgonia.sizeOp":
		return r.extent(n, args[0])
	case "gorgonia.repeatOp":
		return r.repetition(n, args[0], shape)
	case "gorgonia.reshapeOp":
		return r.reshape(args[0], shape)
	case "gorgonia.transposeOp":
		if pattern, ok := intsOf(n.Op(), "pattern"); ok && slices.Equal(pattern, []int{1, 0}) {
			return r.add(value{kind: transpose, args: args, shape: shape})
		}
	}
	return nil
}

// unaryOps are Gorgonia's names of the operations that have a kernel.
var unaryOps = map[string]kernels.UnaryOp{
	"abs": kernels.Abs, "sign": kernels.Sign, "exp": kernels.Exp, "ln": kernels.Log, "neg": kernels.Neg,
	"square": kernels.Square, "sqrt": kernels.Sqrt, "inv": kernels.Inv, "invSqrt": kernels.InvSqrt,
	"cube": kernels.Cube, "tanh": kernels.Tanh, "sigmoid": kernels.Sigmoid,
	"log1p": kernels.Log1p, "expm1": kernels.Expm1, "softplus": kernels.Softplus,
}

var binaryOps = map[string]kernels.BinaryOp{
	"+": kernels.Add, "-": kernels.Sub, "⊙": kernels.Mul, "÷": kernels.Div,
	"<": kernels.Lt, ">": kernels.Gt, "<=": kernels.Lte, ">=": kernels.Gte, "==": kernels.Eq, "!=": kernels.Ne,
}

// number reads a scalar constant of the graph's type.
func (r *reader) number(n *gorgonia.Node) *value {
	switch v := n.Value().Data().(type) {
	case float32:
		return r.constant(float64(v))
	case float64:
		return r.constant(v)
	}
	return nil
}

func (r *reader) elementwise(n *gorgonia.Node, args []*value, shape []int) *value {
	name, _, _ := strings.Cut(n.Op().String(), " ")
	op, ok := binaryOps[name]
	if name == "^" {
		return r.power(args, shape)
	}
	// Comparisons yield numbers only if asked to; booleans are not for here.
	if !ok || op >= kernels.Gt && !boolOf(n.Op(), "retSame") {
		return nil
	}
	return r.binary(op, args[0], args[1], shape)
}

// power knows the exponents that have a kernel.
func (r *reader) power(args []*value, shape []int) *value {
	e := scalarSource(args[1])
	if e == nil || e.kind != constant || !slices.Equal(args[0].shape, shape) {
		return nil
	}
	switch e.number {
	case 2:
		return r.unary(kernels.Square, args[0])
	case 3:
		return r.unary(kernels.Cube, args[0])
	case 0.5:
		return r.unary(kernels.Sqrt, args[0])
	case -1:
		return r.unary(kernels.Inv, args[0])
	case -0.5:
		return r.unary(kernels.InvSqrt, args[0])
	}
	return nil
}

// product knows the products of matrices and vectors.
func (r *reader) product(n *gorgonia.Node, args []*value, shape []int) *value {
	transA, transB := boolOf(n.Op(), "transA"), boolOf(n.Op(), "transB")
	a, b := args[0], args[1]
	kind := field(n.Op(), "āBinaryOperator").Uint()
	switch kind {
	case 0: // matrix, matrix
	case 1: // matrix, vector
		b, transB = r.reshape(b, []int{b.size(), 1}), false
	case 2: // vector, vector: their inner product
		a, b = r.reshape(a, []int{1, a.size()}), r.reshape(b, []int{b.size(), 1})
	case 3: // vector, vector: their outer product
		a, b = r.reshape(a, []int{a.size(), 1}), r.reshape(b, []int{1, b.size()})
	default:
		return nil
	}
	rows, inner := a.rows, a.cols
	if transA {
		rows, inner = inner, rows
	}
	with, cols := b.rows, b.cols
	if transB {
		with, cols = cols, with
	}
	// Gorgonia infers a shape also for some products that do not exist, as in
	// its gradient of an outer product. Its own Do says so when run.
	if inner != with || rows*cols != size(shape) {
		return nil
	}
	if kind == 0 {
		return r.matmul(a, b, transA, transB, shape)
	}
	return r.reshape(r.matmul(a, b, transA, transB, []int{rows, cols}), shape)
}

// reduction knows sums over all axes, and over one of a matrix.
func (r *reader) reduction(n *gorgonia.Node, v *value, shape []int) *value {
	along, ok := intsOf(n.Op(), "along")
	switch {
	case !ok:
		return nil
	case len(along) == len(v.shape):
		return r.reshape(r.sum(v), shape)
	case len(v.shape) == 2 && slices.Equal(along, []int{0}):
		return r.reshape(r.add(value{kind: sumRows, args: []*value{v}, shape: []int{v.cols}}), shape)
	case len(v.shape) == 2 && slices.Equal(along, []int{1}):
		return r.reshape(r.add(value{kind: sumCols, args: []*value{v}, shape: []int{v.rows}}), shape)
	}
	return nil
}

// extent is the length of an axis.
func (r *reader) extent(n *gorgonia.Node, v *value) *value {
	if known := field(n.Op(), "val").Int(); known != 0 {
		return r.constant(float64(known))
	}
	if len(v.shape) == 0 {
		return r.constant(1)
	}
	return r.constant(float64(v.shape[field(n.Op(), "axis").Int()]))
}

// repetition knows how to repeat a scalar, a row or a column.
func (r *reader) repetition(n *gorgonia.Node, v *value, shape []int) *value {
	switch along := int(field(n.Op(), "along").Int()); {
	case v.size() == 1, v.kind == broadcast && v.args[0].size() == 1:
		return r.repeat(v, shape)
	case slices.Equal(v.shape, shape):
		return v
	case len(v.shape) == 2 && len(shape) == 2 && v.shape[along] == 1 && v.kind != broadcast:
		return r.repeat(v, shape)
	}
	return nil
}

// field reads an unexported field of a Gorgonia operation.
func field(op gorgonia.Op, name string) reflect.Value {
	v := reflect.ValueOf(op)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.FieldByName(name)
}

func boolOf(op gorgonia.Op, name string) bool {
	f := field(op, name)
	return f.IsValid() && f.Kind() == reflect.Bool && f.Bool()
}

func intsOf(op gorgonia.Op, name string) ([]int, bool) {
	f := field(op, name)
	if !f.IsValid() || f.Kind() != reflect.Slice {
		return nil, false
	}
	list := make([]int, f.Len())
	for i := range list {
		list[i] = int(f.Index(i).Int())
	}
	return list, true
}

// dataOf returns the numbers of a Gorgonia value row by row: not a copy, unless
// isCopied.
func dataOf[T float](v gorgonia.Value) ([]T, error) {
	switch d := v.Data().(type) {
	case []T:
		if isCopied(v) {
			return byRows(d, v.(*tensor.Dense)), nil
		}
		return d, nil
	case T:
		return []T{d}, nil
	}
	var zero T
	return nil, fmt.Errorf("a value holds %T, and the graph computes in %T", v.Data(), zero)
}

// isCopied tells whether the numbers of a value lie otherwise than kernels
// read them: a scalar, a view of a tensor, or a tensor stored by columns.
func isCopied(v gorgonia.Value) bool {
	t, ok := v.(*tensor.Dense)
	return !ok || t.RequiresIterator() || t.DataOrder().IsColMajor()
}

// byRows copies the numbers of a tensor that are spread over data.
func byRows[T float](data []T, t *tensor.Dense) []T {
	shape, strides := t.Shape(), t.Strides()
	list := make([]T, 0, shape.TotalSize())
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(shape) {
			list = append(list, data[at])
			return
		}
		for i := range shape[axis] {
			walk(axis+1, at+i*strides[axis])
		}
	}
	walk(0, 0)
	return list
}

package onnx

import (
	"fmt"
	"maps"
	"slices"

	"sml/graph"
	"sml/internal/ops"
)

// Rows are the two numbers of rows in the graphs of a Translation. A length that differs between
// the graphs depends on the number of rows, and only a run knows it.
var Rows = [2]int{2, 3}

// Twin is a node in both graphs of a Translation.
type Twin [2]*graph.Node

// Translation adds nodes of a graph to a file. The graph is built twice, in the same way, with
// the numbers of rows in Rows.
type Translation struct {
	Builders [2]*graph.Builder

	// Leaf returns the value of an input or a parameter, by its role (graph.Inspection.Role) and
	// name.
	Leaf func(role graph.Role, name string) (Value, error)

	// Rows is the number of rows in a run, as a list of one number.
	Rows Value

	// Elements reports whether values may have more axes than nodes, so that only elementwise
	// operations have a meaning.
	Elements bool

	to, body *Graph // the graph, and the body of its loop for values that depend on the draws
	moving   map[*graph.Node]Value
	done     map[*graph.Node]result
	fixed    map[*graph.Node]bool // whether a node depends on parameters and constants alone
}

// result is the value of a node.
type result struct {
	Value
	short bool // whether its shape repeats to the node's shape
	moves bool // whether it is computed in the loop's body
}

// Into sets the graph that operations are added to.
func (t *Translation) Into(g *Graph) *Translation {
	t.to, t.done, t.moving = g, make(map[*graph.Node]result), make(map[*graph.Node]Value)
	t.fixed = make(map[*graph.Node]bool)
	return t
}

// Put adds the operations that compute a node, and returns its value.
func (t *Translation) Put(n Twin) (Value, error) {
	r, err := t.put(n)
	if err != nil {
		return r.Value, err
	}
	return t.expand(r, n)
}

// PutLooped is Put for a node that depends on nodes with another value in each of many samples: masks,
// noise, or weights. over has a value for each of these nodes, with the samples along its first axis,
// and so has the result.
func (t *Translation) PutLooped(n Twin, nodes []*graph.Node, over []Value) (Value, error) {
	var err error
	out := t.to.Scan(over, func(body *Graph, slices []Value) (v Value) {
		t.body = body
		for i, node := range nodes {
			t.moving[node] = slices[i]
		}
		v, err = t.Put(n)
		return v
	})
	return out, err
}

// length returns the length of a node along an axis: a fixed number, or a multiple of the number
// of rows.
func length(n Twin, axis int) (fixed, ofRows int, err error) {
	a, b := n[0].Shape()[axis], n[1].Shape()[axis]
	if a == b {
		return a, 0, nil
	}
	if a*Rows[1] != b*Rows[0] {
		return 0, 0, fmt.Errorf("%v is %d long for %d rows and %d for %d: want a length that is the same, or a multiple of the rows", n[0].Op(), a, Rows[0], b, Rows[1])
	}
	return 0, a / Rows[0], nil
}

// shape returns the shape of a node as a value.
func (t *Translation) shape(n Twin) (Value, error) {
	var parts []Value
	for axis := range n[0].Shape() {
		fixed, ofRows, err := length(n, axis)
		if err != nil {
			return Value{}, err
		}
		if ofRows > 0 {
			parts = append(parts, t.to.Mul(t.Rows, t.to.file.Ints(ofRows)))
		} else {
			parts = append(parts, t.to.file.Ints(fixed))
		}
	}
	return t.to.Concat(0, parts...), nil
}

// expand expands a result to the node's own shape if it is short.
func (t *Translation) expand(r result, n Twin) (Value, error) {
	if !r.short {
		return r.Value, nil
	}
	shape, err := t.shape(n)
	if err != nil {
		return r.Value, err
	}
	return t.graph(r.moves).Op("Expand", []Value{r.Value, shape}), nil
}

func (t *Translation) graph(moves bool) *Graph {
	if moves {
		return t.body
	}
	return t.to
}

func (t *Translation) put(n Twin) (r result, err error) {
	if r, ok := t.done[n[0]]; ok {
		return r, nil
	}
	if r, err = t.make(n); err != nil {
		return r, err
	}
	t.done[n[0]] = r
	return r, nil
}

func (t *Translation) make(n Twin) (result, error) {
	op := ops.Of(n[0])
	if v, ok := t.moving[n[0]]; ok {
		return result{Value: v, moves: true}, nil
	}
	switch op.Kind {
	case ops.None:
		v, err := t.leaf(n)
		return result{Value: v}, err
	case ops.Scalar:
		v, err := t.scalar(n)
		return result{Value: v}, err
	case ops.Stopped:
		return t.put(operand(n, 0))
	case ops.Repeat:
		r, err := t.put(operand(n, 0))
		r.short = true
		return r, err
	}
	if op.Kind != ops.Reshape && t.isFixed(n[0]) && slices.Equal(n[0].Shape(), n[1].Shape()) {
		v, err := t.evaluate(n[0])
		return result{Value: v}, err
	}
	if i, ok := t.iteration(n[0]); ok {
		return t.loop(i, n)
	}
	if x, ok := asRelu(n[0]); ok {
		r, err := t.put(operand(n, x))
		if err == nil {
			r.Value = t.graph(r.moves).Unary("Relu", r.Value)
		}
		return r, err
	}
	return t.operation(n, op)
}

// iteration returns the index of the iteration that ends in a node. There is none in the body of a
// loop, where the steps of an iteration are put one by one.
func (t *Translation) iteration(n *graph.Node) (index int, ok bool) {
	if t.body != nil {
		return 0, false
	}
	index = slices.IndexFunc(graph.Inspect(t.Builders[0]).Iterations, func(i graph.Iteration) bool {
		return slices.Contains(i.End, n)
	})
	return index, index >= 0
}

// loop adds an iteration as a loop, and returns the result of n, one of its end values.
func (t *Translation) loop(index int, n Twin) (r result, err error) {
	var pair [2]graph.Iteration
	for i, b := range t.Builders {
		pair[i] = graph.Inspect(b).Iterations[index]
	}
	putAll := func(t *Translation, nodes [2]graph.Nodes) []Value {
		values := make([]Value, len(nodes[0]))
		for k := range values {
			if err == nil {
				values[k], err = t.Put(Twin{nodes[0][k], nodes[1][k]})
			}
		}
		return values
	}
	start := putAll(t, [2]graph.Nodes{pair[0].Start, pair[1].Start})
	if err != nil {
		return r, err
	}
	ends := t.to.Repeat(pair[0].Times, start, func(body *Graph, values []Value) []Value {
		inner := *t
		inner.body, inner.moving, inner.done = body, make(map[*graph.Node]Value), maps.Clone(t.done)
		for k, in := range pair[0].In {
			inner.moving[in] = values[k]
		}
		out := putAll(&inner, [2]graph.Nodes{pair[0].Out, pair[1].Out})
		maps.Copy(t.done, inner.done)
		maps.DeleteFunc(t.done, func(_ *graph.Node, r result) bool { return r.moves })
		return out
	})
	for k, end := range pair[0].End {
		t.done[end] = result{Value: ends[k]}
	}
	return t.done[n[0]], err
}

// isFixed reports whether a node depends on parameters and constants alone.
func (t *Translation) isFixed(n *graph.Node) bool {
	if fixed, ok := t.fixed[n]; ok {
		return fixed
	}
	var fixed bool
	if operands := graph.Operands(n); len(operands) > 0 {
		fixed = !slices.ContainsFunc(operands, func(o *graph.Node) bool { return !t.isFixed(o) })
	} else {
		inspection := graph.Inspect(t.Builders[0])
		role, _ := inspection.Role(n)
		fixed = role == graph.Parameter || role == graph.Constant || inspection.ConstantValues(n) != nil
	}
	t.fixed[n] = fixed
	return fixed
}

// evaluate returns a fixed node as a constant with the values that the engine computes. If the
// runtime computed them, a rounding of its own, of a dropout rate for example, would change all
// rows and all sub-networks in the same direction.
func (t *Translation) evaluate(n *graph.Node) (Value, error) {
	r, err := graph.NewRunner(graph.Compiled, t.Builders[0], n)
	if err != nil {
		return Value{}, err
	}
	defer r.Close()
	for _, name := range r.Inputs() {
		r.Input(name) // the node depends on none of them
	}
	if err := r.Run(); err != nil {
		return Value{}, err
	}
	var values []float64
	if typeOf(n) == Double {
		values = append(values, r.Output64(0)...)
	} else {
		for _, v := range r.Output(0) {
			values = append(values, float64(v))
		}
	}
	return t.to.file.Numbers(typeOf(n), n.Shape(), values...), nil
}

// asRelu reports whether a node is x·(x > 0), and which of its operands x is.
func asRelu(n *graph.Node) (x int, is bool) {
	in := graph.Operands(n)
	if !ops.Is(n, "multiply") {
		return 0, false
	}
	for x := range in {
		if test := in[1-x]; ops.Is(test, "greater") {
			of := graph.Operands(test)
			if v, ok := ops.ScalarOf(of[1]); ok && v == 0 && of[0] == in[x] {
				return x, true
			}
		}
	}
	return 0, false
}

func operand(n Twin, i int) Twin {
	return Twin{graph.Operands(n[0])[i], graph.Operands(n[1])[i]}
}

func (t *Translation) operation(n Twin, op ops.Operation) (r result, err error) {
	in := make([]result, len(graph.Operands(n[0])))
	short := len(in) > 0
	for i := range in {
		if in[i], err = t.put(operand(n, i)); err != nil {
			return r, err
		}
		r.moves = r.moves || in[i].moves
		short = short && (in[i].short || graph.Operands(n[0])[i].IsScalar())
	}
	g := t.graph(r.moves)
	var x []Value
	for i, v := range in {
		if op.Kind != ops.OnElements {
			if v.Value, err = t.expand(v, operand(n, i)); err != nil {
				return r, err
			}
		}
		x = append(x, v.Value)
	}
	switch {
	case op.Kind == ops.OnElements:
		r.Value, err = g.elementwise(op, x)
		r.short = short && !n[0].IsScalar()
	case t.Elements:
		err = fmt.Errorf("%v is no operation on elements, which is all that the draws of sub-networks can be put through", n[0].Op())
	default:
		r.Value, err = t.structural(g, n, op, x)
	}
	return r, err
}

// structural adds operators for any other operation than an elementwise one.
func (t *Translation) structural(g *Graph, n Twin, op ops.Operation, x []Value) (Value, error) {
	switch op.Kind {
	case ops.Product:
		return g.product(op, x)
	case ops.Sum, ops.Maximum:
		return t.reduction(g, n, op, x[0])
	case ops.Reshape:
		if from := graph.Operands(n[0])[0]; slices.Equal(from.Shape(), n[0].Shape()) {
			return x[0], nil
		}
		dims := make([]int, len(n[0].Shape()))
		for axis := range dims {
			fixed, ofRows, err := length(n, axis)
			if err != nil {
				return Value{}, err
			}
			if dims[axis] = fixed; ofRows > 0 {
				dims[axis] = -1
			}
		}
		return g.Reshape(x[0], dims...), nil
	case ops.Transpose:
		axes := make([]int64, len(op.Axes))
		for i, a := range op.Axes {
			axes[i] = int64(a)
		}
		return g.Op("Transpose", x, Attribute("perm", axes)), nil
	case ops.SubColumns:
		return g.Slice(x[0], 1, op.From, op.To), nil
	case ops.PadToColumns:
		width := graph.Operands(n[0])[0].Shape()[1]
		return g.Op("Pad", []Value{x[0], g.file.Ints(0, op.From, 0, n[0].Shape()[1]-op.From-width)}), nil
	case ops.SideBySide:
		return g.Concat(1, x...), nil
	case ops.WindowPatches:
		return g.patches(op.Window, x[0]), nil
	case ops.LookedUp:
		return g.Gather(x[0], g.Squeeze(g.Cast(x[1], Int64), 1), 0), nil
	}
	return Value{}, fmt.Errorf("the operation %q has no counterpart in ONNX", n[0].Op())
}

// leaf returns the value of a node without operands.
func (t *Translation) leaf(n Twin) (Value, error) {
	role, name := graph.Inspect(t.Builders[0]).Role(n[0])
	if values := graph.Inspect(t.Builders[0]).ConstantValues(n[0]); values != nil {
		if other := graph.Inspect(t.Builders[1]).ConstantValues(n[1]); !slices.Equal(values, other) {
			return Value{}, fmt.Errorf("the constant %q depends on the number of rows", name)
		}
		return t.to.file.Numbers(typeOf(n[0]), n[0].Shape(), values...), nil
	}
	return t.Leaf(role, name)
}

func (t *Translation) scalar(n Twin) (Value, error) {
	a, ok := ops.ScalarOf(n[0])
	b, also := ops.ScalarOf(n[1])
	if !ok || !also {
		return Value{}, fmt.Errorf("the constant %v is no number", n[0])
	}
	if a != b {
		return Value{}, fmt.Errorf("the constant %v depends on the number of rows, which only a run knows", a)
	}
	return t.to.file.Number(typeOf(n[0]), a), nil
}

func typeOf(n *graph.Node) Type {
	if n.Dtype() == graph.Float32 {
		return Float
	}
	return Double
}

func (g *Graph) product(op ops.Operation, x []Value) (Value, error) {
	transposeIf := func(v Value, turn bool) Value {
		if turn {
			return g.Op("Transpose", []Value{v})
		}
		return v
	}
	switch op.Form {
	case ops.Matrices, ops.MatrixVector, ops.Inner:
		return g.Binary("MatMul", transposeIf(x[0], op.TransposeX), transposeIf(x[1], op.TransposeY)), nil
	case ops.Batched:
		if !op.TransposeX && !op.TransposeY {
			return g.Binary("MatMul", x[0], x[1]), nil
		}
		return Value{}, fmt.Errorf("products of transposed batches have no counterpart in ONNX: transpose the operands")
	case ops.Outer:
		return g.Mul(g.Reshape(x[0], -1, 1), g.Reshape(x[1], 1, -1)), nil
	}
	return Value{}, fmt.Errorf("product %d has no counterpart in ONNX", op.Form)
}

// reduction adds a sum or a maximum. It returns an error if an axis has another length for other
// numbers of rows.
func (t *Translation) reduction(g *Graph, n Twin, op ops.Operation, x Value) (Value, error) {
	of := operand(n, 0)
	for _, axis := range op.Axes {
		if _, ofRows, err := length(of, axis); err != nil || ofRows > 0 {
			return x, fmt.Errorf("%v is over rows: what is said of a row would depend on those beside it", n[0].Op())
		}
	}
	keep := Attribute("keepdims", truth(n[0].Dims() == of[0].Dims()))
	if op.Kind == ops.Maximum {
		return g.Op("ReduceMax", []Value{x}, Attribute("axes", []int64{int64(op.Axes[0])}), keep), nil
	}
	return g.Op("ReduceSum", []Value{x, g.file.Ints(op.Axes...)}, keep), nil
}

// patches cuts the window's patches out of images. Each image is a row of pixels; a zero before
// the first pixel stands for the padding.
func (g *Graph) patches(w ops.Window, x Value) Value {
	w.Rows = 1
	pixels := make([]float64, w.Vertical.Size*w.Horizontal.Size*w.Channels)
	for i := range pixels {
		pixels[i] = float64(i + 1)
	}
	kernel := w.Vertical.Kernel * w.Horizontal.Kernel
	places := make([]float64, w.Vertical.Positions()*w.Horizontal.Positions()*kernel*w.Channels)
	ops.Gather(w, places, pixels)
	width := kernel
	if !w.PerChannel {
		width *= w.Channels
	}
	flat := g.Op("Pad", []Value{g.Reshape(x, -1, len(pixels)), g.file.Ints(0, 1, 0, 0)})
	seen := g.Gather(flat, g.file.Numbers(Int64, []int{len(places)}, places...), 1)
	return g.Reshape(seen, -1, width)
}

package onnx

import (
	"fmt"
	"maps"
	"slices"

	"sml/graph"
	"sml/internal/ops"
)

// RowCounts holds the numbers of rows of the two graphs of a Translation. A graph of a Builder has fixed
// lengths, but a file takes any number of rows: a length that differs between the two graphs depends
// on the number of rows.
var RowCounts = [2]int{2, 3}

// NodePair is the same node in both graphs of a Translation.
type NodePair [2]*graph.Node

// operand returns the operand with index i of the node.
func (n NodePair) operand(i int) NodePair {
	return NodePair{graph.Operands(n[0])[i], graph.Operands(n[1])[i]}
}

// length returns the length of a node along an axis: a fixed number, or, if perRow is above 0, perRow
// times the number of rows.
func (n NodePair) length(axis int) (fixed, perRow int, err error) {
	first := n[0].Shape()[axis]
	second := n[1].Shape()[axis]
	if first == second {
		return first, 0, nil
	}
	if first*RowCounts[1] != second*RowCounts[0] {
		return 0, 0, fmt.Errorf("%v has length %d for %d rows and length %d for %d rows; want a fixed length or a multiple of the rows", n[0].Op(), first, RowCounts[0], second, RowCounts[1])
	}
	return 0, first / RowCounts[0], nil
}

// Translation adds nodes of a graph to a file. The graph is built twice, in the same way, with the
// numbers of rows in RowCounts. Call SetGraph before any other method.
type Translation struct {
	Builders [2]*graph.Builder // the two graphs

	// Leaf returns the value of an input or a parameter, by its role (graph.Inspection.Role) and
	// name.
	Leaf func(role graph.Role, name string) (Value, error)

	// Rows is the number of rows when the file runs: one number along one axis.
	Rows Value

	// ElementwiseOnly is true if values may have more axes than nodes, such as one for draws. Only
	// elementwise operations have a meaning then; others are errors.
	ElementwiseOnly bool

	main      *Graph                 // graph that operations are added to
	body      *Graph                 // body of a loop in main; nil outside of a loop
	bodyInput map[*graph.Node]Value  // values that a node has in the body of the loop, as inputs of it
	results   map[*graph.Node]result // results of nodes, by the node of the first graph
	fixed     map[*graph.Node]bool   // whether a node has one value in all runs and all samples of a loop
}

// result is the value of a node.
type result struct {
	Value

	// unexpanded is set if the value has length 1 along some axes of the node, as the operand of a
	// repetition does. Elementwise operators of ONNX broadcast such a value by themselves, which is
	// faster than to repeat it first; for all other operators, and for users of a translation, expand
	// repeats it.
	unexpanded bool

	inBody bool // whether the value is computed in the body of a loop
}

// SetGraph sets the graph that operations are added to, forgets all results, and returns t.
func (t *Translation) SetGraph(g *Graph) *Translation {
	t.main = g
	t.results = make(map[*graph.Node]result)
	t.bodyInput = make(map[*graph.Node]Value)
	t.fixed = make(map[*graph.Node]bool)
	return t
}

// Translate adds the operations that compute a node, and returns its value. It returns an error if ONNX has
// no counterpart of an operation, or the result of a row depends on other rows.
func (t *Translation) Translate(n NodePair) (Value, error) {
	r, err := t.resultOf(n)
	if err != nil {
		return r.Value, err
	}
	return t.expand(r, n)
}

// translateAll returns the values of several nodes, which are given for each of the two graphs.
func (t *Translation) translateAll(nodes [2]graph.Nodes) ([]Value, error) {
	values := make([]Value, len(nodes[0]))
	for i := range values {
		v, err := t.Translate(NodePair{nodes[0][i], nodes[1][i]})
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// TranslateInLoop is Translate for a node that is computed for many samples, such as sub-networks. Some nodes, such
// as masks, noise or weights, have another value in each sample: over holds these values, in the order
// of nodes and with the samples along the first axis. The result has the samples along its first axis,
// too.
func (t *Translation) TranslateInLoop(n NodePair, nodes []*graph.Node, over []Value) (Value, error) {
	return t.main.Scan(over, func(body *Graph, slices []Value) (Value, error) {
		t.body = body
		for i, node := range nodes {
			t.bodyInput[node] = slices[i]
		}
		return t.Translate(n)
	})
}

// shape returns the shape of a node as a value of type Int64.
func (t *Translation) shape(n NodePair) (Value, error) {
	var lengths []Value
	for axis := range n[0].Shape() {
		fixed, perRow, err := n.length(axis)
		if err != nil {
			return Value{}, err
		}
		if perRow > 0 {
			lengths = append(lengths, t.main.Mul(t.Rows, t.main.file.Ints(perRow)))
		} else {
			lengths = append(lengths, t.main.file.Ints(fixed))
		}
	}
	return t.main.Concat(0, lengths...), nil
}

// expand returns the value of a node's result in the node's own shape. It adds an operation that repeats
// the numbers of an unexpanded result.
func (t *Translation) expand(r result, n NodePair) (Value, error) {
	if !r.unexpanded {
		return r.Value, nil
	}
	shape, err := t.shape(n)
	if err != nil {
		return r.Value, err
	}
	return t.graphFor(r.inBody).Op("Expand", []Value{r.Value, shape}), nil
}

// graphFor returns the graph for an operation: the body of the loop if inBody is set, and the main
// graph otherwise.
func (t *Translation) graphFor(inBody bool) *Graph {
	if inBody {
		return t.body
	}
	return t.main
}

// resultOf returns the result of a node, and adds its operations unless they have been added before. It
// and translate call each other down to nodes without operands.
func (t *Translation) resultOf(n NodePair) (result, error) {
	if r, ok := t.results[n[0]]; ok {
		return r, nil
	}
	r, err := t.translate(n)
	if err != nil {
		return r, err
	}
	t.results[n[0]] = r
	return r, nil
}

// translate adds the operations that compute a node, and returns its result.
func (t *Translation) translate(n NodePair) (result, error) {
	if v, ok := t.bodyInput[n[0]]; ok {
		return result{Value: v, inBody: true}, nil
	}
	op := ops.OperationOf(n[0])
	switch op.Kind {
	case ops.KindInput:
		v, err := t.leafValue(n)
		return result{Value: v}, err
	case ops.KindScalar:
		v, err := t.scalarValue(n)
		return result{Value: v}, err
	case ops.KindStopGradient: // an exported model has no gradients
		return t.resultOf(n.operand(0))
	case ops.KindRepeat:
		r, err := t.resultOf(n.operand(0))
		r.unexpanded = true
		return r, err
	}
	// A node that depends on no input is a constant, unless its length depends on the number of rows. A
	// reshaped constant costs nothing: it stays an operation on the constant.
	hasOneShape := slices.Equal(n[0].Shape(), n[1].Shape())
	if op.Kind != ops.KindReshape && t.isFixed(n[0]) && hasOneShape {
		v, err := t.evaluate(n[0])
		return result{Value: v}, err
	}
	if index, ok := t.findIteration(n[0]); ok {
		return t.addLoop(index, n)
	}
	if x, ok := reluOperand(n[0]); ok {
		r, err := t.resultOf(n.operand(x))
		if err == nil {
			r.Value = t.graphFor(r.inBody).Unary("Relu", r.Value)
		}
		return r, err
	}
	return t.addOperation(n, op)
}

// findIteration returns the index, among the graph's iterations, of the iteration that ends in the node,
// and whether there is one. It finds none in the body of a loop, where the steps of an iteration are
// added one by one.
func (t *Translation) findIteration(n *graph.Node) (index int, ok bool) {
	if t.body != nil {
		return 0, false
	}
	index = slices.IndexFunc(graph.Inspect(t.Builders[0]).Iterations, func(i graph.Iteration) bool {
		return slices.Contains(i.End, n)
	})
	return index, index >= 0
}

// addLoop adds the iteration with the given index as a loop, and returns the result of n, one of the
// iteration's end values.
func (t *Translation) addLoop(index int, n NodePair) (result, error) {
	first := graph.Inspect(t.Builders[0]).Iterations[index]
	second := graph.Inspect(t.Builders[1]).Iterations[index] // the same: both graphs are built in one way
	start, err := t.translateAll([2]graph.Nodes{first.Start, second.Start})
	if err != nil {
		return result{}, err
	}
	ends, err := t.main.Repeat(first.Times, start, func(body *Graph, values []Value) ([]Value, error) {
		inner := t.translationInto(body, first.In, values)
		out, err := inner.translateAll([2]graph.Nodes{first.Out, second.Out})
		// The steps also use nodes outside of the loop, which are added to the main graph. Later nodes can
		// use those results, but none of the body, which exist only in the loop.
		maps.Copy(t.results, inner.results)
		maps.DeleteFunc(t.results, func(_ *graph.Node, r result) bool { return r.inBody })
		return out, err
	})
	if err != nil {
		return result{}, err
	}
	for i, end := range first.End { // one loop computes all end values
		t.results[end] = result{Value: ends[i]}
	}
	return t.results[n[0]], nil
}

// translationInto returns a copy of t for the body of a loop, in which the given nodes have the given
// values.
func (t *Translation) translationInto(body *Graph, nodes []*graph.Node, values []Value) *Translation {
	inner := *t
	inner.body = body
	inner.results = maps.Clone(t.results)
	inner.bodyInput = make(map[*graph.Node]Value)
	for i, node := range nodes {
		inner.bodyInput[node] = values[i]
	}
	return &inner
}

// isFixed reports whether a node depends only on constants, and on parameters that are the same in all samples of
// the loop.
func (t *Translation) isFixed(n *graph.Node) bool {
	if _, ok := t.bodyInput[n]; ok {
		return false
	}
	if fixed, ok := t.fixed[n]; ok {
		return fixed
	}
	operands := graph.Operands(n)
	fixed := !slices.ContainsFunc(operands, func(o *graph.Node) bool { return !t.isFixed(o) })
	if len(operands) == 0 {
		inspection := graph.Inspect(t.Builders[0])
		role, _ := inspection.Role(n)
		fixed = role == graph.Parameter || role == graph.Constant || inspection.ConstantValues(n) != nil
	}
	t.fixed[n] = fixed
	return fixed
}

// evaluate returns a fixed node as a constant with the values that the engine computes. A runtime may
// round differently: if it computed a dropout rate, for example, the predictions of all rows and all
// sub-networks would change in the same direction.
func (t *Translation) evaluate(n *graph.Node) (Value, error) {
	r, err := graph.NewRunner(graph.Compiled, t.Builders[0], n)
	if err != nil {
		return Value{}, err
	}
	defer r.Close()
	for _, name := range r.Inputs() {
		r.Input(name) // must be called for each input; the node does not depend on their values
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
	return t.main.file.Numbers(typeOf(n), n.Shape(), values...), nil
}

// reluOperand returns the index of the operand x of a node x·(x > 0), and whether the node is such a
// product.
func reluOperand(n *graph.Node) (index int, ok bool) {
	if !ops.Is(n, "multiply") {
		return 0, false
	}
	factors := graph.Operands(n)
	for i, x := range factors {
		if isPositive(factors[1-i], x) {
			return i, true
		}
	}
	return 0, false
}

// isPositive reports whether the node n is the comparison x > 0.
func isPositive(n, x *graph.Node) bool {
	if !ops.Is(n, "greater") {
		return false
	}
	compared := graph.Operands(n)
	bound, ok := ops.ScalarOf(compared[1])
	return ok && bound == 0 && compared[0] == x
}

// addOperation adds an operation with operands, and returns its result. The operation belongs to the body
// of a loop if an operand does.
func (t *Translation) addOperation(n NodePair, op ops.Operation) (result, error) {
	results := make([]result, len(graph.Operands(n[0])))
	inBody := false
	for i := range results {
		r, err := t.resultOf(n.operand(i))
		if err != nil {
			return result{}, err
		}
		results[i] = r
		inBody = inBody || r.inBody
	}
	g := t.graphFor(inBody)
	if op.Kind == ops.KindElementwise {
		return t.addElementwise(g, n, op, results)
	}
	values := make([]Value, len(results))
	for i, r := range results {
		v, err := t.expand(r, n.operand(i))
		if err != nil {
			return result{}, err
		}
		values[i] = v
	}
	if t.ElementwiseOnly {
		return result{}, fmt.Errorf("%v is not an elementwise operation; the draws of sub-networks can only be exported with elementwise operations", n[0].Op())
	}
	v, err := t.addStructural(g, n, op, values)
	return result{Value: v, inBody: inBody}, err
}

// addElementwise adds an elementwise operation on the results of the node's operands to the graph g. Its
// own result is unexpanded if no operand has the node's full shape.
func (t *Translation) addElementwise(g *Graph, n NodePair, op ops.Operation, operands []result) (result, error) {
	values := make([]Value, len(operands))
	inBody := false
	unexpanded := !n[0].IsScalar()
	for i, r := range operands {
		values[i] = r.Value
		inBody = inBody || r.inBody
		hasFullShape := !r.unexpanded && !n.operand(i)[0].IsScalar()
		unexpanded = unexpanded && !hasFullShape
	}
	v, err := g.addElementwise(op, values)
	return result{Value: v, unexpanded: unexpanded, inBody: inBody}, err
}

// addStructural adds an operation that is not elementwise, with the operands x, to the graph g.
func (t *Translation) addStructural(g *Graph, n NodePair, op ops.Operation, x []Value) (Value, error) {
	switch op.Kind {
	case ops.KindProduct:
		return g.addProduct(op, x)
	case ops.KindSum, ops.KindMaximum:
		return g.addReduction(n, op, x[0])
	case ops.KindReshape:
		return g.addReshape(n, x[0])
	case ops.KindTranspose:
		axes := make([]int64, len(op.Axes))
		for i, axis := range op.Axes {
			axes[i] = int64(axis)
		}
		return g.Op("Transpose", x, attribute{"perm", axes}), nil
	case ops.KindCumulativeSum, ops.KindOrder:
		return Value{}, overRowsError(n)
	case ops.KindColumns:
		// Rows are sliced as columns of a matrix with a single row.
		if _, perRow, err := n.operand(0).length(1); err != nil || perRow > 0 {
			return Value{}, overRowsError(n)
		}
		return g.Slice(x[0], 1, op.From, op.To), nil
	case ops.KindPadColumns:
		width := n.operand(0)[0].Shape()[1]
		zerosAfter := n[0].Shape()[1] - op.From - width
		pads := g.file.Ints(0, op.From, 0, zerosAfter) // rows above, columns before, rows below, columns after
		return g.Op("Pad", []Value{x[0], pads}), nil
	case ops.KindConcat:
		return g.Concat(1, x...), nil
	case ops.KindPatches:
		return g.addPatches(op.Window, x[0]), nil
	case ops.KindRows:
		return g.RowsAt(x[0], g.Squeeze(x[1], 1), n.operand(0)[0].Shape()[0]), nil
	}
	return Value{}, fmt.Errorf("the operation %q has no counterpart in ONNX", n[0].Op())
}

// addReshape adds a Reshape of x to the shape of the node n, unless x already has this shape.
func (g *Graph) addReshape(n NodePair, x Value) (Value, error) {
	if slices.Equal(n.operand(0)[0].Shape(), n[0].Shape()) {
		return x, nil
	}
	dims := make([]int, len(n[0].Shape()))
	for axis := range dims {
		fixed, perRow, err := n.length(axis)
		if err != nil {
			return Value{}, err
		}
		dims[axis] = fixed
		if perRow > 0 {
			dims[axis] = -1 // computed when the file runs
		}
	}
	return g.Reshape(x, dims...), nil
}

// leafValue returns the value of a node without operands: a constant, or the value that t.Leaf returns.
func (t *Translation) leafValue(n NodePair) (Value, error) {
	inspection := graph.Inspect(t.Builders[0])
	role, name := inspection.Role(n[0])
	values := inspection.ConstantValues(n[0])
	if values == nil {
		return t.Leaf(role, name)
	}
	if other := graph.Inspect(t.Builders[1]).ConstantValues(n[1]); !slices.Equal(values, other) {
		return Value{}, fmt.Errorf("the constant %q depends on the number of rows; want the same values for any number", name)
	}
	return t.main.file.Numbers(typeOf(n[0]), n[0].Shape(), values...), nil
}

// scalarValue returns the value of a node that is a number.
func (t *Translation) scalarValue(n NodePair) (Value, error) {
	first, firstOK := ops.ScalarOf(n[0])
	second, secondOK := ops.ScalarOf(n[1])
	if !firstOK || !secondOK {
		return Value{}, fmt.Errorf("the constant %v is not a number", n[0])
	}
	if first != second {
		return Value{}, fmt.Errorf("the constant %v depends on the number of rows; want the same number for any number of rows", first)
	}
	return t.main.file.Number(typeOf(n[0]), first), nil
}

// typeOf returns the element type of a node's value.
func typeOf(n *graph.Node) Type {
	if n.Dtype() == graph.Float32 {
		return Float
	}
	return Double
}

// addProduct adds a matrix product or an outer product of the operands x.
func (g *Graph) addProduct(op ops.Operation, x []Value) (Value, error) {
	switch op.Form {
	case ops.Matrices, ops.MatrixVector, ops.Inner:
		left, right := x[0], x[1]
		if op.TransposeX {
			left = g.Unary("Transpose", left)
		}
		if op.TransposeY {
			right = g.Unary("Transpose", right)
		}
		return g.Binary("MatMul", left, right), nil
	case ops.Batched:
		left, right := x[0], x[1]
		if op.TransposeX {
			left = g.transposeBatch(left)
		}
		if op.TransposeY {
			right = g.transposeBatch(right)
		}
		return g.Binary("MatMul", left, right), nil
	case ops.Outer:
		return g.Mul(g.Reshape(x[0], -1, 1), g.Reshape(x[1], 1, -1)), nil
	}
	return Value{}, fmt.Errorf("product %d has no counterpart in ONNX", op.Form)
}

// transposeBatch adds the transposes of the matrices in x [n, m, k].
func (g *Graph) transposeBatch(x Value) Value {
	return g.Op("Transpose", []Value{x}, attribute{"perm", []int64{0, 2, 1}})
}

// addReduction adds a sum or a maximum of x. It returns an error for a sum or maximum over rows.
func (g *Graph) addReduction(n NodePair, op ops.Operation, x Value) (Value, error) {
	reduced := n.operand(0)
	for _, axis := range op.Axes {
		if _, perRow, err := reduced.length(axis); err != nil || perRow > 0 {
			return x, overRowsError(n)
		}
	}
	keepsAxis := n[0].Dims() == reduced[0].Dims()
	keep := attribute{"keepdims", boolToInt(keepsAxis)}
	if op.Kind == ops.KindMaximum {
		return g.Op("ReduceMax", []Value{x}, attribute{"axes", []int64{int64(op.Axes[0])}}, keep), nil
	}
	return g.Op("ReduceSum", []Value{x, g.file.Ints(op.Axes...)}, keep), nil
}

// overRowsError returns the error for an operation whose result in a row depends on other rows.
func overRowsError(n NodePair) error {
	return fmt.Errorf("%v is over rows: the prediction of a row would depend on the other rows of its batch", n[0].Op())
}

// addPatches cuts the window's patches out of images, for a convolution. x holds an image in each row. It
// adds a zero before the first pixel, which stands for the padding, and gathers the pixels of all
// patches.
func (g *Graph) addPatches(w ops.Window, x Value) Value {
	w.Rows = 1
	// Each pixel of the image is its index after the zero is added. Gather then returns the index of
	// each element of the patches, 0 for the padding.
	pixels := make([]float64, w.Vertical.Size*w.Horizontal.Size*w.Channels)
	for i := range pixels {
		pixels[i] = float64(i + 1)
	}
	kernelSize := w.Vertical.Kernel * w.Horizontal.Kernel
	indices := make([]float64, w.Vertical.Positions()*w.Horizontal.Positions()*kernelSize*w.Channels)
	ops.Gather(w, indices, pixels)
	width := kernelSize
	if !w.PerChannel {
		width *= w.Channels
	}
	oneZeroBefore := g.file.Ints(0, 1, 0, 0) // rows above, columns before, rows below, columns after
	padded := g.Op("Pad", []Value{g.Reshape(x, -1, len(pixels)), oneZeroBefore})
	elements := g.gather(padded, g.file.Numbers(Int64, []int{len(indices)}, indices...), 1)
	return g.Reshape(elements, -1, width)
}

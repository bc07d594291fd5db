package onnx

// Op adds an operation and returns its result, which has the type of the first operand. op is the name
// of an operator of ONNX.
func (g *Graph) Op(op string, in []Value, attributes ...attribute) Value {
	return g.opOfType(op, "", in[0].Type, in, attributes...)
}

// opOfType adds an operation and returns its result, which has the given type. domain is the domain of
// the operator, "" for ONNX's own.
func (g *Graph) opOfType(op, domain string, resultType Type, in []Value, attributes ...attribute) Value {
	n := node{op: op, domain: domain, out: []string{g.file.newName(op)}, attributes: attributes}
	for _, v := range in {
		n.in = append(n.in, v.Name)
	}
	g.nodes = append(g.nodes, n)
	return Value{n.out[0], resultType}
}

// Binary adds an operation on two operands. Operands of different shapes are broadcast.
func (g *Graph) Binary(op string, x, y Value) Value { return g.Op(op, []Value{x, y}) }

// Unary adds an operation on one operand.
func (g *Graph) Unary(op string, x Value) Value { return g.Op(op, []Value{x}) }

// Add returns x + y.
func (g *Graph) Add(x, y Value) Value { return g.Binary("Add", x, y) }

// Sub returns x − y.
func (g *Graph) Sub(x, y Value) Value { return g.Binary("Sub", x, y) }

// Mul returns x·y.
func (g *Graph) Mul(x, y Value) Value { return g.Binary("Mul", x, y) }

// Div returns x / y.
func (g *Graph) Div(x, y Value) Value { return g.Binary("Div", x, y) }

// Scale returns c·x.
func (g *Graph) Scale(x Value, c float64) Value { return g.Mul(x, g.file.Number(x.Type, c)) }

// AddNumber returns x + c.
func (g *Graph) AddNumber(x Value, c float64) Value { return g.Add(x, g.file.Number(x.Type, c)) }

// Cast returns x in another type.
func (g *Graph) Cast(x Value, to Type) Value {
	if x.Type == to {
		return x
	}
	return g.opOfType("Cast", "", to, []Value{x}, attribute{"to", int64(to)})
}

// Compare adds a comparison: Equal, Less, Greater, LessOrEqual or GreaterOrEqual; or And, of two conditions.
func (g *Graph) Compare(op string, x, y Value) Value { return g.opOfType(op, "", Bool, []Value{x, y}) }

// Missing returns for each element whether it is NaN, the value of missing numbers.
func (g *Graph) Missing(x Value) Value { return g.opOfType("IsNaN", "", Bool, []Value{x}) }

// Where returns x where the condition holds, and y elsewhere.
func (g *Graph) Where(condition, x, y Value) Value {
	return g.opOfType("Where", "", x.Type, []Value{condition, x, y})
}

// Unsqueeze adds an axis of length 1.
func (g *Graph) Unsqueeze(x Value, axis int) Value {
	return g.Op("Unsqueeze", []Value{x, g.file.Ints(axis)})
}

// Squeeze removes an axis of length 1.
func (g *Graph) Squeeze(x Value, axis int) Value {
	return g.Op("Squeeze", []Value{x, g.file.Ints(axis)})
}

// Slice returns the elements of x from index from up to, but not including, index to along an axis.
func (g *Graph) Slice(x Value, axis, from, to int) Value {
	return g.Op("Slice", []Value{x, g.file.Ints(from), g.file.Ints(to), g.file.Ints(axis)})
}

// Concat joins values along an axis.
func (g *Graph) Concat(axis int, in ...Value) Value {
	if len(in) == 1 {
		return in[0]
	}
	return g.Op("Concat", in, attribute{"axis", int64(axis)})
}

// Reshape returns x in another shape. One length may be −1: it is computed from the others.
func (g *Graph) Reshape(x Value, dims ...int) Value {
	return g.Op("Reshape", []Value{x, g.file.Ints(dims...)})
}

// gather returns the elements of x at the indices in index along an axis. A runtime refuses the complete batch for
// a single index that x does not have: an index that is computed needs RowsAt.
func (g *Graph) gather(x, index Value, axis int) Value {
	return g.Op("Gather", []Value{x, index}, attribute{"axis", int64(axis)})
}

// RowsAt returns the elements of x along its first axis, which has the given length, at indices that are numbers of
// a floating-point type: the nearest elements for indices beyond the ends, and the first element for NaN.
func (g *Graph) RowsAt(x, index Value, length int) Value {
	first := g.file.Number(index.Type, 0)
	last := g.file.Number(index.Type, float64(length-1))
	// The index is clipped before its cast, because the cast of NaN or of a large number is any integer.
	index = g.Where(g.Missing(index), first, index)
	index = g.Binary("Min", g.Binary("Max", index, first), last)
	return g.gather(x, g.Cast(index, Int64), 0)
}

// ShapeOf returns the shape of x.
func (g *Graph) ShapeOf(x Value) Value { return g.opOfType("Shape", "", Int64, []Value{x}) }

// Sum returns the sum over an axis. If keep is set, the result has the axis with length 1; otherwise it
// lacks the axis.
func (g *Graph) Sum(x Value, axis int, keep bool) Value {
	return g.Op("ReduceSum", []Value{x, g.file.Ints(axis)}, attribute{"keepdims", boolToInt(keep)})
}

// Mean returns the mean over an axis. If keep is set, the result has the axis with length 1; otherwise
// it lacks the axis.
func (g *Graph) Mean(x Value, axis int, keep bool) Value {
	return g.Op("ReduceMean", []Value{x}, attribute{"axes", []int64{int64(axis)}}, attribute{"keepdims", boolToInt(keep)})
}

// Sorted returns x with the elements of the last axis, n in number, in ascending order.
func (g *Graph) Sorted(x Value, n int) Value {
	v := g.Op("TopK", []Value{x, g.file.Ints(n)}, attribute{"largest", int64(0)})
	topK := &g.nodes[len(g.nodes)-1]
	topK.out = append(topK.out, g.file.newName("TopK")) // the indices of the elements, which are not used
	return v
}

// LookUp returns a number for each text: numbers[i] for keys[i], and unknown for all other texts.
func (g *Graph) LookUp(texts Value, keys []string, numbers []int64, unknown int64) Value {
	return g.opOfType("LabelEncoder", domainML, Int64, []Value{texts},
		attribute{"keys_strings", keys}, attribute{"values_int64s", numbers}, attribute{"default_int64", unknown})
}

// Random draws numbers of the given shape from U(0, 1) if op is RandomUniform, or from N(0, 1) if op is
// RandomNormal.
func (g *Graph) Random(op string, shape Value, seed float32) Value {
	zeros := g.opOfType("ConstantOfShape", "", Float, []Value{shape}) // only their shape is used
	return g.Op(op+"Like", []Value{zeros}, attribute{"dtype", int64(Float)}, attribute{"seed", seed})
}

// Scan adds a loop over the first axis of the values, which must have one length along it. body is called
// once, now: it adds to the loop's own graph the operations that compute a result from one slice of each
// value. Scan returns the results, joined along a new first axis, or the error of body.
func (g *Graph) Scan(values []Value, body func(body *Graph, slices []Value) (Value, error)) (Value, error) {
	inner := &Graph{file: g.file, name: g.file.newName("body")}
	slices := make([]Value, len(values))
	for i, v := range values {
		slices[i] = inner.addBodyInput("slice", v.Type, nil)
	}
	result, err := body(inner, slices)
	if err != nil {
		return Value{}, err
	}
	// Identity, because the result may be a value of the graph around the body, which a body cannot return.
	inner.outputs = []valueInfo{{Value: inner.Unary("Identity", result)}}
	return g.opOfType("Scan", "", result.Type, values, attribute{"body", inner}, attribute{"num_scan_inputs", int64(len(values))}), nil
}

// addBodyInput adds an input to the body of a loop. The runtime passes inputs by their order; their
// names begin with prefix.
func (g *Graph) addBodyInput(prefix string, elementType Type, dims []Dim) Value {
	v := Value{g.file.newName(prefix), elementType}
	g.inputs = append(g.inputs, valueInfo{Value: v, dims: dims})
	return v
}

// Repeat adds a loop that runs a number of times. body is called once, now: it adds to the loop's own
// graph the operations that compute new values from the values before, which are the start values the
// first time. The new values must have the types of the start values. Repeat returns the last values, or
// the error of body.
func (g *Graph) Repeat(times int, start []Value, body func(body *Graph, values []Value) ([]Value, error)) ([]Value, error) {
	// The body of ONNX's Loop gets the number of the iteration, a condition to go on and the values. It
	// returns the condition and the new values. The condition is passed on as it is: the number of
	// iterations alone ends the loop.
	inner := &Graph{file: g.file, name: g.file.newName("body")}
	noAxes := []Dim{} // the shape of a single number; nil would be an unstated shape
	inner.addBodyInput("iteration", Int64, noAxes)
	condition := inner.addBodyInput("condition", Bool, noAxes)
	values := make([]Value, len(start))
	for i, v := range start {
		values[i] = inner.addBodyInput("value", v.Type, nil)
	}
	newValues, err := body(inner, values)
	if err != nil {
		return nil, err
	}
	loop := node{
		op:         "Loop",
		in:         []string{g.file.Number(Int64, float64(times)).Name, ""}, // "": no condition to begin with
		attributes: []attribute{{"body", inner}},
	}
	for _, v := range append([]Value{condition}, newValues...) {
		// An input of a body cannot be its output: Identity gives it another name.
		inner.outputs = append(inner.outputs, valueInfo{Value: inner.Unary("Identity", v)})
	}
	ends := make([]Value, len(start))
	for i, v := range start {
		ends[i] = Value{g.file.newName("Loop"), v.Type}
		loop.in = append(loop.in, v.Name)
		loop.out = append(loop.out, ends[i].Name)
	}
	g.nodes = append(g.nodes, loop)
	return ends, nil
}

// boolToInt returns a boolean as an attribute has it: 1 or 0.
func boolToInt(condition bool) int64 {
	if condition {
		return 1
	}
	return 0
}

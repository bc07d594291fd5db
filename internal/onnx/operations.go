package onnx

// Attribute returns an attribute of an operation.
func Attribute(name string, value any) attribute { return attribute{name, value} }

// Op adds an operation whose result has the type of its first operand.
func (g *Graph) Op(op string, in []Value, attributes ...attribute) Value {
	return g.opOfType(op, "", in[0].Type, in, attributes...)
}

// opOfType adds an operation whose result has the type of.
func (g *Graph) opOfType(op, domain string, of Type, in []Value, attributes ...attribute) Value {
	n := node{op: op, domain: domain, out: []string{g.file.newName(op)}, attributes: attributes}
	for _, v := range in {
		n.in = append(n.in, v.Name)
	}
	g.nodes = append(g.nodes, n)
	return Value{n.out[0], of}
}

// Binary adds an operation on two operands. It repeats the elements of the shorter operand.
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

// By returns c·x.
func (g *Graph) By(x Value, c float64) Value { return g.Mul(x, g.file.Number(x.Type, c)) }

// Plus returns x + c.
func (g *Graph) Plus(x Value, c float64) Value { return g.Add(x, g.file.Number(x.Type, c)) }

// Cast returns x in another type.
func (g *Graph) Cast(x Value, to Type) Value {
	if x.Type == to {
		return x
	}
	return g.opOfType("Cast", "", to, []Value{x}, Attribute("to", int64(to)))
}

// Compare adds a comparison: Equal, Less, Greater, LessOrEqual or GreaterOrEqual.
func (g *Graph) Compare(op string, x, y Value) Value { return g.opOfType(op, "", Bool, []Value{x, y}) }

// Missing returns for each element whether it is NaN.
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

// Slice returns the elements from, …, to−1 along an axis.
func (g *Graph) Slice(x Value, axis, from, to int) Value {
	return g.Op("Slice", []Value{x, g.file.Ints(from), g.file.Ints(to), g.file.Ints(axis)})
}

// Concat joins values along an axis.
func (g *Graph) Concat(axis int, in ...Value) Value {
	if len(in) == 1 {
		return in[0]
	}
	return g.Op("Concat", in, Attribute("axis", int64(axis)))
}

// Reshape returns x in another shape. A length of −1 follows from the others.
func (g *Graph) Reshape(x Value, dims ...int) Value {
	return g.Op("Reshape", []Value{x, g.file.Ints(dims...)})
}

// Gather returns the elements of x at the positions in index along an axis.
func (g *Graph) Gather(x, index Value, axis int) Value {
	return g.Op("Gather", []Value{x, index}, Attribute("axis", int64(axis)))
}

// ShapeOf returns the shape of x.
func (g *Graph) ShapeOf(x Value) Value { return g.opOfType("Shape", "", Int64, []Value{x}) }

// Sum returns the sum over an axis. With keep, the axis stays with length 1.
func (g *Graph) Sum(x Value, axis int, keep bool) Value {
	return g.Op("ReduceSum", []Value{x, g.file.Ints(axis)}, Attribute("keepdims", truth(keep)))
}

// Mean returns the mean over an axis. With keep, the axis stays with length 1.
func (g *Graph) Mean(x Value, axis int, keep bool) Value {
	return g.Op("ReduceMean", []Value{x}, Attribute("axes", []int64{int64(axis)}), Attribute("keepdims", truth(keep)))
}

// Sorted returns x with the n elements of the last axis in ascending order.
func (g *Graph) Sorted(x Value, n int) Value {
	v := g.Op("TopK", []Value{x, g.file.Ints(n)}, Attribute("largest", int64(0)))
	last := &g.nodes[len(g.nodes)-1]
	last.out = append(last.out, g.file.newName("TopK")) // second output, the positions: not used
	return v
}

// Places returns for each text its number: numbers[i] for keys[i], and others for all other
// texts.
func (g *Graph) Places(texts Value, keys []string, numbers []int64, others int64) Value {
	return g.opOfType("LabelEncoder", domainML, Int64, []Value{texts},
		Attribute("keys_strings", keys), Attribute("values_int64s", numbers), Attribute("default_int64", others))
}

// Random draws numbers from U(0, 1) or N(0, 1). op is RandomUniform or RandomNormal.
func (g *Graph) Random(op string, shape Value, seed float32) Value {
	like := g.opOfType("ConstantOfShape", "", Float, []Value{shape})
	return g.Op(op+"Like", []Value{like}, Attribute("dtype", int64(Float)), Attribute("seed", seed))
}

// Scan runs body for each slice of the values along their first axis. It returns the results,
// joined along a new first axis.
func (g *Graph) Scan(over []Value, body func(body *Graph, slices []Value) Value) Value {
	inner := &Graph{file: g.file, name: g.file.newName("body")}
	slices := make([]Value, len(over))
	for i, v := range over {
		slices[i] = Value{g.file.newName("slice"), v.Type}
		inner.inputs = append(inner.inputs, info{Value: slices[i]})
	}
	out := body(inner, slices)
	inner.outputs = []info{{Value: out}}
	return g.opOfType("Scan", "", out.Type, over, Attribute("body", inner), Attribute("num_scan_inputs", int64(len(over))))
}

// Repeat runs body a number of times: first on the start values, then on its own results. It
// returns the last results, which have the types of the start values.
func (g *Graph) Repeat(times int, start []Value, body func(body *Graph, values []Value) []Value) []Value {
	inner := &Graph{file: g.file, name: g.file.newName("body")}
	input := func(name string, of Type, dims []Dim) Value {
		v := Value{g.file.newName(name), of}
		inner.inputs = append(inner.inputs, info{Value: v, dims: dims})
		return v
	}
	noAxes := []Dim{}
	input("iteration", Int64, noAxes)
	results := []Value{input("condition", Bool, noAxes)}
	values := make([]Value, len(start))
	for i, v := range start {
		values[i] = input("value", v.Type, nil)
	}
	results = append(results, body(inner, values)...)
	loop := node{op: "Loop", in: []string{g.file.Number(Int64, float64(times)).Name, ""}, attributes: []attribute{{"body", inner}}}
	for _, v := range results {
		inner.outputs = append(inner.outputs, info{Value: inner.Unary("Identity", v)})
	}
	ends := make([]Value, len(start))
	for i, v := range start {
		ends[i] = Value{g.file.newName("Loop"), v.Type}
		loop.in, loop.out = append(loop.in, v.Name), append(loop.out, ends[i].Name)
	}
	g.nodes = append(g.nodes, loop)
	return ends
}

func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

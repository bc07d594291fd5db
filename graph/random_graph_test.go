package graph_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/ops"
)

// step is one call of a builder's method, or one leaf, in a recipe of a graph.
type step struct {
	name   string
	args   []int // steps whose results are the operands
	build  func(b *graph.Builder, x graph.Nodes) *graph.Node
	leaf   string    // name of a leaf's node, "" for a call
	values []float64 // of a leaf, representable in float32
	shape  tensor.Shape
}

// recipe is a graph from which the same graph can be built in both number types.
type recipe struct {
	steps    []step
	outputs  []int // steps whose results are read
	terms    []int // steps of which the loss is made
	gradient bool  // whether the gradients of the loss are read, too
}

// build returns the nodes of all steps.
func (r *recipe) build(b *graph.Builder) graph.Nodes {
	var nodes graph.Nodes
	for _, s := range r.steps {
		var x graph.Nodes
		for _, i := range s.args {
			x = append(x, nodes[i])
		}
		nodes = append(nodes, s.build(b, x))
	}
	return nodes
}

// loss returns the sum of the mean squares of the terms.
func (r *recipe) loss(b *graph.Builder, nodes graph.Nodes) *graph.Node {
	var terms []graph.Term
	for k, i := range r.terms {
		value := b.Square(b.Shift(nodes[i], 0.25))
		if !value.IsScalar() {
			value = b.Mean(value)
		}
		terms = append(terms, graph.Term{Name: fmt.Sprint("term ", k), Weight: 1 + float64(k), Value: value})
	}
	return b.WeightedSum(terms...)
}

// leafValues returns the numbers of nodes without an operation. Masks and noise get numbers by their
// names and by draw.
func (r *recipe) leafValues(b *graph.Builder, draw uint64) func(n *graph.Node) []float64 {
	leaves := make(map[string][]float64)
	for _, s := range r.steps {
		if s.leaf != "" {
			leaves[s.leaf] = s.values
		}
	}
	return func(n *graph.Node) []float64 {
		if v, ok := leaves[n.Name()]; ok {
			return v
		}
		if v := graph.Inspect(b).ConstantValues(n); v != nil {
			return v
		}
		return randomNumbers(n, draw)
	}
}

// randomNumbers returns numbers of a dropout mask or of noise, and zeros for a gradient of zeros.
func randomNumbers(n *graph.Node, draw uint64) []float64 {
	h := fnv.New64a()
	h.Write([]byte(n.Name()))
	r := rand.New(rand.NewPCG(h.Sum64(), draw))
	x := make([]float64, n.Shape().TotalSize())
	for i := range x {
		switch {
		case strings.HasPrefix(n.Name(), "normal"):
			x[i] = float64(float32(r.NormFloat64()))
		case strings.HasPrefix(n.Name(), "uniform"):
			x[i] = float64(float32(r.Float64()))
		case strings.HasPrefix(n.Name(), "mask") && r.IntN(4) > 0:
			x[i] = 1.25
		}
	}
	return x
}

// String lists the steps.
func (r *recipe) String() string {
	var text strings.Builder
	for i, s := range r.steps {
		fmt.Fprintf(&text, "v%d = %s(", i, s.name)
		for k, a := range s.args {
			if k > 0 {
				text.WriteString(", ")
			}
			fmt.Fprintf(&text, "v%d", a)
		}
		fmt.Fprintf(&text, ") %v %v\n", []int(s.shape), s.values)
	}
	fmt.Fprintf(&text, "outputs %v, terms of the loss %v, gradients %t\n", r.outputs, r.terms, r.gradient)
	return text.String()
}

// generator draws a recipe. Each step is computed when it is drawn, and refused if its numbers are
// large, change quickly, or lie near a kink or a jump, where rounding errors decide.
type generator struct {
	recipe
	r      *rand.Rand
	leaves int
	depth  int // calls of computed that are running
	b      *graph.Builder
	nodes  graph.Nodes
	at     *interpreter   // values of the leaves as they are
	near   []*interpreter // values of slightly different parameters
	tame   []bool         // for each node of the interpreters whether it is tame
}

// maxSteps is larger than the number of steps that any recipe draws.
const maxSteps = 18

// newRecipe returns the recipe of a seed, with at most the given number of drawn steps.
func newRecipe(seed uint64, steps int) *recipe {
	g := &generator{r: rand.New(rand.NewPCG(seed, 40))}
	g.restart()
	g.newLeaf(g.size(), g.size())
	for range min(4+g.r.IntN(14), steps) {
		choice := g.r.IntN(totalWeight)
		for _, m := range stepKinds {
			if choice -= m.weight; choice < 0 {
				m.make(g)
				break
			}
		}
	}
	for range 1 + g.r.IntN(4) {
		g.outputs = append(g.outputs, g.recent())
	}
	for range 1 + g.r.IntN(2) {
		g.terms = append(g.terms, g.recent())
	}
	g.gradient = g.r.IntN(4) > 0
	return &g.recipe
}

// restart builds the steps in a new graph.
func (g *generator) restart() {
	g.b = graph.New(graph.Float64, new(graph.Params))
	g.at = newInterpreter(func(n *graph.Node) []float64 { return g.leafValues(g.b, 0)(n) })
	g.near = nil
	g.tame = nil
	for i := range 2 {
		g.near = append(g.near, &interpreter{program: g.at.program, held: g.at, leaf: func(n *graph.Node) []float64 {
			x := slices.Clone(g.at.leaf(n))
			r := rand.New(rand.NewPCG(uint64(i), uint64(len(n.Name()))))
			for j := range x {
				if strings.HasPrefix(n.Name(), "param") {
					x[j] += 1e-3 * (2*r.Float64() - 1)
				}
			}
			return x
		}})
	}
	g.nodes = g.build(g.b)
	for _, n := range g.nodes {
		g.compute(n)
	}
}

// compute reports whether n and the nodes that it is computed from are tame.
func (g *generator) compute(n *graph.Node) bool {
	g.at.value(n)
	for _, p := range g.near {
		p.value(n)
	}
	for k := len(g.tame); k < len(g.at.values); k++ {
		isTame := g.isTame(k)
		for _, operand := range g.at.operands[k] {
			isTame = isTame && g.tame[operand]
		}
		g.tame = append(g.tame, isTame)
	}
	return g.tame[g.at.index[n]] // n may be an earlier node, even of a step that was refused
}

const (
	largest     = 15   // magnitude of a value
	fastest     = 0.05 // change of a value if parameters change by 1e-3
	nearestKink = 0.02 // distance from a kink, unless it is 0 for all parameters
)

// isTame reports whether rounding errors change the values of node k only slightly.
func (g *generator) isTame(k int) bool {
	for i, v := range g.at.values[k] {
		if !(math.Abs(v) <= largest) {
			return false
		}
		for _, p := range g.near {
			if !(math.Abs(p.values[k][i]-v) <= fastest) {
				return false
			}
		}
	}
	distances := g.at.kinkDistances(k)
	for i, d := range distances {
		if math.Abs(d) >= nearestKink {
			continue
		}
		for _, p := range g.near {
			if d != 0 || p.kinkDistances(k)[i] != 0 {
				return false
			}
		}
	}
	return true
}

// kinkDistances returns the distance of each operand of node k from the place where the operation has a
// kink, a jump or a pole, nil if it has none.
func (p *interpreter) kinkDistances(k int) []float64 {
	o := p.operations[k]
	switch o.Kind {
	case ops.KindMaximum:
		return p.gapsBelowMaximum(k, o.Axes[0])
	case ops.KindOrder:
		return p.gapsInOrder(k)
	}
	if o.Elementwise == nil {
		return nil
	}
	distance := func(x, y float64) float64 { return math.Inf(1) }
	switch o.Elementwise.Name {
	case "abs", "sign", "relu":
		distance = func(x, _ float64) float64 { return x }
	case "sqrt", "1/x", "1/sqrt", "log", "log2", "pow":
		distance = func(x, _ float64) float64 { return x - math.Copysign(0.1, x) }
	case "ceil", "floor":
		distance = func(x, _ float64) float64 { return x - math.Round(x) }
	case "clamp min", "clamp max":
		distance = func(x, _ float64) float64 { return x - o.Constant }
	case "divide", "gate":
		distance = func(_, y float64) float64 { return y }
	case "power":
		distance = func(x, _ float64) float64 { return x - 0.1 }
	case "max", "min", "max between", "min between", "greater", "greater or equal", "less", "less or equal", "equal", "not equal":
		distance = func(x, y float64) float64 { return x - y }
	}
	var distances []float64
	for i := range p.values[k] {
		var x [2]float64
		for operand, j := range p.operands[k] {
			x[operand] = p.values[j][i%len(p.values[j])]
		}
		distances = append(distances, distance(x[0], x[1]))
	}
	return distances
}

// gapsBelowMaximum returns the distances of all numbers but the largest from the largest in their row
// or column.
func (p *interpreter) gapsBelowMaximum(k, axis int) []float64 {
	x, largest := p.values[p.operands[k][0]], p.values[k]
	columns := p.shape(k, 0)[1]
	found := make([]bool, len(largest))
	var gaps []float64
	for i, v := range x {
		of := i % columns
		if axis == 1 {
			of = i / columns
		}
		if v == largest[of] && !found[of] {
			found[of] = true
			continue
		}
		gaps = append(gaps, largest[of]-v)
	}
	return gaps
}

// gapsInOrder returns the distances of the elements of each column from the next larger ones.
func (p *interpreter) gapsInOrder(k int) []float64 {
	x, order := p.values[p.operands[k][0]], p.values[k]
	columns := p.shape(k, 0)[1]
	var gaps []float64
	for i := columns; i < len(order); i++ {
		column := i % columns
		gaps = append(gaps, x[int(order[i])*columns+column]-x[int(order[i-columns])*columns+column])
	}
	return gaps
}

// try adds a step if it can be built and its values are tame. It returns the index of the step.
func (g *generator) try(s step) (index int, ok bool) {
	var x graph.Nodes
	for _, i := range s.args {
		x = append(x, g.nodes[i])
	}
	n := s.build(g.b, x)
	if g.b.Err() != nil {
		g.restart()
		return 0, false
	}
	s.shape = n.Shape().Clone()
	g.steps = append(g.steps, s)
	if !g.compute(n) {
		g.steps = g.steps[:len(g.steps)-1]
		return 0, false
	}
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1, true
}

// call is try for a call of a builder's method.
func (g *generator) call(name string, build func(b *graph.Builder, x graph.Nodes) *graph.Node, args ...int) (index int, ok bool) {
	return g.try(step{name: name, args: args, build: build})
}

// newLeaf adds a parameter, an input or a constant and returns its index.
func (g *generator) newLeaf(rows, columns int) int {
	values := make([]float64, rows*columns)
	for i := range values {
		values[i] = float64(float32(0.3 + 1.2*g.r.Float64()))
		if g.r.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return g.leafOf([]string{"Param", "Param", "Param", "Param", "Weight", "Input", "Constant"}[g.r.IntN(7)], rows, columns, values)
}

// leafOf adds a leaf with the given numbers.
func (g *generator) leafOf(kind string, rows, columns int, values []float64) int {
	g.leaves++
	name := fmt.Sprint("param ", g.leaves)
	if kind == "Input" || kind == "Constant" {
		name = fmt.Sprint("input ", g.leaves)
	}
	i, ok := g.try(newLeafStep(kind, name, tensor.Shape{rows, columns}, values))
	if !ok {
		panic("a leaf is not tame")
	}
	return i
}

// newLeafStep returns the step of a leaf, of any shape.
func newLeafStep(kind, name string, shape tensor.Shape, values []float64) step {
	rows, columns := 1, len(values)
	if shape.Dims() == 2 {
		rows, columns = shape[0], shape[1]
	}
	return step{name: kind, leaf: name, values: values, shape: shape, build: func(b *graph.Builder, _ graph.Nodes) (n *graph.Node) {
		switch kind {
		case "Param":
			n = b.Param(name, rows, columns, graph.Uniform(1))
		case "Weight":
			n = b.Weight(name, rows, columns, graph.Uniform(1))
		case "Input":
			n = b.Input(name, rows, columns)
		case "Constant":
			n = b.Constant(rows, columns, values)
		}
		if shape.Dims() != 2 {
			n = b.Reshape(n, shape...)
		}
		return n
	}}
}

// size is 1 quite often, and at times more than a vector register holds.
func (g *generator) size() int {
	switch g.r.IntN(24) {
	case 0, 1, 2, 3:
		return 1
	case 4:
		return 15 + g.r.IntN(20)
	}
	return 2 + g.r.IntN(4)
}

// recent returns a step, a recent one more likely.
func (g *generator) recent() int {
	n := len(g.steps)
	if g.r.IntN(2) == 0 {
		return n - 1 - g.r.IntN(min(n, 4))
	}
	return g.r.IntN(n)
}

// matrix returns a step with two axes.
func (g *generator) matrix() int {
	for {
		if i := g.recent(); g.steps[i].shape.Dims() == 2 {
			return i
		}
	}
}

// shaped returns a step of the given shape: an earlier one, a new leaf, or new steps that nothing else
// uses yet, so that they can be fused with their user.
func (g *generator) shaped(rows, columns int) int {
	var fitting []int
	for i, s := range g.steps {
		if slices.Equal(s.shape, tensor.Shape{rows, columns}) {
			fitting = append(fitting, i)
		}
	}
	choice := g.r.IntN(4)
	if choice < 1 && len(fitting) > 0 {
		return fitting[g.r.IntN(len(fitting))]
	}
	if choice < 3 && g.depth < 3 {
		g.depth++
		i, ok := g.computed(rows, columns)
		g.depth--
		if ok {
			return i
		}
	}
	return g.newLeaf(rows, columns)
}

// computed adds a step of the given shape, and the steps that it needs.
func (g *generator) computed(rows, columns int) (index int, ok bool) {
	single := func(name string, f func(b builder, x node) node, rows, columns int) (int, bool) {
		return g.call(name, func(b builder, x nodes) node { return f(b, x[0]) }, g.shaped(rows, columns))
	}
	pair := func(name string, f func(b builder, x, y node) node, x, y int) (int, bool) {
		return g.call(name, func(b builder, x nodes) node { return f(b, x[0], x[1]) }, x, y)
	}
	switch choice := g.r.IntN(10); {
	case choice < 3:
		inner := g.size()
		return pair("MatMul", builder.MatMul, g.shaped(rows, inner), g.shaped(inner, columns))
	case choice < 5:
		return pair("Add", builder.Add, g.shaped(rows, columns), g.shaped(rows, columns))
	case choice < 6:
		return pair("Mul", builder.Mul, g.shaped(rows, columns), g.shaped(rows, columns))
	case choice < 7:
		return single("ReLU", builder.ReLU, rows, columns)
	case choice < 8:
		return single("Square", builder.Square, rows, columns)
	case rows == 1:
		return single("SumRows", builder.SumRows, g.size(), columns)
	case columns == 1:
		return single("SumColumns", builder.SumColumns, rows, g.size())
	}
	return single("Transpose", builder.Transpose, columns, rows)
}

// dims returns the rows and columns of a matrix.
func (g *generator) dims(i int) (rows, columns int) { return g.steps[i].shape[0], g.steps[i].shape[1] }

// partner returns a step that an elementwise operation can combine with step i.
func (g *generator) partner(i int) int {
	shape := g.steps[i].shape
	var equal []int // steps of equal shapes
	for j, s := range g.steps {
		if slices.Equal(s.shape, shape) {
			equal = append(equal, j)
		}
	}
	if g.r.IntN(2) == 0 {
		return equal[g.r.IntN(len(equal))]
	}
	switch last := len(shape) - 1; {
	case last == 1 && g.r.IntN(3) > 0:
		sizes := [][]int{{shape[0], shape[1]}, {1, shape[1]}, {1, shape[1]}, {shape[0], 1}, {1, 1}}
		s := sizes[g.r.IntN(len(sizes))]
		return g.shaped(s[0], s[1])
	case last > 1:
		return g.shaped(1, shape[last])
	case last == 1:
		for j, s := range g.steps {
			if s.shape.IsScalar() {
				return j
			}
		}
	}
	return equal[0]
}

// gorgoniaSingles and gorgoniaPairs are the functions of Gorgonia in the table of operations for which
// the builder has no method.
var (
	gorgoniaSingles = map[string]func(x *graph.Node) (*graph.Node, error){
		"Cube": gorgonia.Cube, "Inverse": gorgonia.Inverse, "InverseSqrt": gorgonia.InverseSqrt,
		"Log2": gorgonia.Log2, "Ceil": gorgonia.Ceil, "Floor": gorgonia.Floor,
	}
	gorgoniaPairs = map[string]func(x, y *graph.Node) (*graph.Node, error){
		"Pow": gorgonia.Pow, "MaxBetween": gorgonia.MaxBetween, "MinBetween": gorgonia.MinBetween,
		"Gte": asNumbers(gorgonia.Gte), "Lt": asNumbers(gorgonia.Lt), "Lte": asNumbers(gorgonia.Lte), "Ne": asNumbers(gorgonia.Ne),
	}
)

func asNumbers(f func(x, y *graph.Node, retSame bool) (*graph.Node, error)) func(x, y *graph.Node) (*graph.Node, error) {
	return func(x, y *graph.Node) (*graph.Node, error) { return f(x, y, true) }
}

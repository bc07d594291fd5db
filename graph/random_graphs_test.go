package graph_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/graph/internal/engine"
	"sml/internal/kernels"
	"sml/internal/ops"
)

// randomGraphs returns the number of random graphs of a test: fewer in short runs, more in long ones.
func randomGraphs(t *testing.T, normal, long int) uint64 {
	switch {
	case testing.Short():
		return uint64(normal / 10)
	case os.Getenv("SML_LONG") != "":
		return uint64(long)
	}
	return uint64(normal)
}

// The compiled engine computes thousands of random graphs as the interpreter does: in float64 and, with
// all kernels that this CPU can run, in float32, also in a sampler after new masks, and in parts that
// several goroutines compute. Gradients agree
// with finite differences. A failure prints the first steps with which the graph fails.
func TestRandomGraphs(t *testing.T) {
	defer kernels.UseImplementation(kernels.Implementation())
	times := countShares(t)
	threads := graph.NewPool(3)
	defer threads.Close()
	vague := 0 // graphs whose finite differences say little
	gradients := 0
	n := randomGraphs(t, 2000, 10000)
	for seed := range n {
		r := newRecipe(seed, maxSteps)
		c := comparison{recipe: r, threads: threads}
		if err := c.check(); err != nil {
			for steps := range maxSteps {
				smaller := comparison{recipe: newRecipe(seed, steps), threads: threads}
				if err := smaller.check(); err != nil {
					t.Fatalf("graph %d of %d steps: %v\n%v", seed, steps, err, smaller.recipe)
				}
			}
			t.Fatalf("graph %d: %v\n%v", seed, err, r)
		}
		if r.gradient {
			gradients++
		}
		if c.isVague {
			vague++
		}
	}
	if gradients < int(n)/3 || vague > gradients/50 {
		t.Errorf("%d of %d graphs have gradients, and %d of these have vague differences", gradients, n, vague)
	}
	if times.Load() < 10*int64(n) {
		t.Errorf("work was shared %d times in %d graphs", times.Load(), n)
	}
}

// comparison compares the engines with the interpreter on one graph.
type comparison struct {
	*recipe
	threads *graph.Pool // shares work of any size
	isVague bool        // whether the finite differences depend on the step more than on the gradient

	b       *graph.Builder // the graph in float64
	outputs graph.Nodes    // results of steps, the loss and its gradients
	loss    *graph.Node
	want    [][]float64
	errors  []float64 // estimated error of each output in float32
}

// check returns an error if an engine or a gradient is wrong.
func (c *comparison) check() (err error) {
	defer graph.Recover(&err, "panic")
	isFinite := c.interpret()
	if !isFinite && c.gradient { // the loss has no gradient, or an infinite one
		c.gradient = false
		isFinite = c.interpret()
	}
	if !isFinite {
		return nil // only a graph of fewer steps than were drawn
	}
	return errors.Join(c.checkFloat64(graph.Compiled), c.checkFloat32(), c.checkDifferences())
}

// allOutputs builds the graph and returns the nodes to read, and the loss.
func (r *recipe) allOutputs(b *graph.Builder) (outputs graph.Nodes, loss *graph.Node) {
	steps := r.build(b)
	for _, i := range r.outputs {
		outputs = append(outputs, steps[i])
	}
	loss = r.loss(b, steps)
	if r.gradient {
		outputs = append(outputs, b.Gradients(loss)...)
	}
	return append(outputs, loss), loss
}

// interpret computes the outputs, and how much rounding errors of float32 change them. It reports
// whether the graph can be built and all outputs are finite.
func (c *comparison) interpret() bool {
	c.b = graph.New(graph.Float64, new(graph.Params))
	c.outputs, c.loss = c.allOutputs(c.b)
	if c.b.Err() != nil {
		return false
	}
	p := newInterpreter(c.leafValues(c.b, 0))
	c.want = nil
	c.errors = make([]float64, len(c.outputs))
	for i, n := range c.outputs {
		c.want = append(c.want, p.value(n))
		c.errors[i] = smallestFloat32
		for _, v := range c.want[i] {
			if !(math.Abs(v) < 1e6) {
				return false
			}
			c.errors[i] = max(c.errors[i], math.Abs(v)*float32Rounding)
		}
	}
	for trial := range uint64(3) {
		rounded := interpreter{program: p.program, leaf: p.leaf, random: rand.New(rand.NewPCG(trial, 1))}
		for i, n := range c.outputs {
			for j, v := range rounded.value(n) {
				c.errors[i] = max(c.errors[i], math.Abs(v-c.want[i][j]))
			}
		}
	}
	return true
}

// smallestFloat32 is the smallest float32 with all digits: smaller ones are rounded to 0 at worst.
const smallestFloat32 = 1.2e-38

// Errors of the engines may be that many times as large as the estimated ones, which are those of
// three draws of rounding errors.
const allowedErrors = 16

// checkFloat64 compares the outputs of an engine, in a first and in a second run.
func (c *comparison) checkFloat64(e graph.Engine) error {
	r, err := graph.NewRunner(e, c.b, c.outputs...)
	if err != nil {
		return err
	}
	defer r.Close()
	c.fill(r, c.b, 0)
	for range 2 {
		if err := r.Run(); err != nil {
			return err
		}
	}
	const inFloat64 = 1.0 / (1 << 29) // rounding of float64 by that of float32
	if err := c.compare(r, fmt.Sprintf("on the %s engine in float64", e), inFloat64); err != nil || e == graph.Tape {
		return err
	}
	return c.checkParts(c.b, c.outputs, allOutputs(r, len(c.outputs)))
}

// openInParts opens a graph whose instructions are divided into parts so small that nearly every one has several.
func openInParts(open func(graph.Engine, *graph.Builder, ...*graph.Node) (*graph.Runner, error), b *graph.Builder, outputs graph.Nodes) (*graph.Runner, error) {
	defer func(sizes engine.PartSizes) { engine.Parts = sizes }(engine.Parts)
	engine.Parts = engine.PartSizes{Block: 3, Rows: 2, Columns: 2, ManyColumns: 6}
	return open(graph.Compiled, b, outputs...)
}

// checkParts compares the bytes of outputs that several goroutines compute in parts with the expected ones.
func (c *comparison) checkParts(b *graph.Builder, outputs graph.Nodes, want [][]float64) error {
	r, err := openInParts(graph.NewRunner, b, outputs)
	if err != nil {
		return err
	}
	defer r.Close()
	c.fill(r, b, 0)
	if err := errors.Join(r.UsePool(c.threads), r.Run()); err != nil {
		return err
	}
	if got := allOutputs(r, len(outputs)); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the outputs are %v, and computed in parts %v", want, got)
	}
	return nil
}

// checkFloat32 compares the outputs with all kernels, in one run and in the second Rerun of a sampler, which computes in
// parts. All kernels have to give the same bytes, and a Rerun the bytes of a Run.
func (c *comparison) checkFloat32() error {
	b := graph.New(graph.Float32, new(graph.Params))
	outputs, _ := c.allOutputs(b)
	r, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		return err
	}
	sampler, err := openInParts(graph.NewSampler, b, outputs)
	if err != nil {
		return err
	}
	var first []float32 // outputs with the first kernels
	hasRandomNumbers := len(graph.Inspect(b).Draws()) > 0
	for _, kernel := range kernels.Implementations() {
		if err := kernels.UseImplementation(kernel); err != nil {
			return err
		}
		c.fill(r, b, 0)
		if err := r.Run(); err != nil {
			return err
		}
		if err := c.compare(r, "on "+kernel, 1); err != nil {
			return err
		}
		numbers := r.Outputs(0, len(outputs))
		if first == nil {
			first = slices.Clone(numbers)
		}
		if !slices.Equal(numbers, first) {
			return fmt.Errorf("the outputs are %v on %s kernels, and %v on %s kernels", first, kernels.Implementations()[0], numbers, kernel)
		}
		if !hasRandomNumbers {
			continue
		}
		for i, draw := range []func() error{sampler.Run, sampler.Rerun, sampler.Rerun} {
			c.fill(sampler, b, uint64(2-i))
			if err := draw(); err != nil {
				return err
			}
		}
		if err := c.compare(sampler, "in a sampler on "+kernel, 1); err != nil {
			return err
		}
		rerun := slices.Clone(sampler.Outputs(0, len(outputs)))
		if err := sampler.Run(); err != nil {
			return err
		}
		if numbers := sampler.Outputs(0, len(outputs)); !slices.Equal(numbers, rerun) {
			return fmt.Errorf("the outputs are %v in a Run, and %v in a Rerun", numbers, rerun)
		}
	}
	return c.checkParts(b, outputs, allOutputs(r, len(outputs)))
}

// compare returns an error if an output is further from the expected numbers than rounding errors of the given size, in
// units of those of float32. where names the run in the error.
func (c *comparison) compare(r *graph.Runner, where string, rounding float64) error {
	for i, got := range allOutputs(r, len(c.want)) {
		if err := compareNumbers(got, c.want[i], allowedErrors*rounding*c.errors[i]); err != nil {
			return fmt.Errorf("output %d %s: %w", i, where, err)
		}
	}
	return nil
}

// fill sets the numbers of all leaves of b, with masks and noise of the given draw.
func (c *comparison) fill(r *graph.Runner, b *graph.Builder, draw uint64) {
	for _, name := range r.Inputs() {
		r.Input(name)
	}
	leaf := c.leafValues(b, draw)
	for _, n := range b.Graph().AllNodes() {
		if n.Op() != nil || n.Value() == nil {
			continue
		}
		for i, v := range leaf(n) {
			switch numbers := n.Value().Data().(type) {
			case []float32:
				numbers[i] = float32(v)
			case []float64:
				numbers[i] = v
			}
		}
	}
}

// compareNumbers returns an error if a number is further from the expected one than allowed.
func compareNumbers(got, want []float64, allowed float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d numbers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= allowed) {
			return fmt.Errorf("%v, want %v (number %d, allowed is %.2g)", got, want, i, allowed)
		}
	}
	return nil
}

// checkDifferences compares the derivative of the loss along one direction of all parameters with
// finite differences of the interpreter's values. Values behind a StopGradient stay the same.
func (c *comparison) checkDifferences() error {
	if !c.gradient {
		return nil
	}
	base := c.leafValues(c.b, 0)
	at := newInterpreter(base)
	loss := at.value(c.loss)[0]
	random := rand.New(rand.NewPCG(1, 2))
	directions := make(map[string][]float64)
	want := 0.0
	scale := math.Abs(loss) // of the terms in the derivative
	for k, s := range slices.DeleteFunc(slices.Clone(c.steps), func(s step) bool { return s.name != "Param" && s.name != "Weight" }) {
		for _, g := range c.want[len(c.recipe.outputs)+k] {
			d := float64(1 - 2*random.IntN(2))
			directions[s.leaf] = append(directions[s.leaf], d)
			want += d * g
			scale += math.Abs(g)
		}
	}
	lossAt := func(step float64) float64 {
		moved := interpreter{program: at.program, held: at, leaf: func(n *graph.Node) []float64 {
			x := slices.Clone(base(n))
			for i, d := range directions[n.Name()] {
				x[i] += step * d
			}
			return x
		}}
		return moved.value(c.loss)[0]
	}
	difference := func(h float64) float64 { // of fourth order
		return (8*(lossAt(h)-lossAt(-h)) - (lossAt(2*h) - lossAt(-2*h))) / (12 * h)
	}
	const h = 5e-5
	got := difference(h)
	vagueness := math.Abs(got - difference(2*h))
	c.isVague = vagueness > 1e-6*scale
	if !(math.Abs(got-want) <= 1e-8*scale+vagueness) {
		return fmt.Errorf("the derivative of the loss is %v, and finite differences give %v", want, got)
	}
	return nil
}

// The tape engine, which many tests take for right, computes the same graphs as the interpreter does.
func TestRandomGraphsOnTape(t *testing.T) {
	for seed := range randomGraphs(t, 1000, 4000) {
		c := comparison{recipe: newRecipe(seed, maxSteps)}
		if !c.interpret() {
			c.gradient = false
			c.interpret()
		}
		if err := c.checkFloat64(graph.Tape); err != nil {
			t.Errorf("graph %d: %v\n%v", seed, err, c.recipe)
		}
	}
}

// The random graphs have every operation of the table, every kind of operation that the engine knows,
// and a call of every method of the builder that adds operations.
func TestRandomGraphsHaveEveryOperation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	found := map[string]bool{
		"Beta":           true, // made of the operations of Gamma
		"Buffer":         true, // a parameter without a gradient
		"Const":          true, // in Scale
		"DropoutMoments": true, // made of other methods' operations
		"Gradients":      true, // in the comparison
		"Identity":       true, // in Cholesky
		"ParametersOf":   true, // adds no operation
	}
	kinds := make(map[ops.Kind]bool)
	for seed := range uint64(700) { // the other tests have these graphs, too
		r := newRecipe(seed, maxSteps)
		for _, s := range r.steps {
			method, _, _ := strings.Cut(s.name, " ")
			found[method] = true
		}
		b := graph.New(graph.Float64, new(graph.Params))
		r.allOutputs(b)
		for _, n := range b.Graph().AllNodes() {
			o := ops.OperationOf(n)
			kinds[o.Kind] = true
			if o.Elementwise != nil {
				found["operation "+o.Elementwise.Name] = true
			}
		}
	}
	for _, e := range ops.Table() {
		isApplied := e.Gorgonia != "" || e.Applies() // graphs write relu as a product
		if isApplied && !found["operation "+e.Name] {
			t.Errorf("no graph has the operation %q", e.Name)
		}
	}
	for k := ops.KindInput; k <= ops.KindUserFunction; k++ {
		if !kinds[k] && k != ops.KindTensor { // the builder makes no constant tensors
			t.Errorf("no graph has an operation of kind %d", k)
		}
	}
	b := reflect.TypeFor[*graph.Builder]()
	for i := range b.NumMethod() {
		m := b.Method(i)
		if m.Type.NumOut() == 0 {
			continue
		}
		result := m.Type.Out(0)
		makesNodes := result == reflect.TypeFor[*graph.Node]() || result == reflect.TypeFor[graph.Nodes]()
		if m.Name == "Layer" { // names a node and returns it: it makes none
			continue
		}
		if makesNodes && !found[m.Name] {
			t.Errorf("no graph calls %s", m.Name)
		}
	}
}

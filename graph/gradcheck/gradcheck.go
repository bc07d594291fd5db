// Package gradcheck compares the gradients of a graph with finite differences, or with
// those of another program, in float64.
package gradcheck

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// Function builds a scalar from parameters and inputs.
type Function func(b *graph.Builder) *graph.Node

// Settings say where and how a gradient is checked.
type Settings struct {
	Seed   uint64       // of initial parameters, inputs ~ N(0, 1), masks and directions
	Engine graph.Engine // that computes the gradient; default for Check: every engine, for Against and Drawn: the first

	// MaxElements is the number of elements to compare one by one in each parameter; 0 means all.
	// In a larger parameter, MaxElements elements are picked by Seed, and the derivative along one
	// direction that moves all elements is compared too.
	MaxElements int

	// Value returns element i of an input, given a number drawn from N(0, 1). If Value is
	// nil, the input is that number.
	Value func(input string, i int, drawn float64) float64
}

// Gradient is the comparison for one parameter.
type Gradient struct {
	Name   string
	Engine graph.Engine // with the largest error
	Error  float64      // largest |backward − numeric| divided by Scale
	Scale  float64      // size of the parameter's gradient: its largest element, or its norm for a direction

	// Index is the element with the largest error, or AlongDirection.
	Index             int
	Backward, Numeric float64
	Zero              bool // whether no element receives any gradient
}

// AlongDirection is the Index of a Gradient whose largest error is in the derivative
// along a direction that moves all elements of the parameter.
const AlongDirection = -1

// Check differentiates f backwards and by finite differences, and compares the
// gradients of each parameter.
//
// Values behind a StopGradient are held at the point of comparison, so a correct
// objective with stops agrees. Where terms move one group alone (graph.Term.Group), the
// gradient of a parameter is compared with differences of the terms that move it. Differences are computed by the compiled engine, which
// is quick, and serve for all engines; Check returns an error if the engines' values differ.
//
// A difference that crosses a kink, such as the kink of a ReLU, is not a derivative. Check therefore
// tries shorter and shorter steps, and at each step the differences to both sides and to
// either side alone: a right gradient agrees with some difference, a wrong gradient with none.
// Parameters that start from 0 are moved slightly, since many functions have a kink there.
//
// If the value or a gradient is not finite, Check returns an error that names the
// operation where this began.
func Check(f Function, s Settings) ([]Gradient, error) {
	engines := graph.Engines()
	if s.Engine != "" {
		engines = []graph.Engine{s.Engine}
	}
	params := new(graph.Params)
	var all []backward
	for _, engine := range engines {
		b, err := newBackward(f, params, engine, s)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	held := graph.New(graph.Float64, params)
	graph.Inspect(held).HoldStops = true
	losses, by := graph.Inspect(held).Losses(f(held))
	forward, err := graph.NewRunner(graph.Compiled, held, losses...)
	if err != nil {
		return nil, err
	}
	defer forward.Close()
	fill(forward, s)
	for i, values := range all[0].stopped {
		copy(forward.Input64(fmt.Sprintf("stopped %d", i)), values)
	}
	if err := forward.Run(); err != nil {
		return nil, err
	}
	d := &differ{runner: forward}
	for i := range losses {
		d.values = append(d.values, forward.Output64(i)[0])
	}
	value := d.values[0]
	for _, b := range all {
		if !(math.Abs(b.value-value) <= sameValue*max(1, math.Abs(b.value))) {
			return nil, fmt.Errorf("the value is %v on the %s engine, and %v on the %s one", b.value, b.engine, value, graph.Compiled)
		}
	}
	return compare(params, all, d, by, s)
}

// backward is the value of a function and its gradients as one engine computes them.
type backward struct {
	engine    graph.Engine
	value     float64
	gradients [][]float64 // of each parameter
	stopped   [][]float64 // values behind each StopGradient
}

// newBackward runs f and its gradients on an engine, over parameters drawn from s.Seed.
// It returns an error if a number is not finite.
func newBackward(f Function, params *graph.Params, engine graph.Engine, s Settings) (backward, error) {
	b := graph.New(graph.Float64, params)
	loss := f(b)
	grads := b.Gradients(loss)
	run, err := graph.NewRunner(engine, b, append(append(graph.Nodes{loss}, grads...), graph.Inspect(b).Stopped...)...)
	if err != nil {
		return backward{}, err
	}
	defer run.Close()
	params.Initialise(s.Seed)
	offKinks(params, s.Seed)
	fill(run, s)
	if err := run.Run(); err != nil {
		return backward{}, err
	}
	if err := finite(f, params, run, 1+len(grads), engine, s); err != nil {
		return backward{}, err
	}
	result := backward{engine: engine, value: run.Output64(0)[0]}
	for i := range grads {
		result.gradients = append(result.gradients, slices.Clone(run.Output64(1+i)))
	}
	for i := range graph.Inspect(b).Stopped {
		result.stopped = append(result.stopped, slices.Clone(run.Output64(1+len(grads)+i)))
	}
	return result, nil
}

// sameValue is how far two engines may be apart, relative to the value: the tape machine's
// sigmoid is 1 above 19, and lacks up to 6e-9.
const sameValue = 1e-7

// finite returns an error if the value or a gradient of f, the first outputs of r, is
// not finite.
func finite(f Function, params *graph.Params, r *graph.Runner, outputs int, engine graph.Engine, s Settings) error {
	for i := range outputs {
		for _, v := range r.Output64(i) {
			if v-v == 0 {
				continue
			}
			what := "the value"
			if i > 0 {
				what = "the gradient of " + params.List()[i-1].Name
			}
			b := graph.New(graph.Float64, params)
			graph.Inspect(b).TraceLines()
			loss := f(b)
			fault, err := graph.Inspect(b).FindFault(func(r *graph.Runner) { fill(r, s) }, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
			if err != nil || fault == nil {
				return fmt.Errorf("%s is %v on the %s engine", what, v, engine)
			}
			return fmt.Errorf("%s is %v on the %s engine; first %v", what, v, engine, fault)
		}
	}
	return nil
}

// offKinks moves parameters that start from 0 a little: where a bias is 0 and all that
// comes to it is, a ReLU is at its kink, which is no place for a difference.
func offKinks(params *graph.Params, seed uint64) {
	for i, p := range params.List() {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		for j, values := 0, graph.Slice(params, params.Float64s(), i); !p.Buffer && j < len(values); j++ {
			if values[j] == 0 {
				values[j] = float64(0.01 * portable.NormFloat64(rnd))
			}
		}
	}
}

// fill draws inputs by their names, so that both graphs get the same values, and
// masks.
func fill(r *graph.Runner, s Settings) {
	for _, name := range r.Inputs() {
		h := s.Seed
		for _, c := range name {
			h = h*1099511628211 + uint64(c)
		}
		rnd := rand.New(rand.NewPCG(s.Seed, h))
		values := r.Input64(name)
		for i := range values {
			if values[i] = portable.NormFloat64(rnd); s.Value != nil {
				values[i] = s.Value(name, i, values[i])
			}
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: s.Seed})
}

// compare compares the gradients of every engine with differences of the scalar that moves each
// parameter, number by[i] for parameter i.
func compare(params *graph.Params, all []backward, d *differ, by []int, s Settings) ([]Gradient, error) {
	overall := 0.0
	for _, b := range all {
		for _, values := range b.gradients {
			overall = max(overall, norm(values))
		}
	}
	var result []Gradient
	changes := false
	for i, p := range params.List() {
		d.output = by[i]
		c := comparison{differ: d, at: graph.Slice(params, params.Float64s(), i), overall: overall}
		for _, b := range all {
			c.backward = append(c.backward, b.gradients[i])
			c.engines = append(c.engines, b.engine)
		}
		g, err := c.run(p, s, uint64(i))
		if err != nil {
			return nil, err
		}
		changes = changes || c.changes
		result = append(result, g)
	}
	if !changes {
		return nil, errors.New("the function does not change with any parameter")
	}
	return result, nil
}

// comparison compares the gradients of one parameter.
type comparison struct {
	*differ
	at       []float64   // values of the parameter
	backward [][]float64 // its gradient by each engine
	engines  []graph.Engine
	overall  float64 // largest norm of any parameter's gradient
	changes  bool    // whether the function changed in any difference
}

func (c *comparison) run(p graph.Param, s Settings, number uint64) (Gradient, error) {
	g := Gradient{Name: p.Name, Engine: c.engines[0], Zero: true, Error: -1}
	size := 0.0
	for _, values := range c.backward {
		size = max(size, largest(values))
	}
	g.Zero = size == 0
	picked := pick(p.Len(), s.MaxElements, s.Seed+number)
	for _, j := range picked {
		direction := make([]float64, p.Len())
		direction[j] = max(1, math.Abs(c.at[j])) // steps are relative to large values
		if err := c.along(&g, j, direction, size); err != nil {
			return g, err
		}
	}
	if len(picked) < p.Len() && g.Error <= agrees {
		direction := directionFor(c.backward[0], rand.New(rand.NewPCG(s.Seed, number)))
		if err := c.along(&g, AlongDirection, direction, norm(c.backward[0])); err != nil {
			return g, err
		}
	}
	return g, nil
}

// along compares the derivative along a direction, and keeps it in g if its error is the
// largest so far.
func (c *comparison) along(g *Gradient, index int, direction []float64, size float64) error {
	length := 1.0
	if index != AlongDirection {
		length = direction[index]
	}
	want := make([]float64, len(c.backward))
	for k, values := range c.backward {
		want[k] = dot(values, direction)
	}
	if size < negligible*c.overall {
		size = c.overall
	}
	found, err := c.closest(c.at, direction, want, agrees*size*length)
	if err != nil {
		return err
	}
	for k, numeric := range found {
		c.changes = c.changes || numeric != 0
		scale := size * length
		if scale == 0 || g.Zero && math.Abs(numeric) > negligible*c.overall*length {
			scale = math.Abs(numeric)
		}
		e := 0.0
		if numeric != want[k] {
			e = math.Abs(want[k]-numeric) / scale
		}
		if e > g.Error || math.IsNaN(e) {
			g.Engine, g.Error, g.Scale, g.Index = c.engines[k], e, scale/length, index
			g.Backward, g.Numeric = want[k]/length, numeric/length
		}
	}
	return nil
}

// directionFor returns a direction that moves all elements: half of it along the gradient,
// so that the derivative is not lost in rounding errors, and half of it at random.
func directionFor(gradient []float64, rnd *rand.Rand) []float64 {
	direction := make([]float64, len(gradient))
	length, each := norm(gradient), 1/math.Sqrt(float64(len(gradient)))
	for j, g := range gradient {
		if direction[j] = each; rnd.Uint64()%2 == 0 {
			direction[j] = -each
		}
		if length > 0 {
			direction[j] += g / length
		}
	}
	return direction
}

// pick returns the elements of a parameter to compare, ascending: all of them, or so
// many at most.
func pick(n, most int, seed uint64) []int {
	if most == 0 || n <= most {
		most = n
	}
	picked := portable.Perm(rand.New(rand.NewPCG(seed, uint64(n))), n)[:most]
	slices.Sort(picked)
	return picked
}

// agrees is the relative error at which no shorter step is tried.
const agrees = 1e-7

// negligible is the part of the largest gradient below which a parameter's
// differences are rounding noise.
const negligible = 1e-9

func largest(values []float64) float64 {
	m := 0.0
	for _, v := range values {
		m = math.Max(m, math.Abs(v))
	}
	return m
}

func norm(values []float64) float64 { return math.Sqrt(dot(values, values)) }

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// Package gradcheck compares the gradients of a graph with finite differences, or with
// those of another program, in float64.
package gradcheck

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/data/portable"
	"sml/graph"
)

// Function builds a scalar from parameters and inputs.
type Function func(b *graph.Builder) *graph.Node

// Settings say where a gradient is checked. Zero values are defaults.
type Settings struct {
	Seed   uint64       // of initial parameters, inputs ~ N(0, 1) and masks
	Step   float64      // of the differences, relative to max(1, |value|); default 1e-4
	Engine graph.Engine // that computes the gradient; default the first of graph.Engines

	// Most bounds the elements of each parameter that are compared, which are then
	// picked by Seed; default 0, all. Each costs four runs of the graph.
	Most int

	// Value, if set, says what element i of an input is, given a number drawn from
	// N(0, 1); without it, that number.
	Value func(input string, i int, drawn float64) float64
}

// Gradient is the comparison for one parameter.
type Gradient struct {
	Name  string
	Error float64 // largest |backward − numeric| over the parameter, divided by Scale
	Scale float64 // its largest |numeric|; the largest of all parameters' where it has none

	// The element with the largest error.
	Index             int
	Backward, Numeric float64
	Zero              bool // no element receives any gradient
}

// Check builds f twice, differentiates it backwards and by differences
// (fourth order: (−f(2h) + 8f(h) − 8f(−h) + f(−2h)) / 12h), and compares the
// gradients of each parameter. Differences are those of the compiled engine, which is
// quick; an error says so if its value is not that of the engine of the gradient. Values behind a StopGradient are held at what
// they are at the point of comparison, so a correct objective with stops agrees.
// Keep away from kinks: the difference across one is not a derivative. Parameters that
// start from 0 are therefore tried beside it. A value or a gradient that is not finite is
// an error, which names the first such number.
func Check(f Function, s Settings) ([]Gradient, error) {
	if s.Step == 0 {
		s.Step = 1e-4
	}
	if s.Engine == "" {
		s.Engine = graph.Engines()[0]
	}
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss := f(b)
	grads := b.Gradients(loss)
	stops := graph.Inspect(b).StoppedNodes()
	backward, err := graph.NewRunner(s.Engine, b, append(append(graph.Nodes{loss}, grads...), stops...)...)
	if err != nil {
		return nil, err
	}
	defer backward.Close()

	held := graph.New(graph.Float64, params)
	graph.Inspect(held).HoldStops()
	forward, err := graph.NewRunner(graph.Compiled, held, f(held))
	if err != nil {
		return nil, err
	}
	defer forward.Close()

	params.Initialise(s.Seed)
	offKinks(params, s.Seed)
	for _, r := range []*graph.Runner{backward, forward} {
		fill(r, s)
	}
	if err := backward.Run(); err != nil {
		return nil, err
	}
	if err := finite(f, params, backward, 1+len(grads), s); err != nil {
		return nil, err
	}
	for i := range stops {
		copy(forward.Input64(fmt.Sprintf("stopped %d", i)), backward.Output64(1+len(grads)+i))
	}
	if err := forward.Run(); err != nil {
		return nil, err
	}
	if v, w := backward.Output64(0)[0], forward.Output64(0)[0]; !(math.Abs(v-w) <= sameValue*max(1, math.Abs(v))) {
		return nil, fmt.Errorf("the value is %v on the %s engine, and %v on the %s one", v, s.Engine, w, graph.Compiled)
	}
	return compare(params, backward, forward, s)
}

// sameValue is how far two engines may be apart, relative to the value: the tape machine's
// sigmoid is 1 above 19, and lacks up to 6e-9.
const sameValue = 1e-7

// finite returns an error if the value or the gradient of f, the first outputs of r, is
// not.
func finite(f Function, params *graph.Params, r *graph.Runner, outputs int, s Settings) error {
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
				return fmt.Errorf("%s is %v", what, v)
			}
			return fmt.Errorf("%s is %v; first %v", what, v, fault)
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

// compare takes differences of the elements that are picked, parameter by parameter.
func compare(params *graph.Params, backward, forward *graph.Runner, s Settings) ([]Gradient, error) {
	values := params.Float64s()
	numeric := make([]float64, len(values))
	list := params.List()
	picked := make([][]int, len(list))
	for i, p := range list {
		picked[i] = pick(p.Len(), s.Most, s.Seed+uint64(i))
		at, to := graph.Slice(params, values, i), graph.Slice(params, numeric, i)
		for _, j := range picked[i] {
			d, err := difference(forward, &at[j], s.Step)
			if err != nil {
				return nil, err
			}
			to[j] = d
		}
	}
	overall := largest(numeric)
	if overall == 0 {
		return nil, errors.New("the function does not change with any parameter")
	}
	result := make([]Gradient, len(list))
	for i, p := range list {
		differences := graph.Slice(params, numeric, i)
		g := Gradient{Name: p.Name, Scale: largest(differences)}
		back := backward.Output64(1 + i)
		if len(picked[i]) < p.Len() { // the largest may not be among them
			g.Scale = math.Max(g.Scale, largest(back))
		}
		if g.Scale < negligible*overall {
			g.Scale = overall
		}
		g.compare(back, differences, picked[i])
		result[i] = g
	}
	return result, nil
}

// compare finds the largest error among the elements that are picked.
func (g *Gradient) compare(back, numeric []float64, picked []int) {
	for k, j := range picked {
		e := math.Abs(back[j]-numeric[j]) / g.Scale
		if e > g.Error || math.IsNaN(e) || k == 0 {
			g.Error, g.Index, g.Backward, g.Numeric = e, j, back[j], numeric[j]
		}
	}
	g.Zero = true
	for _, v := range back {
		g.Zero = g.Zero && v == 0
	}
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

// difference moves one value and puts it back.
func difference(r *graph.Runner, x *float64, step float64) (float64, error) {
	at := *x
	defer func() { *x = at }()
	h := step * math.Max(1, math.Abs(at))
	sum := 0.0
	for _, p := range []struct{ offset, weight float64 }{{2, -1}, {1, 8}, {-1, -8}, {-2, 1}} {
		*x = at + float64(p.offset*h)
		if err := r.Run(); err != nil {
			return 0, err
		}
		sum += float64(p.weight * r.Output64(0)[0])
	}
	return sum / (12 * h), nil
}

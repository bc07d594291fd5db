// Package gradcheck compares the gradients of a graph with finite differences
// in float64.
package gradcheck

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"sml/data/portable"
	"sml/graph"
)

// Function builds a scalar from parameters and inputs.
type Function func(b *graph.Builder) *graph.Node

// Settings say where a gradient is checked. Zero values are defaults.
type Settings struct {
	Seed   uint64       // of initial parameters, inputs ~ N(0, 1) and masks
	Step   float64      // of the differences, relative to max(1, |value|); default 1e-4
	Engine graph.Engine // default the first of graph.Engines

	// Fill, if set, replaces the normal inputs.
	Fill func(r *graph.Runner)
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
// gradients of each parameter. Values behind a StopGradient are held at what
// they are at the point of comparison, so a correct objective with stops agrees.
// Keep away from kinks: the difference across one is not a derivative.
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
	stops := b.Stopped()
	backward, err := graph.NewRunner(s.Engine, b, append(append(graph.Nodes{loss}, grads...), stops...)...)
	if err != nil {
		return nil, err
	}
	defer backward.Close()

	held := graph.New(graph.Float64, params)
	held.HoldStops()
	forward, err := graph.NewRunner(s.Engine, held, f(held))
	if err != nil {
		return nil, err
	}
	defer forward.Close()

	params.Initialise(s.Seed)
	for _, r := range []*graph.Runner{backward, forward} {
		fill(r, s)
	}
	if err := backward.Run(); err != nil {
		return nil, err
	}
	for i := range stops {
		copy(forward.Input64(fmt.Sprintf("stopped %d", i)), backward.Output64(1+len(grads)+i))
	}
	return compare(params, backward, forward, s.Step)
}

func fill(r *graph.Runner, s Settings) {
	if s.Fill != nil {
		s.Fill(r)
	} else {
		for _, name := range r.Inputs() {
			// Named by name, so that both graphs get the same values.
			h := s.Seed
			for _, c := range name {
				h = h*1099511628211 + uint64(c)
			}
			rnd := rand.New(rand.NewPCG(s.Seed, h))
			values := r.Input64(name)
			for i := range values {
				values[i] = portable.NormFloat64(rnd)
			}
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: s.Seed})
}

func compare(params *graph.Params, backward, forward *graph.Runner, step float64) ([]Gradient, error) {
	values := params.Float64s()
	numeric := make([]float64, len(values))
	for i := range values {
		d, err := difference(forward, &values[i], step)
		if err != nil {
			return nil, err
		}
		numeric[i] = d
	}
	overall := largest(numeric)
	if overall == 0 {
		return nil, errors.New("the function does not change with any parameter")
	}
	list := params.List()
	result := make([]Gradient, len(list))
	for i, p := range list {
		differences := graph.Slice(params, numeric, i)
		g := Gradient{Name: p.Name, Scale: largest(differences), Zero: true}
		if g.Scale < negligible*overall {
			g.Scale = overall
		}
		back := backward.Output64(1 + i)
		for j, n := range differences {
			e := math.Abs(back[j]-n) / g.Scale
			if e > g.Error || math.IsNaN(e) || j == 0 {
				g.Error, g.Index, g.Backward, g.Numeric = e, j, back[j], n
			}
			g.Zero = g.Zero && back[j] == 0
		}
		result[i] = g
	}
	return result, nil
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

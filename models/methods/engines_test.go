package methods_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// variant is a way to train a network.
type variant struct {
	name string
	spec models.Spec
}

// variants are all registered methods with what changes their graphs.
func variants(t *testing.T) []variant {
	t.Helper()
	var all []variant
	add := func(name, method string, chosen models.Hyperparameters, edit func(*models.Architecture)) {
		a := models.Architecture{Inputs: 13, Targets: 1, Hidden: []int{50, 50}, Activation: "relu", Dropout: 0.1}
		if edit != nil {
			edit(&a)
		}
		s := expect.Must(models.NewSpec(method, chosen, a))
		all = append(all, variant{name, s})
	}
	for _, m := range models.Methods() {
		add(m.Name, m.Name, nil, nil)
		add(m.Name+", two targets", m.Name, nil, func(a *models.Architecture) { a.Targets = 2 })
		for _, drop := range []models.Layers{models.AllLayers, models.LastLayer, models.NoLayers} {
			add(fmt.Sprintf("%s, dropout in layers: %s", m.Name, drop), m.Name, nil, func(a *models.Architecture) { a.Drop = drop })
		}
		for _, activation := range networks.Activations() {
			add(m.Name+", "+activation, m.Name, nil, func(a *models.Architecture) { a.Activation = activation })
		}
		add(m.Name+", no hidden layer", m.Name, nil, func(a *models.Architecture) { a.Hidden = nil })
		add(m.Name+", one wide layer", m.Name, nil, func(a *models.Architecture) { a.Hidden = []int{77} })
		add(m.Name+", three narrow layers", m.Name, nil, func(a *models.Architecture) { a.Hidden = []int{3, 1, 2} })
	}
	for name, chosen := range map[string]models.Hyperparameters{
		"gamma":         {"gamma": 0.3},
		"through":       {"through": 1},
		"no regression": {"alpha": 0, "beta": 1},
		"everything":    {"alpha": 0.7, "beta": 0.9, "gamma": 0.2, "through": 1},
		"mean only":     {"beta": 0},
	} {
		add("sml, "+name, "sml", chosen, nil)
		add("sml, two targets, "+name, "sml", chosen, func(a *models.Architecture) { a.Targets = 2 })
	}
	return all
}

// step opens loss and gradients of a variant on an engine.
func step(t *testing.T, s models.Spec, b *graph.Builder, params *graph.Params, engine graph.Engine, rows int) *graph.Runner {
	t.Helper()
	l := expect.Must(s.Loss(b, rows))
	r := expect.Must(graph.NewRunner(engine, b, append(graph.Nodes{l}, b.Gradients(l)...)...))
	params.Initialise(5)
	random := rand.New(rand.NewPCG(8, 15))
	for _, name := range r.Inputs() {
		values := make([]float64, max(len(r.Input(name)), len(r.Input64(name))))
		for i := range values {
			values[i] = float64(float32(s.TypicalInput(name, i, random.NormFloat64())))
		}
		set(r, name, values...)
	}
	r.SampleMasks(graph.MaskKey{Seed: 3, Step: 4})
	expect.NoError(t, r.Run())
	return r
}

// Loss and gradients of every method are those of the tape machine, to 1e-12
// in float64 and 1e-5 in float32, relative to the largest number in a tensor.
func TestMethodsOnBothEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, v := range variants(t) {
		t.Run(v.name, func(t *testing.T) {
			batches := []int{7}
			if !strings.Contains(v.name, ", ") { // sums over many rows are the same in all variants of a method
				batches = append(batches, 100)
			}
			for _, rows := range batches {
				numbers := func(dtype tensor.Dtype, e graph.Engine) (all []float64) {
					params := new(graph.Params)
					r := step(t, v.spec, graph.New(dtype, params), params, e, rows)
					defer r.Close()
					for i := range 1 + len(params.List()) {
						all = append(all, outputOf(r, i)...)
					}
					return all
				}
				params := new(graph.Params)
				expect.Must(v.spec.Loss(graph.New(graph.Float64, params), rows))
				tolerance := 1e-12
				if v.spec.Method == "concrete" { // Gorgonia's sigmoid is 1 above 19, where it lacks 6e-9
					tolerance = 1e-8
				}
				compareTensors(t, params, "float64", numbers(graph.Float64, graph.Compiled), numbers(graph.Float64, graph.Tape), tolerance)
				compareTensors(t, params, "float32", numbers(graph.Float32, graph.Compiled), numbers(graph.Float32, graph.Tape), 1e-5)
			}
		})
	}
}

// compareTensors compares a loss and the gradients behind it. A gradient that
// is a sum of terms which all but cancel is judged by the largest number in
// all gradients, at a tenth of it.
func compareTensors(t *testing.T, params *graph.Params, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != 1+params.Len() || len(want) != len(got) {
		t.Fatalf("%s: %d and %d numbers, want %d", what, len(got), len(want), 1+params.Len())
	}
	magnitude := func(values []float64) float64 {
		m := 0.0
		for _, v := range values {
			m = math.Max(m, math.Abs(v))
		}
		return m
	}
	overall := magnitude(want[1:]) / 10
	compare := func(name string, got, want []float64) {
		largest := math.Max(overall, magnitude(want))
		for i, v := range want {
			if !(math.Abs(got[i]-v) <= tolerance*largest) {
				t.Errorf("%s: %s[%d] is %v, on tape %v", what, name, i, got[i], v)
				return
			}
		}
	}
	compare("loss", got[:1], want[:1])
	for i, p := range params.List() {
		compare("gradient of "+p.Name, graph.ParamValues(params, got[1:], i), graph.ParamValues(params, want[1:], i))
	}
}

// A step and a draw, once opened, allocate nothing.
func TestStepsDoNotAllocate(t *testing.T) {
	for _, v := range variants(t) {
		params := new(graph.Params)
		train := step(t, v.spec, graph.New(graph.Float32, params), params, graph.Compiled, 20)
		draw := uint32(0)
		if n := testing.AllocsPerRun(10, func() {
			draw++
			train.SampleMasks(graph.MaskKey{Seed: 1, Step: draw})
			expect.NoError(t, train.Run())
			train.Outputs(1, 1+len(params.List()))
		}); n != 0 {
			t.Errorf("%s: a step makes %v allocations", v.name, n)
		}

		b := graph.New(graph.Float32, params)
		f := expect.Must(v.spec.Forward(b, 20))
		pass := graph.Drop(0)
		if m, err := models.Lookup(v.spec.Method); err != nil || m.DropLayers == models.NoLayers {
			pass = graph.Full // it has no sub-networks
		}
		sampler := expect.Must(graph.NewSampler(graph.Compiled, b, f(pass)))
		clear(sampler.Input(models.InputX))
		expect.NoError(t, sampler.Run())
		if n := testing.AllocsPerRun(10, func() {
			draw++
			sampler.SampleMasks(graph.MaskKey{Seed: 1, Step: draw})
			expect.NoError(t, sampler.Rerun())
			sampler.Output(0)
		}); n != 0 {
			t.Errorf("%s: a draw makes %v allocations", v.name, n)
		}
	}
}

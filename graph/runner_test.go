package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

// layers returns the outputs of a sub-network and of the full network. drop has the hidden layers with
// dropout.
func layers(b *graph.Builder, rows int, drop []bool, activation func(*graph.Builder, *graph.Node) *graph.Node) graph.Nodes {
	x := b.Input("x", rows, 5)
	forward := func(pass graph.Pass) *graph.Node {
		h, width := x, 5
		for i, dropped := range drop {
			h = activation(b, b.Linear(h, b.Param(fmt.Sprint("w", i), width, 9+i, graph.Uniform(0.5)), b.Param(fmt.Sprint("b", i), 1, 9+i, graph.Uniform(0.5))))
			width = 9 + i
			if dropped {
				h = b.Dropout(h, pass, i, 0.3)
			}
		}
		return b.Linear(h, b.Param("w", width, 2, graph.Uniform(0.5)), b.Param("b", 1, 2, graph.Uniform(0.5)))
	}
	return graph.Nodes{forward(graph.Drop(0)), forward(graph.Full), forward(graph.Drop(1))}
}

func fill(values []float32, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 9))
	for i := range values {
		values[i] = float32(r.NormFloat64())
	}
}

// A sampler with one draw for all rows gives the bytes of the whole graph whose rows share a mask, also after inputs and
// parameters have changed. TestRandomGraphs has samplers with a draw for each row.
func TestOneDrawIsRun(t *testing.T) {
	const rows = 7
	for _, drop := range [][]bool{{true}, {true, true}, {false, true}, {true, false}, {false, false}, {false, false, true}} {
		params := new(graph.Params)
		open := func(oneDraw bool, open func(graph.Engine, *graph.Builder, ...*graph.Node) (*graph.Runner, error)) *graph.Runner {
			b := graph.New(graph.Float32, params)
			graph.Inspect(b).OneDraw = oneDraw
			return expect.Must(open(graph.Compiled, b, layers(b, rows, drop, builder.ReLU)...))
		}
		sampler, whole := open(true, graph.NewSampler), open(false, graph.NewRunner)
		for round := range uint64(3) {
			params.Initialise(round / 2) // the last round changes parameters too
			fill(sampler.Input("x"), round)
			fill(whole.Input("x"), round)
			sample := sampler.Run
			for draw := range uint32(3) {
				key := graph.MaskKey{Seed: 1, Step: draw, StepRows: rows}
				sampler.SampleMasks(key)
				whole.SampleMasks(key)
				expect.NoError(t, sample())
				run(t, whole)
				if got, want := sampler.Outputs(0, 3), whole.Outputs(0, 3); !slices.Equal(got, want) || len(got) != 3*rows*2 {
					t.Fatalf("dropout %v, round %d, draw %d: %v, want %v", drop, round, draw, got, want)
				}
				sample = sampler.Rerun
			}
		}
	}
}

// Outputs lie one after another in the order of NewRunner's arguments on both engines, also inputs,
// equal nodes and zero gradients.
func TestOutputsLieInOrder(t *testing.T) {
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float32, params)
		x, w := b.Input("x", 1, 2), b.Param("w", 2, 1, graph.Uniform(1))
		b.Param("unused", 1, 3, graph.Uniform(1))
		y := b.MatMul(x, w)
		loss := b.Mean(b.Square(y))
		r := newRunner(t, engine, b, append(graph.Nodes{loss, x, y, y}, b.Gradients(loss)...)...)
		copy(r.Input("x"), []float32{3, 4})
		copy(params.Float32s(), []float32{1, 2, 0, 0, 0})
		run(t, r)
		// y = 3 + 8 = 11, loss = 121, d/dw = 2·11·x.
		if got, want := r.Outputs(0, 6), []float32{121, 3, 4, 11, 11, 66, 88, 0, 0, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", engine, got, want)
		}
		if got := r.Outputs(2, 2); len(got) != 0 {
			t.Errorf("%s: no outputs are %v", engine, got)
		}
	}
}

// A second runner over the same builder leaves the first one's inputs as they
// are: they share them.
func TestTwoRunnersOfOneBuilder(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float32, new(graph.Params))
		x := b.Input("x", 2, 1)
		twice, sum := b.Scale(2, x), b.Sum(x)
		first := newRunner(t, engine, b, twice)
		values := first.Input("x")
		copy(values, []float32{1, 2})
		second := newRunner(t, engine, b, sum)
		for _, r := range []*graph.Runner{second, first} {
			run(t, r)
		}
		if values[0] = 5; first.Run() != nil || !slices.Equal(first.Output(0), []float32{10, 4}) || second.Output(0)[0] != 3 {
			t.Errorf("%s: %v, %v", engine, first.Output(0), second.Output(0))
		}
	}
}

package graph_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

// Two products [2 3]·[3 2], by hand.
func TestBatchMatMul(t *testing.T) {
	x := matrix{{1, 2, 3, 4, 5, 6}, {1, 0, -1, 2, 1, 0}}
	y := matrix{{1, 0, 0, 1, 1, 1}, {2, 1, 0, 3, -1, 4}}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, func(b *graph.Builder, p graph.Nodes) *graph.Node {
			return b.Reshape(b.BatchMatMul(b.Reshape(p[0], 2, 2, 3), b.Reshape(p[1], 2, 3, 2)), 2, 4)
		}, matrix{{1, 0, 0, 0}, {0, 0, 0, 1}}, x, y)
		in.checkNear(t, "products", got[0], []float64{4, 5, 10, 11, 3, -3, 4, 5})
		in.checkNear(t, "to x", got[1], []float64{1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 3, 4})
		in.checkNear(t, "to y", got[2], []float64{1, 0, 2, 0, 3, 0, 0, 2, 0, 1, 0, 0})

		got = in.evaluate(t, func(b *graph.Builder, p graph.Nodes) *graph.Node {
			return b.Reshape(b.Transpose(b.Reshape(p[0], 2, 2, 3)), 2, 6)
		}, matrix{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}, x)
		in.checkNear(t, "transposes", got[0], []float64{1, 4, 2, 5, 3, 6, 1, 2, 0, 1, -1, 0})
		in.checkNear(t, "transposes, back", got[1], []float64{1, 3, 5, 2, 4, 6, 7, 9, 11, 8, 10, 12})
	})
}

// attention of tokens [rows, tokens, width], to themselves.
func attention(b *graph.Builder, rows, tokens, width int) *graph.Node {
	flat := b.Input("x", rows*tokens, width)
	of := func(name string) *graph.Node {
		return b.Reshape(b.MatMul(flat, b.Param(name, width, width, graph.Uniform(1))), rows, tokens, width)
	}
	scores := b.Reshape(b.BatchMatMul(of("q"), b.Transpose(of("k"))), rows*tokens, tokens)
	return b.BatchMatMul(b.Reshape(b.Softmax(scores), rows, tokens, tokens), of("v"))
}

// A pool does not change the results.
func TestAttentionOnSeveralThreads(t *testing.T) {
	var first []float32
	for _, threads := range []int{1, 2} {
		params := new(graph.Params)
		b := graph.New(graph.Float32, params)
		loss := b.Mean(b.Square(attention(b, 300, 17, 24)))
		r := newRunner(t, graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		pool := graph.NewPool(threads)
		defer pool.Close()
		expect.NoError(t, r.UsePool(pool))
		params.Initialise(1)
		for i, x := 0, r.Input("x"); i < len(x); i++ {
			x[i] = float32(i%13)/7 - 1
		}
		run(t, r)
		var all []float32
		for i := range 1 + len(params.List()) {
			all = append(all, r.Output(i)...)
		}
		if first == nil {
			first = all
		}
		for i, v := range all {
			if v != first[i] {
				t.Fatalf("%d threads: number %d is %v, and %v by one", threads, i, v, first[i])
			}
		}
	}
}

package graph_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
)

// sampleOutputs returns the outputs of a graph of 12 rows after one run with the given key.
func sampleOutputs(t *testing.T, e graph.Engine, key graph.MaskKey, build func(b *graph.Builder) graph.Nodes) [][]float32 {
	t.Helper()
	b := graph.New(graph.Float32, new(graph.Params))
	outputs := build(b)
	r := newRunner(t, e, b, outputs...)
	r.SampleMasks(key)
	run(t, r)
	var values [][]float32
	for i := range outputs {
		values = append(values, slices.Clone(r.Output(i)))
	}
	return values
}

// Noise and masks follow from their names and the key: the seed, the step and the row.
func TestNoiseFollowsFromItsName(t *testing.T) {
	noise := func(rows int) func(b builder) nodes {
		return func(b builder) nodes {
			mask := func(pass graph.Pass, layer int) node {
				return graph.Operands(b.Dropout(b.Repeat(b.Const(1), rows, 20), pass, layer, 0.3))[1]
			}
			n := nodes{
				b.Normal(graph.Noise{}, rows, 7), b.Normal(graph.Noise{Stream: 1}, rows, 7), b.Normal(graph.Noise{Pass: graph.Drop(0)}, rows, 7),
				b.Normal(graph.Noise{Pass: graph.Drop(0), Stream: 3, Shared: true}, 5, 7), b.Uniform(graph.Noise{Stream: 2}, rows, 7),
			}
			b.Within(graph.Scope{Prefix: "critic."}, func() { n = append(n, b.Normal(graph.Noise{}, rows, 7)) })
			return append(n, mask(graph.Drop(0), 0), mask(graph.Drop(0), 1), mask(graph.Drop(1), 0))
		}
	}
	at := graph.MaskKey{Seed: 7, Step: 3, Row: 10}
	a := sampleOutputs(t, graph.Compiled, at, noise(12))
	for i, again := range sampleOutputs(t, graph.Tape, at, noise(12)) {
		if !slices.Equal(a[i], again) {
			t.Errorf("noise %d differs between engines", i)
		}
		for j := range i {
			if slices.Equal(a[i][:35], a[j][:35]) {
				t.Errorf("noise %d and %d are equal", i, j)
			}
		}
	}
	// Noise of rows follows the row numbers; shared noise does not.
	for i, later := range sampleOutputs(t, graph.Compiled, graph.MaskKey{Seed: 7, Step: 3, Row: 15}, noise(7)) {
		want := a[i]
		if i != 3 {
			want = want[5*len(want)/12:]
		}
		if !slices.Equal(later, want) {
			t.Errorf("noise %d depends on the block that its rows are in", i)
		}
	}
	// With OneDraw every row has the noise of the first one, and with StepRows the rows of a step have the noise of its first row.
	steps := at
	steps.StepRows = 5
	oneDraw := func(b *graph.Builder) graph.Nodes {
		graph.Inspect(b).OneDraw = true
		return noise(12)(b)
	}
	var first [][][]float32 // for each of three steps
	for step := range uint32(3) {
		first = append(first, sampleOutputs(t, graph.Compiled, graph.MaskKey{Seed: at.Seed, Step: at.Step + step, Row: at.Row}, noise(1)))
	}
	for _, e := range graph.Engines() {
		repeated := sampleOutputs(t, e, at, oneDraw)
		for i, got := range sampleOutputs(t, e, steps, noise(12)) {
			want := slices.Concat(slices.Repeat(first[0][i], 5), slices.Repeat(first[1][i], 5), slices.Repeat(first[2][i], 2))
			wantRepeated := slices.Repeat(first[0][i], 12)
			if i == 3 {
				want, wantRepeated = a[i], a[i]
			}
			if !slices.Equal(got, want) || !slices.Equal(repeated[i], wantRepeated) {
				t.Errorf("%s: noise %d is not the same for all rows of a step", e, i)
			}
		}
	}
	for _, other := range []graph.MaskKey{{Seed: 8, Step: 3, Row: 10}, {Seed: 7 + 1<<32, Step: 3, Row: 10}, {Seed: 7, Step: 4, Row: 10}} {
		for i, v := range sampleOutputs(t, graph.Compiled, other, noise(12)) {
			if slices.Equal(v, a[i]) {
				t.Errorf("key %+v gives the same noise %d", other, i)
			}
		}
	}
}

// Gradients flow through expressions of noise, constants and buffers, such as σ·ε + μ for a learned
// row σ, and not into frozen parameters.
func TestGradientsAroundNoise(t *testing.T) {
	loss := func(b *graph.Builder) *graph.Node {
		sigma, mu := b.Softplus(b.Param("rho", 1, 4, graph.Normal(1))), b.Param("mu", 1, 4, graph.Normal(1))
		w := b.Add(b.Mul(b.Normal(graph.Noise{Shared: true}, 3, 4), sigma), mu)
		h := b.Tanh(b.MatMul(b.Input("x", 5, 3), w))
		h = b.Mul(h, b.Uniform(graph.Noise{Stream: 1}, 5, 4))
		h = b.Add(h, b.Constant(1, 4, []float64{1, 2, 3, 4}))
		b.Within(graph.Scope{Prefix: "old.", Frozen: true}, func() { h = b.Mul(h, b.Param("scale", 1, 4, graph.Uniform(2))) })
		return b.Mean(b.Square(b.Mul(h, b.Buffer("running", 1, 4, graph.Uniform(1)))))
	}
	for _, e := range graph.Engines() {
		found := expect.Must(gradcheck.Check(loss, gradcheck.Settings{Seed: 3, Engine: e}))
		for _, g := range found {
			if stays := g.Name == "running" || g.Name == "old.scale"; g.Error > 1e-7 || g.Zero != stays {
				t.Errorf("%s: gradient of %s is off by %v, zero: %v", e, g.Name, g.Error, g.Zero)
			}
		}
	}
}

func TestScopes(t *testing.T) {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	inner := graph.Scope{Prefix: "head.", Rate: 0.5}
	b.Within(graph.Scope{Prefix: "critic.", Rate: 0.1}, func() {
		b.Param("w", 1, 1, graph.Fill(1))
		b.Within(inner, func() { b.Param("w", 1, 1, graph.Fill(2)) })
	})
	frozen := graph.Scope{Frozen: true}
	b.Within(frozen, func() { b.Param("both", 1, 1, graph.Fill(3)); b.Param("stays", 1, 1, graph.Fill(4)) })
	b.Param("both", 1, 1, graph.Fill(3))
	expect.NoError(t, b.Err())
	want := []graph.Param{{Name: "critic.w", Rate: 0.1}, {Name: "critic.head.w", Rate: 0.05}, {Name: "both", Rate: 1}, {Name: "stays", Rate: 1, Buffer: true}}
	for i, p := range params.List() {
		if w := want[i]; p.Name != w.Name || math.Abs(p.Rate-w.Rate) > 1e-15 || p.Buffer != w.Buffer {
			t.Errorf("parameter %d is %+v, want %+v", i, p, w)
		}
	}

	// A graph of the values of these, as constants, by the names that they have there.
	expect.NoError(t, params.Allocate(graph.Float32))
	params.Initialise(1)
	own := new(graph.Params)
	copied := graph.New(graph.Float32, own)
	var n *graph.Node
	graph.Inspect(copied).Training = true
	copied.Within(graph.Scope{Prefix: "teacher.", From: params}, func() {
		if copied.Training() {
			t.Error("what is copied is not in training")
		}
		copied.Within(graph.Scope{Prefix: "critic."}, func() {
			copied.Within(inner, func() { n = copied.Param("w", 1, 1, graph.Fill(0)) })
		})
	})
	r := newRunner(t, graph.Compiled, copied, copied.Shift(n, 1))
	if err := r.Run(); err != nil || r.Output(0)[0] != 3 || len(own.List()) != 0 {
		t.Errorf("%v, %v; parameters %v", r.Output(0), err, own.List())
	}
}

// Two updates in one step follow one another. Outside of a training, Update does nothing.
func TestUpdates(t *testing.T) {
	for _, training := range []bool{true, false} {
		b := graph.New(graph.Float32, new(graph.Params))
		graph.Inspect(b).Training = training
		for range 2 {
			b.Update("n", b.Shift(b.Buffer("n", 1, 1, graph.Fill(5)), 1))
		}
		values, numbers := graph.Inspect(b).Updates()
		if !training {
			if len(values) != 0 {
				t.Error("a prediction updates")
			}
			continue
		}
		if !slices.Equal(numbers, []int{0}) {
			t.Fatalf("numbers %v", numbers)
		}
		r := newRunner(t, graph.Compiled, b, values...)
		if err := r.Run(); err != nil || r.Output(0)[0] != 2 { // values are 0 before Initialise
			t.Errorf("%v, %v", r.Output(0), err)
		}
	}
}

func TestPenalties(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	a, c := b.Sum(b.Param("a", 1, 2, graph.Fill(1))), b.Sum(b.Param("c", 1, 2, graph.Fill(1)))
	b.Penalty("kl", a)
	b.Within(graph.Scope{Prefix: "critic."}, func() { b.Penalty("kl", c) })
	if got := graph.Inspect(b).UnusedPenalties(b.Square(a)); !slices.Equal(got, []string{"critic.kl"}) {
		t.Errorf("ignored: %v", got)
	}
}

package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// masks returns the dropout masks of three layers and passes.
func masks(t *testing.T, rows int, key graph.MaskKey, rate float64) [][]float32 {
	t.Helper()
	return sampleOutputs(t, graph.Tape, key, func(b builder) (all nodes) {
		x := b.Repeat(b.Const(1), rows, 20)
		layers := []node{b.Dropout(x, graph.Drop(0), 0, rate), b.Dropout(x, graph.Drop(0), 1, rate), b.Dropout(x, graph.Drop(1), 0, rate)}
		for _, dropped := range layers {
			all = append(all, graph.Operands(dropped)[1])
		}
		return all
	})
}

func TestMasksHaveMeanOne(t *testing.T) {
	const rows, rate = 5000, 0.1
	for _, m := range masks(t, rows, graph.MaskKey{Seed: 1}, rate) {
		kept := 0.0
		for _, v := range m {
			if v != 0 {
				kept++
				if math.Abs(float64(v)-1/(1-rate)) > 1e-5 {
					t.Fatalf("a kept unit is scaled by %v, want 1/0.9", v)
				}
			}
		}
		n := float64(len(m))
		// A share of Bernoulli draws; four standard errors.
		if share := kept / n; math.Abs(share-(1-rate)) > 4*math.Sqrt(rate*(1-rate)/n) {
			t.Errorf("share kept %v, want %v", share, 1-rate)
		}
	}
}

func TestSamePassAndLayerShareAMask(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Input("x", 2, 3)
	first, again := b.Dropout(x, graph.Drop(0), 0, 0.5), b.Dropout(x, graph.Drop(0), 0, 0.5)
	if first != again {
		t.Error("the same sub-network has two masks")
	}
	if b.Dropout(x, graph.Full, 0, 0.5) != x || b.Dropout(x, graph.Drop(0), 1, 0) != x {
		t.Error("the full pass, or rate 0, is not the identity")
	}
	b.Dropout(b.Input("wide", 2, 4), graph.Drop(0), 0, 0.5)
	if b.Err() == nil {
		t.Error("one layer took two shapes")
	}
}

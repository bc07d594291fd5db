package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
)

// A buffer is neither trained nor decayed, and its gradient is in no norm.
func TestBuffersAreNotTrained(t *testing.T) {
	const rate, clip = 0.1, 1e-3 // the gradient is longer
	for _, decay := range []float64{0, 1} {
		m := newTestMember(t, specOf(t, "mc"), Settings{Epochs: 1, Batch: 30, LearningRate: rate, Clip: clip, Decay: decay, Optimizer: "sgd"}, wave(30))
		const buffer = 2
		m.params.List()[buffer].Buffer = true
		optimizer, err := m.settings.newOptimizer(m.params)
		if err != nil {
			t.Fatal(err)
		}
		m.optimizer = optimizer
		before := slices.Clone(m.params.Float32s())
		if err := m.runEpoch(t.Context()); err != nil {
			t.Fatal(err)
		}
		squares := 0.0
		for i, v := range m.params.Float32s() {
			squares += math.Pow(float64(v)-float64(before[i]), 2)
		}
		if !slices.Equal(graph.ParamValues(m.params, m.params.Float32s(), buffer), graph.ParamValues(m.params, before, buffer)) {
			t.Errorf("decay %v: the buffer has moved", decay)
		}
		if length := math.Sqrt(squares); decay == 0 && math.Abs(length-rate*clip) > 1e-3*rate*clip {
			t.Errorf("the step has the length %v, want %v", length, rate*clip)
		}
	}
}

package check

import (
	"math/rand/v2"

	"sml/data"
	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

// Streams of the generators that a seed feeds.
const (
	inputStream = 1 + iota
	batchStream
	extremeStream
)

// typical fills the inputs of a float64 graph and draws its masks.
func typical(s models.Spec, r *graph.Runner, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, inputStream))
	for _, name := range r.Inputs() {
		for i := range r.Input64(name) {
			r.Input64(name)[i] = s.Typical(name, i, portable.NormFloat64(rnd))
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: seed})
}

// batch makes rows that a network can learn by heart: inputs and targets are
// standard normal, each target a smooth function of the inputs.
func batch(n, inputs, targets int, seed uint64) data.Subset {
	rnd := rand.New(rand.NewPCG(seed, batchStream))
	r := data.Subset{X: make([]float64, n*inputs), Y: make([]float64, n*targets)}
	for i := range r.X {
		r.X[i] = portable.NormFloat64(rnd)
	}
	for i := range r.Y {
		x := r.X[i/targets*inputs:][:inputs]
		r.Y[i] = x[0] + float64(0.5*x[1]*x[2%inputs])
	}
	return r
}

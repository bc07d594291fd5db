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
// standard normal, each target a smooth function of the inputs. Further columns that
// the objective looks at are flags, of every second row.
func batch(s models.Spec, n int, seed uint64) data.Subset {
	inputs, targets := s.Architecture.Inputs, s.Architecture.Targets
	rnd := rand.New(rand.NewPCG(seed, batchStream))
	r := data.Subset{X: make([]float64, n*inputs), Y: make([]float64, n*targets)}
	for i := range r.X {
		r.X[i] = portable.NormFloat64(rnd)
	}
	for i := range r.Y {
		x := r.X[i/targets*inputs:][:inputs]
		r.Y[i] = x[0] + float64(0.5*x[1]*x[2%inputs])
	}
	r.Extras, _ = s.Columns() // what is wrong with the objective, a training of it says
	for i := range n {
		for range r.Extras {
			r.E = append(r.E, float64(i%2))
		}
	}
	return r
}

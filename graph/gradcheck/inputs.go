package gradcheck

import (
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// MoveZeros sets zeros among float64 parameters, except buffers, to small random values. With a bias and inputs of 0, a
// ReLU would be at its kink, where it has no derivative, and a layer whose weights are 0 passes no gradient on.
func MoveZeros(params *graph.Params, seed uint64) {
	const std = 0.01 // standard deviation of the new values
	for i, p := range params.List() {
		if p.Buffer {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		values := graph.ParamValues(params, params.Float64s(), i)
		for j := range values {
			if values[j] == 0 {
				values[j] = float64(std * portable.NormFloat64(r))
			}
		}
	}
}

// fill sets the inputs of r to random numbers and draws its masks. An input's numbers follow from
// s.Seed and its name, so that all graphs of a function get the same ones.
func fill(r *graph.Runner, s Settings) {
	for _, name := range r.Inputs() {
		rnd := rand.New(rand.NewPCG(s.Seed, hashName(name, s.Seed)))
		values := r.Input64(name)
		for i := range values {
			values[i] = portable.NormFloat64(rnd)
			if s.Value != nil {
				values[i] = s.Value(name, i, values[i])
			}
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: s.Seed})
}

// hashName returns a hash of a name, beginning with a seed, so that equal names have different numbers
// under different seeds.
func hashName(name string, seed uint64) uint64 {
	const prime = 1099511628211 // of the 64-bit FNV hash
	hash := seed
	for _, c := range name {
		hash = hash*prime + uint64(c)
	}
	return hash
}

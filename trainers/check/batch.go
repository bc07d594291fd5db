package check

import (
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

// Streams of the generators that a seed feeds.
const (
	inputStream = 1 + iota
	batchStream
	extremeStream
	madeStream
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

// batch makes rows that a network can learn by heart: inputs are standard normal, each
// target a smooth function of them, or the class that it falls into; columns that the
// objective asks for are 0 or 1. Targets are in a unit of their own.
func batch(s models.Spec, n int, seed uint64) (data.Subset, error) {
	inputs, targets := s.Architecture.Inputs, s.Architecture.Targets
	rnd := rand.New(rand.NewPCG(seed, batchStream))
	r := data.Subset{X: make([]float64, n*inputs), Y: make([]float64, n*targets)}
	unit := unitOf(s)
	for range targets {
		r.YScale = append(r.YScale, unit)
	}
	for i := range r.X {
		r.X[i] = portable.NormFloat64(rnd)
	}
	for i := range r.Y {
		x := r.X[i/targets*inputs:][:inputs]
		y := s.Typical(models.InputY, i, x[0]+float64(0.5*x[1%inputs]*x[2%inputs]))
		r.Y[i] = unit.Mean + float64(unit.Std*y)
	}
	var err error
	if r.Extras, err = s.Columns(); err != nil {
		return r, err
	}
	for range n * len(r.Extras) {
		r.E = append(r.E, float64(rnd.Uint64()%2))
	}
	return r, nil
}

// unitOf returns the scaler of the targets of a batch: a scaler of the method's support, or, for
// a method for any numbers, a unit that differs from the standardised one.
func unitOf(s models.Spec) data.Scaler {
	if m, err := models.Lookup(s.Method); err == nil && !m.ForClasses() && m.Support == models.Reals {
		return data.Scaler{Mean: 10, Std: 2}
	}
	return s.TypicalTarget()
}

// standardised are the targets of a batch as an objective sees them.
func standardised(s models.Spec, r data.Subset) []float64 {
	unit := unitOf(s)
	y := make([]float64, len(r.Y))
	for i, v := range r.Y {
		y[i] = (v - unit.Mean) / unit.Std
	}
	return y
}

// columns returns the scaler c once for each target.
func columns(s models.Spec, c data.Scaler) data.Scalers {
	return slices.Repeat(data.Scalers{c}, s.Architecture.Targets)
}

package check

import (
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

// Streams of the random generators of a check: generators with the same seed and different streams are
// independent of each other.
const (
	inputStream = 1 + iota
	batchStream
	extremeStream
	inventedStream
)

// fillTypical fills the inputs of a float64 graph with typical values for the method, such as targets
// within its support, and draws the dropout masks. The same seed gives the same values.
func fillTypical(s models.Spec, r *graph.Runner, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, inputStream))
	for _, name := range r.Inputs() {
		values := r.Input64(name)
		for i := range values {
			values[i] = s.TypicalInput(name, i, portable.NormFloat64(rnd))
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: seed})
}

// newBatch returns n rows that a network can learn by heart: inputs are standard normal, and each
// target is a smooth function of the inputs in a unit of its own, or the class of that function.
// Extra columns that the objective reads are 0 or 1.
func newBatch(s models.Spec, n int, seed uint64) (data.Subset, error) {
	inputs := s.Architecture.Inputs
	targets := s.Architecture.Targets
	rnd := rand.New(rand.NewPCG(seed, batchStream))
	scaler := batchScaler(s)
	r := data.Subset{
		X:      make([]float64, n*inputs),
		Y:      make([]float64, n*targets),
		YScale: repeatScaler(s, scaler),
	}
	fillNormal(r.X, rnd)
	for i := range r.Y {
		row := i / targets
		x := r.X[row*inputs:][:inputs]
		smooth := x[0] + float64(0.5*x[1%inputs]*x[2%inputs]) // % inputs: there may be a single input
		y := s.TypicalInput(models.InputY, i, smooth)         // moved into the method's support
		r.Y[i] = scaler.Mean + float64(scaler.Std*y)
	}
	var err error
	r.Extras, err = s.Columns()
	if err != nil {
		return r, err
	}
	for range n * len(r.Extras) {
		r.E = append(r.E, float64(rnd.Uint64()%2))
	}
	return r, nil
}

// batchScaler returns the scaler of the targets of a batch: the typical scaler of the method's
// targets or, for a method whose targets may be any number, a mean of 10 and a standard deviation of
// 2. A predictor that confuses units then fails.
func batchScaler(s models.Spec) data.Scaler {
	m, err := models.Lookup(s.Method)
	if err == nil && !m.PredictsClasses() && m.Support == models.Reals {
		return data.Scaler{Mean: 10, Std: 2}
	}
	return s.TypicalTarget()
}

// standardiseTargets returns the targets of a batch as the objective gets them.
func standardiseTargets(s models.Spec, r data.Subset) []float64 {
	scaler := batchScaler(s)
	y := make([]float64, len(r.Y))
	for i, v := range r.Y {
		y[i] = (v - scaler.Mean) / scaler.Std
	}
	return y
}

// repeatScaler returns the scaler once for each target.
func repeatScaler(s models.Spec, scaler data.Scaler) data.Scalers {
	return slices.Repeat(data.Scalers{scaler}, s.Architecture.Targets)
}

// fillNormal replaces all values by draws from N(0, 1).
func fillNormal(values []float64, rnd *rand.Rand) {
	for i := range values {
		values[i] = portable.NormFloat64(rnd)
	}
}

package methods_test

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// fitted is a network with given weights, and its training rows.
type fitted struct {
	spec    models.Spec
	params  *graph.Params
	x, y    []float32
	weights []float64 // of the rows, with mean 1; nil for none
}

// newFitted returns a network whose parameters have the given values, in their order.
func newFitted(t *testing.T, method string, a models.Architecture, parameters []float64) *fitted {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, a))
	params := expect.Must(spec.NewParams(1))
	if params.Len() != len(parameters) {
		t.Fatalf("the network has %d parameters; want %d", params.Len(), len(parameters))
	}
	copy(params.Float32s(), singles(parameters))
	return &fitted{spec: spec, params: params}
}

// singles returns values as float32.
func singles(values []float64) []float32 {
	var list []float32
	for _, v := range values {
		list = append(list, float32(v))
	}
	return list
}

// afterTraining returns the matrices that the method stores.
func (f *fitted) afterTraining(t *testing.T, workers int) []models.Matrix {
	t.Helper()
	a := f.spec.Architecture
	f.spec.Weighted = f.weights != nil
	rows := models.AfterTrainingRows{
		Count:   len(f.x) / a.Inputs,
		Weights: f.weights,
		Prepare: func(*models.Step) error { return nil },
		Load: func(s *models.Step, from, to int) {
			copy(s.X, f.x[from*a.Inputs:to*a.Inputs])
			copy(s.Y, f.y[from*a.Targets:to*a.Targets])
			for i := from; i < to && s.Weight != nil; i++ {
				s.Weight[i-from] = float32(f.weights[i])
			}
		},
	}
	return expect.Must(f.spec.RunAfterTraining(t.Context(), rows, models.AfterTrainingOptions{Params: f.params, Workers: workers}))
}

// predict returns the predictions of rows x, which are standardised: [rows, targets].
func (f *fitted) predict(t *testing.T, x []float64) []models.Prediction {
	t.Helper()
	a := f.spec.Architecture
	m := &models.Model{
		Spec:    f.spec,
		Inputs:  slices.Repeat(data.Scalers{{Std: 1}}, a.Inputs),
		Targets: slices.Repeat(data.Scalers{{Std: 1}}, a.Targets),
		Members: []*graph.Params{f.params},
		Stored:  [][]models.Matrix{f.afterTraining(t, 1)},
	}
	rows := data.Subset{X: x, XScale: m.Inputs}
	p := expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{}))
	return p.Values
}

// grid returns the numbers of the function "values" in bench/laplace.py.
func grid(rows, columns, a, b, modulus, scale int) []float64 {
	var values []float64
	for i := range rows {
		for j := range columns {
			values = append(values, float64((i*a+j*b)%modulus-modulus/2)/float64(scale))
		}
	}
	return values
}

// The noise and the epistemic standard deviation of a network with one hidden layer, two targets and weighted rows
// are those of bench/laplace.py, which computes with complete matrices in NumPy.
func TestLaplaceAgreesWithNumPy(t *testing.T) {
	for _, c := range []struct {
		method           string
		noise, epistemic []float64 // by target; by row and target
	}{
		{"laplace-ll", []float64{0.84276238, 0.63821972}, []float64{0.234357, 0.19070753, 0.42711753, 0.37629807}},
		{"laplace-ll-diag", []float64{0.85437137, 0.64701116}, []float64{0.29381094, 0.24890371, 0.36222605, 0.31226072}},
		{"laplace-kron", []float64{0.80473972, 0.60942535}, []float64{0.28776875, 0.2421831, 0.51583219, 0.49874771}},
		{"laplace-diag", []float64{0.80473972, 0.60942535}, []float64{0.33403596, 0.30643682, 0.45184488, 0.48069217}},
	} {
		t.Run(c.method, func(t *testing.T) {
			const rows = 21
			parameters := slices.Concat(grid(3, 3, 7, 4, 11, 10), grid(4, 2, 3, 8, 11, 10))
			f := newFitted(t, c.method, models.Architecture{Inputs: 2, Targets: 2, Hidden: []int{3}, Activation: "tanh"}, parameters)
			f.x = singles(grid(rows, 2, 5, 3, 13, 6))
			f.y = singles(grid(rows, 2, 7, 5, 17, 8))
			for i := range rows {
				f.weights = append(f.weights, []float64{0.5, 1, 1.5}[i%3])
			}
			p := f.predict(t, []float64{0.3, -0.7, 2, 1.5})
			for i, want := range c.epistemic {
				components := p[i].Components
				if got := components[0]; math.Abs(got-c.noise[i%2]) > 1e-6 {
					t.Errorf("target %d: the noise is %v; want %v", i%2, got, c.noise[i%2])
				}
				if got := components[1]; math.Abs(got-want) > 1e-6 {
					t.Errorf("row %d, target %d: the epistemic standard deviation is %v; want %v", i/2, i%2, got, want)
				}
			}
		})
	}
}

// A network of which all weights and slopes are 0 has finite predictions: the rows determine only the bias.
func TestLaplaceOfZeros(t *testing.T) {
	for _, method := range []string{"laplace-ll", "laplace-ll-diag", "laplace-kron", "laplace-diag"} {
		f := newFitted(t, method, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{2}}, make([]float64, 7))
		f.x = []float32{0, 0, 0}
		f.y = []float32{0, 0, 0}
		p := f.predict(t, []float64{0, 5})[1]
		if !p.IsFinite() || !(p.Std() > 0) {
			t.Errorf("%s predicts %v", method, p.Distribution)
		}
	}
}

// A covariance that does not fit into memory is refused before it is allocated, with its size and another method.
func TestLaplaceRefusesLargeCovariances(t *testing.T) {
	for method, want := range map[string]string{
		"laplace-ll":   "covariances of up to 30001 × 30001 elements in 1 layers need 28.8 GB: want at most 1.07 GB; choose fewer units, or the method laplace-ll-diag, which needs 0.00024 GB",
		"laplace-kron": "covariances of up to 30001 × 30001 elements in 2 layers need 57.6 GB: want at most 1.07 GB; choose fewer units, or the method laplace-diag",
	} {
		spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{30_000}}))
		expect.Error(t, spec.Examine(1), want)
	}
}

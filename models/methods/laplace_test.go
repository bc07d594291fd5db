package methods_test

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/linear"
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

// A network without hidden layers is a linear model. If its weights are the posterior mean of Bayesian linear
// regression at the largest marginal likelihood, the prediction is the regression's: N(mᵀφ, σ² + φᵀΣφ) with
// Σ = (ΦᵀΦ/σ² + τI)⁻¹ and m = ΣΦᵀy/σ². Source: Bishop 2006, equations 3.53, 3.54, 3.58, 3.92 and 3.95.
func TestLaplaceIsBayesianLinearRegression(t *testing.T) {
	const rows, inputs = 40, 3
	x := grid(rows, inputs, 5, 9, 23, 9)
	var phi [][]float64 // rows with a 1
	var y []float64
	for i := range rows {
		row := append(slices.Clone(x[i*inputs:][:inputs]), 1)
		phi = append(phi, row)
		y = append(y, 0.8*row[0]-0.3*row[1]+0.2+0.15*math.Sin(float64(7*i)))
	}
	r := regress(phi, y)
	f := newFitted(t, "laplace-ll", models.Architecture{Inputs: inputs, Targets: 1}, r.mean)
	f.x = singles(x)
	f.y = singles(y)
	points := []float64{0, 0, 0, 1, -2, 0.5, 3, 3, 3}
	p := f.predict(t, points)
	for row := range 3 {
		point := append(slices.Clone(points[row*inputs:][:inputs]), 1)
		got := p[row]
		near(t, "mean", got.Mean(), linear.Dot(r.mean, point))
		near(t, "noise", got.Components[0], math.Sqrt(r.noise))
		variance := linear.Dot(point, r.factor.Solve(point))
		near(t, "epistemic", got.Components[1], math.Sqrt(variance))
		near(t, "standard deviation", got.Std(), math.Sqrt(r.noise+variance))
	}
}

// near fails the test unless got is want up to the rounding of weights to float32.
func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 2e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("the %s is %v; want %v", name, got, want)
	}
}

// regression is Bayesian linear regression.
type regression struct {
	mean   []float64
	factor linear.Cholesky // of the inverse of the covariance
	noise  float64         // variance
}

// regress returns the regression with the precision τ of the prior and the noise at the largest marginal likelihood, a
// fixed point of Bishop's equations 3.92 and 3.95.
func regress(phi [][]float64, y []float64) (r regression) {
	size := len(phi[0])
	prior := 1.0
	r.noise = 1
	for range 1000 {
		precision := linear.NewMatrix(size, size)
		right := make([]float64, size)
		for n, row := range phi {
			for i, v := range row {
				right[i] += v * y[n] / r.noise
				for j, w := range row {
					precision[i][j] += v * w / r.noise
				}
			}
		}
		for i := range precision {
			precision[i][i] += prior
		}
		r.factor = linear.NewCholesky(precision)
		r.mean = r.factor.Solve(right)
		gamma := float64(size) - prior*r.factor.InverseTrace()
		squares := 0.0
		for n, row := range phi {
			residual := y[n] - linear.Dot(r.mean, row)
			squares += residual * residual
		}
		prior = gamma / linear.Dot(r.mean, r.mean)
		r.noise = squares / (float64(len(phi)) - gamma)
	}
	return r
}

// The stored matrices do not depend on the number of goroutines.
func TestLaplaceIsTheSameOverWorkers(t *testing.T) {
	for _, method := range []string{"laplace-kron", "laplace-diag"} {
		const rows = 700 // three blocks
		f := newFitted(t, method, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "tanh"}, slices.Concat(grid(3, 3, 7, 4, 11, 10), grid(4, 1, 3, 8, 11, 10)))
		f.x = singles(grid(rows, 2, 5, 3, 13, 6))
		f.y = singles(grid(rows, 1, 7, 5, 17, 8))
		if !models.EqualMatrices(f.afterTraining(t, 1), f.afterTraining(t, 3)) {
			t.Errorf("%s stores other matrices with three goroutines", method)
		}
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

package methods_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// spec returns a small network of a method.
func spec(t *testing.T, method string, chosen models.Hyperparameters, edit func(*models.Architecture)) models.Spec {
	t.Helper()
	a := models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{5, 4}, Activation: "relu", Dropout: 0.3}
	if edit != nil {
		edit(&a)
	}
	return expect.Must(models.NewSpec(method, chosen, a))
}

// Every registered objective, with every activation and one or two targets.
func TestGradients(t *testing.T) {
	check := func(name string, s models.Spec) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2) {
				checkGradients(t, fmt.Sprint("seed ", seed), lossOf(s, 6), gradcheck.Settings{Seed: seed, Value: s.TypicalInput}, 1e-6)
			}
		})
	}
	for _, m := range models.Methods() {
		for _, activation := range networks.Activations() {
			check(m.Name+"/"+activation, spec(t, m.Name, nil, func(a *models.Architecture) { a.Activation = activation }))
		}
		check(m.Name+"/two targets", spec(t, m.Name, nil, func(a *models.Architecture) { a.Targets = 2 }))
		check(m.Name+"/all layers", spec(t, m.Name, nil, func(a *models.Architecture) { a.Drop = models.AllLayers }))
	}
	for name, chosen := range map[string]models.Hyperparameters{
		"gamma":         {"gamma": 0.3},
		"through":       {"through": 1},
		"second moment": {"alpha": 0, "beta": 1},
	} {
		check("sml/"+name, spec(t, "sml", chosen, nil))
	}
}

// Worked by hand: f = (1, 2), f~ = (2, 0), y = (3, 1). Regression
// ((−2)² + 1²)/2 = 2.5; second moment ((1−2)² + (2−1)²)/2 = 1; sub-network
// ((−1)² + (−1)²)/2 = 1.
func TestSecondMomentByHand(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	full, sub, y := b.Input("full", 2, 1), b.Input("sub", 2, 1), b.Input("y", 2, 1)
	f := func(pass graph.Pass) *graph.Node {
		if pass == graph.Full {
			return full
		}
		return sub
	}
	h := models.Hyperparameters{"alpha": 3, "beta": 0.25, "gamma": 0.125, "through": 0}
	r := expect.Must(graph.NewRunner(graph.Tape, b, methods.SecondMoment(b, models.NewTask(b, f, y, h))))
	defer r.Close()
	copy(r.Input64("full"), []float64{1, 2})
	copy(r.Input64("sub"), []float64{2, 0})
	copy(r.Input64("y"), []float64{3, 1})
	expect.NoError(t, r.Run())
	if got, want := r.Output64(0)[0], 3*2.5+0.25+0.125; math.Abs(got-want) > 1e-15 {
		t.Errorf("loss %v, want %v", got, want)
	}
}

// SciPy 1.10.1: (−norm.logpdf(y, mu, log1p(exp(s))) − 0.5*log(2*pi)).mean() for
// mu = (0.3, −1.2), s = (0.2, −0.7), y = (1, −1); and rows with σ at its floor:
// log 1e-12 where there is no residual, and (7.6e6/1e-12)²/2 + log 1e-12 beside it.
func TestGaussianNLL(t *testing.T) {
	for _, c := range []struct {
		out, y []float64
		want   float64
	}{
		{[]float64{0.3, 0.2, -1.2, -0.7}, []float64{1, -1}, -0.313098841580586},
		{[]float64{5, -300, -1, -300}, []float64{5, -1}, math.Log(1e-12)},
		{[]float64{5, -300, -1, math.Inf(-1)}, []float64{5, 7.6e6 - 1}, 7.6e6 * 7.6e6 / 1e-24 / 4},
	} {
		b := graph.New(graph.Float64, new(graph.Params))
		out, y := b.Input("out", 2, 2), b.Input("y", 2, 1)
		r := expect.Must(graph.NewRunner(graph.Tape, b, methods.GaussianNLL(b, models.NewTask(b, func(graph.Pass) *graph.Node { return out }, y, nil))))
		copy(r.Input64("out"), c.out)
		copy(r.Input64("y"), c.y)
		expect.NoError(t, r.Run())
		if got := r.Output64(0)[0]; !(math.Abs(got-c.want) <= 1e-14*math.Max(1, math.Abs(c.want))) {
			t.Errorf("NLL %v, want %v", got, c.want)
		}
		r.Close()
	}
}

// partlyKnown returns a network of a method with two targets, some of them unknown.
func partlyKnown(t *testing.T, method string) models.Spec {
	s := spec(t, method, nil, func(a *models.Architecture) { a.Targets = 2 })
	s.PartlyKnown = true
	return s
}

// isKnown reports whether element i of the targets [rows, 2] is known in these tests: every third is not.
func isKnown(i int) bool { return i%3 != 0 }

// The gradient of every registered objective is right where some targets are unknown, by finite differences.
func TestGradientsWithUnknownTargets(t *testing.T) {
	for _, m := range models.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			s := partlyKnown(t, m.Name)
			value := func(name string, i int, normal float64) float64 {
				if name == models.InputWeight && !isKnown(i) {
					return 0
				}
				return s.TypicalInput(name, i, normal)
			}
			checkGradients(t, m.Name, lossOf(s, 6), gradcheck.Settings{Seed: 1, Value: value}, 1e-6)
		})
	}
}

// An unknown target changes no bit of the loss and of its gradient, in both engines.
func TestUnknownTargetsChangeNothing(t *testing.T) {
	for _, m := range models.Methods() {
		for _, engine := range graph.Engines() {
			t.Run(m.Name+"/"+string(engine), func(t *testing.T) {
				s := partlyKnown(t, m.Name)
				first := lossAndGradient(t, s, engine, 0)
				second := lossAndGradient(t, s, engine, 1)
				if !slices.Equal(first, second) {
					t.Error("an unknown target changes the loss or the gradient")
				}
				if slices.Max(first) == 0 {
					t.Error("the loss and the gradient are 0")
				}
			})
		}
	}
}

// lossAndGradient returns the loss of eight rows, and its gradient. Unknown targets have the given value.
func lossAndGradient(t *testing.T, s models.Spec, engine graph.Engine, unknown float32) []float32 {
	t.Helper()
	params := expect.Must(s.NewParams(3))
	step := expect.Must(s.NewStep(engine, params, 8))
	defer step.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range step.X {
		step.X[i] = float32(s.TypicalInput(models.InputX, i, random.NormFloat64()))
	}
	for i := range step.Y {
		step.Y[i] = float32(s.TypicalInput(models.InputY, i, random.NormFloat64()))
		step.Weight[i] = 1.5
		if !isKnown(i) {
			step.Y[i] = unknown
			step.Weight[i] = 0
		}
	}
	expect.NoError(t, step.Scale(nil, nil))
	for i := range step.InputRange {
		step.InputRange[i] = 4
	}
	expect.NoError(t, step.Run(models.Position{Step: 1, Steps: 2, Epoch: 1, Epochs: 2, Rows: 8, Masks: graph.MaskKey{Seed: 4}}))
	return append([]float32{step.Loss()}, step.Gradient()...)
}

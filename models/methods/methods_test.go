package methods_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

func TestMethodsAreInOrder(t *testing.T) {
	var names []string
	for _, m := range models.Methods() {
		names = append(names, m.Name)
		if m.Summary == "" || m.Source == "" {
			t.Errorf("%s has no summary or source", m.Name)
		}
	}
	if got, want := strings.Join(names, " "), "mc mc-ll sml pu pu-de de sml-de beta-nll crps student-t evidential mdn quantiles w-dropout mc-pu concrete bayes adv-de crps-de laplace-ll laplace-ll-diag laplace-kron laplace-diag swag swag-pu classes"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
}

// The methods bayes and concrete need penalties of their own networks, and say so on another network.
func TestMethodsNameTheNetworkTheyNeed(t *testing.T) {
	for _, method := range []string{"bayes", "concrete"} {
		s := expect.Must(models.NewSpec(method, nil, models.Architecture{Network: "mlp", Inputs: 3, Targets: 1, Hidden: []int{4}}))
		expect.Error(t, s.Examine(1), "method "+method, "network mlp does not", "choose network "+method)
	}
}

// The number of network outputs and the family of the predictions follow from
// hyperparameters.
func TestOutputsFromHyperparameters(t *testing.T) {
	for _, c := range []struct {
		method  string
		chosen  models.Hyperparameters
		outputs int // for two targets
		levels  []float64
	}{
		{"mdn", nil, 18, nil},
		{"mdn", models.Hyperparameters{"components": 5}, 30, nil},
		{"quantiles", nil, 14, []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}},
		{"quantiles", models.Hyperparameters{"levels": "0.05,0.5,0.95"}, 6, []float64{0.05, 0.5, 0.95}},
		{"quantiles", models.Hyperparameters{"levels": 0.5}, 2, []float64{0.5}},
	} {
		s := expect.Must(models.NewSpec(c.method, c.chosen, models.Architecture{Inputs: 3, Targets: 2, Hidden: []int{4}}))
		if err := s.Examine(2); err != nil {
			t.Errorf("%s %v: %v", c.method, c.chosen, err)
		}
		form, err := s.PredictionForm(1)
		if got := s.Architecture.Outputs; err != nil || got != c.outputs || !slices.Equal(form.Family.Levels, c.levels) {
			t.Errorf("%s %v: %d outputs and levels %v (%v), want %d and %v", c.method, c.chosen, got, form.Family.Levels, err, c.outputs, c.levels)
		}
	}
}

func TestWrongHyperparameters(t *testing.T) {
	for _, c := range []struct {
		method, network, name string
		value                 any
		want                  string
	}{
		{"mdn", "", "components", 0, "components=0 is out of range: want 1 to 100"},
		{"mdn", "", "components", "linear(1,3)", "components=linear(1,3): want a whole number"},
		{"quantiles", "", "levels", 1.0, "levels=1: want quantile levels above 0"},
		{"quantiles", "", "levels", "a", "levels=a: want quantile levels above 0"},
		{"bayes", "", "prior-std", -1.0, "prior-std=-1 is out of range: want 0.01 to 100"},
		{"bayes", "", "prior-std", "linear(1,3,0.5)", "prior-std=linear(1,3,0.5): a hyperparameter of a network cannot have a schedule"},
		{"bayes", "mlp", "prior-std", 1.0, `method bayes has no hyperparameter "prior-std"; want one of kl, warm-up`},
		{"mc", "bayes", "beta", 1.0, `neither method mc nor network bayes has a hyperparameter "beta"; want one of prior-weight, prior-std`},
	} {
		_, err := models.NewSpec(c.method, models.Hyperparameters{c.name: c.value}, models.Architecture{Network: c.network, Inputs: 3, Targets: 1, Hidden: []int{4}})
		expect.Error(t, err, c.want)
	}
}

// Builder.Gradients makes the nodes that gorgonia.Grad makes, sums in the same
// order: results that were published keep their last bit.
func TestGradientsAreGorgonias(t *testing.T) {
	for _, m := range models.Methods() {
		s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 3, Targets: 2, Hidden: []int{5, 4}, Dropout: 0.1}))
		params := new(graph.Params)
		ours, theirs := graph.New(graph.Float32, params), graph.New(graph.Float32, params)
		l := expect.Must(s.Loss(ours, 6))
		other := expect.Must(s.Loss(theirs, 6))
		var wrt graph.Nodes
		for _, p := range params.List() {
			wrt = append(wrt, theirs.Graph().ByName(p.Name)[0])
		}
		want, err := gorgonia.Grad(other, wrt...)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for i, g := range ours.Gradients(l) {
			if !graph.SameComputation(g, want[i]) {
				t.Errorf("%s: the gradient of %s is computed otherwise than Gorgonia's", m.Name, params.List()[i].Name)
			}
		}
	}
}

// gaussianNLL returns the mean over rows and targets of log σ + (y − μ)²/2σ², for outputs μ of
// every target, then s of every target with σ = log(1 + eˢ).
func gaussianNLL(out, y []float64, targets int) float64 {
	sum := 0.0
	for i := range y {
		row, target := i/targets, i%targets
		mean := out[row*2*targets+target]
		std := math.Log1p(math.Exp(out[row*2*targets+targets+target]))
		z := (y[i] - mean) / std
		sum += math.Log(std) + z*z/2
	}
	return sum / float64(len(y))
}

// wantLoss reports an error unless got is want up to some thousand roundings.
func wantLoss(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: the loss is %.17g, and by its formula %.17g", what, got, want)
	}
}

// Likelihoods add over targets, and weights have one prior. So twice the loss of two equal
// targets, which is a mean over them, is twice the likelihood of one and the prior once; and
// the loss of one target is the likelihood and the prior.
func TestPriorsCountOnceForAllTargets(t *testing.T) {
	for _, c := range []struct {
		method    models.Objective
		chosen    models.Hyperparameters
		penalties map[string]float64
		prior     float64 // for all training rows together
	}{
		{methods.BayesByBackprop, models.Hyperparameters{"kl": 0.5, "warm-up": 0.2}, map[string]float64{"divergence": 96}, 48},
		{methods.ConcreteDropout, models.Hyperparameters{"length-scale": 2.0, "entropy": 0.5}, map[string]float64{"weights": 16, "entropy": -8}, 2*16 - 4},
	} {
		const rows, trainingRows = 2, 16
		out, y := []float64{0.5, -1, -0.25, 2}, []float64{1, -0.75} // μ and s of each row
		loss := func(targets int) float64 {
			params := new(graph.Params)
			b := graph.New(graph.Float64, params)
			for _, name := range []string{"divergence", "weights", "entropy"} {
				if v, ok := c.penalties[name]; ok {
					b.Penalty(name, b.Const(v))
				}
			}
			outputs, target := b.Input("out", rows, 2*targets), b.Input("y", rows, targets)
			node := c.method(b, models.NewTask(b, func(graph.Pass) *graph.Node { return outputs }, target, c.chosen))
			r := expect.Must(graph.NewRunner(graph.Compiled, b, node))
			defer r.Close()
			for row := range rows {
				for k := range targets {
					r.Input64("out")[row*2*targets+k] = out[row*2]
					r.Input64("out")[row*2*targets+targets+k] = out[row*2+1]
					r.Input64("y")[row*targets+k] = y[row]
				}
			}
			for name, value := range map[string]float64{"training rows": trainingRows, "progress": 1} {
				if to := r.Input64(name); to != nil {
					to[0] = value
				}
			}
			expect.NoError(t, r.Run())
			return r.Output64(0)[0]
		}
		likelihood := gaussianNLL(out, y, 1)
		prior := c.prior / trainingRows // exact: powers of 2
		wantLoss(t, "one target", loss(1), likelihood+prior)
		wantLoss(t, "twice the loss of two equal targets", 2*loss(2), 2*likelihood+prior)
	}
}

// Of outputs of ±20 and ±80, whose softplus is at its floor or far above it, loss and
// gradients are finite in float32, and those of float64 but for rounding. Two components
// of a mixture may both be so far away that float32 does not tell which is nearer: its
// gradients need only be finite.
func TestExtremeOutputs(t *testing.T) {
	for name, outputs := range map[string]int{"student-t": 3, "evidential": 4, "mdn": 9, "quantiles": 7} {
		single, double := rowOf(t, name, outputs, false), rowOf(t, name, outputs, true)
		random := rand.New(rand.NewPCG(1, 1))
		for range 2000 {
			out := make([]float64, outputs)
			for i := range out {
				out[i] = []float64{-80, -20, -0.5, 0, 1.25, 20, 80}[random.IntN(7)]
			}
			y := []float64{-3, 0, 0.75, 5}[random.IntN(4)]
			got, want := single(out, y), double(out, y)
			for i, w := range want {
				if close := math.Abs(got[i]-w) <= 1e-5*max(1, math.Abs(w)); got[i]-got[i] != 0 || !close && (name != "mdn" || i == 0) {
					t.Errorf("%s of %v, y = %v: number %d is %v in float32, and %v in float64", name, out, y, i, got[i], w)
				}
			}
		}
	}
}

// rowOf returns loss and gradient of a method's objective, of the outputs for one row.
func rowOf(t *testing.T, name string, outputs int, double bool) func(out []float64, y float64) []float64 {
	t.Helper()
	m := expect.Must(models.Lookup(name))
	h := expect.Must(m.Choose(nil))
	b := graph.New(graph.Float32, new(graph.Params))
	if double {
		b = graph.New(graph.Float64, new(graph.Params))
	}
	out, y := b.Input("out", 1, outputs), b.Input("y", 1, 1)
	loss := m.Objective(b, models.NewTask(b, func(graph.Pass) *graph.Node { return out }, y, h))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, loss, b.Grad(loss, out)[0]))
	t.Cleanup(func() { r.Close() })
	return func(out []float64, y float64) []float64 {
		set(r, "out", out...)
		set(r, "y", y)
		expect.NoError(t, r.Run())
		return append(outputOf(r, 0), outputOf(r, 1)...)
	}
}

package methods_test

import (
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
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

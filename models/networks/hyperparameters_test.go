package networks_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
)

// The divergence of weights from the prior of Blundell et al. 2015, equation 7, computed from
// package math.
func TestPriorOfBayes(t *testing.T) {
	for _, chosen := range []models.Hyperparameters{nil, {"prior-std": 3, "prior-weight": 0.25}} {
		share, std := 0.5, 1.0
		if chosen != nil {
			share, std = 0.25, 3
		}
		n := expect.Must(models.LookupNetwork("bayes"))
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		f := expect.Must(n.Forward(b, 2, models.Architecture{Inputs: 3, Outputs: 1, Activation: "relu", Drop: models.AllLayers, Hyperparameters: chosen}))
		f(graph.Drop(0))
		i := graph.Inspect(b)
		outputs := graph.Nodes{i.Penalties[0].Value, i.Penalties[1].Value}
		draws := i.Draws()
		for _, d := range draws {
			outputs = append(outputs, d.Node)
		}
		r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs...))
		params.Initialise(1)
		r.Input64(models.InputX)
		expect.NoError(t, r.Run())
		want := 0.0
		spread := math.Log1p(math.Exp(-4)) // softplus(initialSpread)
		for at, name := range []string{"output.weight", "output.bias"} {
			means := valuesByName(params)[name]
			for k, noise := range r.Output64(2 + at) {
				w := means[k] + spread*noise
				q := -noise*noise/2 - math.Log(spread)
				p := share/std*math.Exp(-w*w/(2*std*std)) + (1-share)*math.Exp(6)*math.Exp(-w*w/2*math.Exp(12))
				want += q - math.Log(p)
			}
		}
		if got := r.Output64(0)[0] + r.Output64(1)[0]; math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%v: the divergence is %v, want %v", chosen, got, want)
		}
		r.Close()
	}
}

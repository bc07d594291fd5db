package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
	_ "sml/models/networks"
)

// A step with weight decay differs from the same step without it in the declared weights
// alone, which lose rate × decay of themselves: no bias, no variational parameter and no
// dropout logit decays, in any network and by any optimizer.
func TestWeightDecayShrinksWeightsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	const rate, decay = 0.01, 0.5
	for _, c := range []struct {
		network, method string
		decaying        []string
	}{
		{"mlp", "mc-pu", []string{"hidden1.weight", "output.weight"}},
		{"concrete", "concrete", []string{"hidden1.weight", "output.weight"}},
		{"bayes", "bayes", nil},
	} {
		for _, name := range []string{"adam", "sgd", "adamw"} {
			with, without := Settings{Decay: decay}, Settings{}
			if name == "adamw" { // its decay is its own
				with = Settings{OptimizerHyperparameters: models.Hyperparameters{"decay": decay}}
				without = Settings{OptimizerHyperparameters: models.Hyperparameters{"decay": 0}}
			}
			before, plain := oneStep(t, c.method, name, rate, without)
			_, decayed := oneStep(t, c.method, name, rate, with)
			for i, p := range plain.List() {
				decays := slices.Contains(c.decaying, p.Name)
				if p.Decay != decays {
					t.Errorf("%s: parameter %s is declared with decay %v", c.network, p.Name, p.Decay)
				}
				for j, start := range graph.ParamValues(plain, before, i) {
					want := float64(graph.ParamValues(plain, plain.Float32s(), i)[j])
					if decays {
						want -= rate * decay * float64(start)
					}
					got := float64(graph.ParamValues(decayed, decayed.Float32s(), i)[j])
					if !decays && got != want || math.Abs(got-want) > 1e-6 {
						t.Fatalf("%s, %s: %s[%d] is %v after a step with decay, want %v", c.network, name, p.Name, j, got, want)
					}
				}
			}
		}
	}
}

// oneStep returns a method's parameters before and after one step of a training.
func oneStep(t *testing.T, method, optimizer string, rate float64, s Settings) (before []float32, after *graph.Params) {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8}, Dropout: 0.1}))
	s.Epochs, s.Batch, s.LearningRate, s.Optimizer = 1, 30, rate, optimizer
	rows := squares(30)
	result := mustTrain(t, spec, rows, s, Options{})
	start := expect.Must(spec.NewParams(memberSeed(result.Settings.FoldSeed(), 0)))
	return start.Float32s(), result.Members[0]
}

// squares returns rows of a number and its square.
func squares(n int) (rows data.Subset) {
	for i := range n {
		x := math.Sin(float64(7 * i))
		rows.X, rows.Y = append(rows.X, x), append(rows.Y, x*x)
	}
	return rows
}

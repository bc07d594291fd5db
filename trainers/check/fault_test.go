package check_test

import (
	"context"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

func init() {
	models.Register(models.Method{Name: "wrong-logarithm", Predict: methods.PredictFullNetwork, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.WeightedSum(
			graph.Term{Name: "squares", Weight: 1, Value: t.MSE(t.Forward(graph.Full), t.Y)},
			graph.Term{Name: "logs", Weight: 0.5, Value: b.Mean(b.Log(t.Y))}, // the line of the mistake
		)
	}})
	models.Register(models.Method{Name: "wrong-root", Predict: methods.PredictFullNetwork, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.Mean(b.Sqrt(b.Abs(b.Mul(b.Sub(t.Forward(graph.Full), t.Y), t.X)))) // 1/√0 times 0 where x is 0
	}})
}

// What is not finite is named: the operation with its operands, the line of the
// objective, the term, and the rows of the table.
func TestFaultIsNamed(t *testing.T) {
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i], y[i] = float64(i)/10-1, 1+float64(i)/10
	}
	y[12], y[17] = -0.25, -2
	for method, words := range map[string][]string{
		"wrong-logarithm": {"the loss is NaN at epoch 1, step 1", "log of -0.25 is NaN, in the term logs (at fault_test.go:19); row 13 of the table and 1 more"},
		"wrong-root":      {"the loss is still", "in the gradient of the operation there (at fault_test.go:23)"},
	} {
		s, err := models.NewSpec(method, nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{3}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = trainers.Train(context.Background(), s, data.Subset{X: x, Y: y}, trainers.Settings{Epochs: 1, Batch: 20, Seed: 1}, trainers.Options{})
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %q", method, err, w)
			}
		}
	}
}

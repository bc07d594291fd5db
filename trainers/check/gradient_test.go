package check_test

import (
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/trainers/check"
)

// An objective may contain gradients: one that is learned through, and one of which
// the sign is taken and held.
func TestObjectivesOfGradients(t *testing.T) {
	models.Register(models.Method{
		Name: "gradients-inside", Predict: methods.PredictFullNetwork, DropLayers: models.AllLayers,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			out := t.Forward(graph.Full)
			squares := func(x *graph.Node) *graph.Node { return b.Sum(b.Square(b.Sub(x, t.Y))) }
			slope := b.Grad(squares(out), out)[0]
			away := b.StopGradient(b.Scale(0.01, gorgonia.Must(gorgonia.Sign(slope))))
			return b.WeightedSum(
				graph.Term{Name: "penalty", Weight: 0.1, Value: b.Mean(b.Square(slope))},
				graph.Term{Name: "adversarial", Weight: 1, Value: b.MSE(b.Add(out, away), b.Add(t.Y, away))},
			)
		},
	})
	check.Test(t, "gradients-inside", nil)
}

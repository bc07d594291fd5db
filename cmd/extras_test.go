package cmd

import (
	"os"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// mainWithColumns runs the program with two further methods: censored uses an extra column, and
// unweighted ignores weights.
func mainWithColumns() {
	models.Register(models.Method{
		Name: "censored", Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			r, c := b.Sub(t.Y, t.Forward(graph.Full)), t.Column("censored")
			seen := b.Mul(b.Shift(b.Scale(-1, c), 1), b.Square(r))
			return t.Mean(b.Add(seen, b.Mul(c, b.Square(b.ClampMin(r, 0)))))
		},
	})
	models.Register(models.Method{
		Name: "unweighted", Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node { return b.MSE(t.Forward(graph.Full), t.Y) },
	})
	os.Exit(Main())
}

package cmd

import (
	"os"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// mainWithPupil is the program with a method that learns from a trained model.
func mainWithPupil() {
	models.Register(models.Method{
		Name: "pupil", Predict: methods.PredictFullNetwork,
		Hyperparameters: []models.Hyperparameter{{Name: "teacher", Default: ""}, {Name: "trust", Default: "linear(0,1,0.5)", Range: models.Range{Min: 0, Max: 1}}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			f, teacher := t.Forward(graph.Full), t.Frozen(t.Text("teacher"))
			return b.WeightedSum(graph.Term{Name: "fit", Weight: 1, Value: t.MSE(f, t.Y)},
				t.Term("teacher", "trust", t.MSE(f, teacher.Mean(teacher.Forward(0, graph.Full)))))
		},
	})
	os.Exit(Main())
}

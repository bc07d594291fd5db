package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "student", Title: "Student", Summary: "squared error to the targets and to a trained model", Source: "Hinton et al. 2015",
		Hyperparameters: []models.Hyperparameter{
			{Name: "teacher", Default: "", Help: "directory of the model"},
			{Name: "trust", Default: 0.5, Range: models.Range{Min: 0, Max: 1}, Help: "weight of what it says"},
		},
		Objective: student, Predict: methods.PredictFullNetwork,
	})
}

// student is the mean of (f − y)² + w (f − teacher)².
func student(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.Forward(graph.Full)
	teacher := t.Frozen(t.Text("teacher"))
	says := teacher.Mean(teacher.Forward(0, graph.Full))
	return b.WeightedSum(
		graph.Term{Name: "targets", Weight: 1, Value: t.MSE(f, t.Y)},
		t.Term("teacher", "trust", t.MSE(f, says)),
	)
}

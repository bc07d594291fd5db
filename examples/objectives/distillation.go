package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "student", which learns from a trained model, the teacher:
//
//	train --data friedman --method sml --out teacher
//	train --data friedman --method student --set teacher=teacher --out student
func init() {
	models.Register(models.Method{
		Name:      "student",
		Title:     "Student",
		Summary:   "squared error to the targets and to a trained model",
		Source:    "Hinton et al. 2015",
		Objective: student,
		Hyperparameters: []models.Hyperparameter{
			{Name: "teacher", Default: "", Help: "directory of the trained model"},
			{Name: "trust", Default: 0.5, Range: models.Range{Min: 0, Max: 1}, Help: "weight of the trained model's predictions"},
		},
		Predict: methods.PredictFullNetwork,
	})
}

// student returns the mean of (f − y)² + w (f − p)², a scalar, where p is the teacher's prediction and w
// the hyperparameter "trust".
func student(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.Forward(graph.Full)
	teacher := t.Frozen(t.Text("teacher"))
	firstMember := teacher.Forward(0, graph.Full)
	prediction := teacher.Mean(firstMember) // in the units of this training
	return b.WeightedSum(
		graph.Term{Name: "targets", Weight: 1, Value: t.MSE(f, t.Y)},
		t.Term("teacher", "trust", t.MSE(f, prediction)),
	)
}

package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "vicreg", Title: "VICReg", Summary: "squared error of the first of four outputs, all alike under noise, varied and uncorrelated", Source: "Bardes et al. 2022, equations 1 to 6",
		Hyperparameters: []models.Hyperparameter{{Name: "weight", Default: 0.1, Range: models.Range{Min: 0, Max: 1e6}, Help: "of the three terms"}},
		Outputs:         4, Targets: 1, Objective: vicreg, Predict: methods.FullNetwork,
	})
}

func vicreg(b *graph.Builder, t *models.Task) *graph.Node {
	clean := t.Forward(graph.Full)
	noisy := t.ForwardAt(b.Add(t.X, b.Scale(0.1, b.Normal(graph.Noise{}, t.X.Shape()[0], t.X.Shape()[1]))), graph.Full)
	variance, centred := b.VarianceRows(clean), b.Sub(clean, b.MeanRows(clean))
	covariance := b.Scale(1/float64(t.X.Shape()[0]), b.MatMul(b.Transpose(centred), centred))
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(b.Columns(clean, 0, 1), t.Y)},
		t.Term("invariance", "weight", b.MSE(clean, noisy)),
		t.Term("variance", "weight", b.Mean(b.ReLU(b.AddConst(b.Neg(b.Sqrt(b.AddConst(variance, 1e-4))), 1)))),
		t.Term("covariance", "weight", b.Sub(b.Sum(b.Square(covariance)), b.Sum(b.Square(variance)))),
	)
}

package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "vicreg", Title: "VICReg", Summary: "squared error of the first of four outputs, all alike under noise, varied and uncorrelated",
		Source:          "Bardes et al. 2022, equations 1 to 6, beside the squared error; views are the inputs and the inputs with noise",
		Hyperparameters: []models.Hyperparameter{{Name: "weight", Default: 0.01, Range: models.Range{Min: 0, Max: 1e6}, Help: "of the VICReg loss, equation 6, beside the squared error"}},
		Outputs:         models.Outputs(4), Targets: 1, Objective: vicreg, Predict: methods.PredictFullNetwork,
	})
}

// vicreg is the squared error of the first output plus "weight" times
// λ s(Z, Z′) + μ (v(Z) + v(Z′)) + ν (c(Z) + c(Z′)), with λ = μ = 25 and ν = 1.
func vicreg(b *graph.Builder, t *models.Task) *graph.Node {
	rows := t.X.Shape()[0]
	inputs := t.X.Shape()[1]
	if rows < 2 {
		b.Fail(fmt.Errorf("vicreg: a batch of one row has no variance: want two or more"))
	}
	clean := t.Forward(graph.Full)
	noisy := t.ForwardAt(b.Add(t.X, b.Scale(0.1, b.Normal(graph.Noise{}, rows, inputs))), graph.Full)
	invariance := b.Mean(b.SumColumns(b.Square(b.Sub(clean, noisy))))
	cleanVariance, cleanCovariance := spread(b, clean)
	noisyVariance, noisyCovariance := spread(b, noisy)
	term := func(name string, weight float64, value *graph.Node) graph.Term {
		term := t.Term(name, "weight", value)
		term.Weight *= weight
		return term
	}
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(b.Columns(clean, 0, 1), t.Y)},
		term("invariance", 25, invariance),
		term("variance", 25, b.Add(cleanVariance, noisyVariance)),
		term("covariance", 1, b.Add(cleanCovariance, noisyCovariance)),
	)
}

// spread returns the terms v and c of embeddings z [n, d] (equations 1 and 4): the mean of
// max(0, 1 − √(variance + 10⁻⁴)) over the columns, and the sum of the squared covariances
// of different columns over d. Variances and covariances are by 1/(n − 1).
func spread(b *graph.Builder, z *graph.Node) (variance, covariance *graph.Node) {
	n := float64(z.Shape()[0])
	d := float64(z.Shape()[1])
	centred := b.Sub(z, b.MeanRows(z))
	variances := b.Scale(n/(n-1), b.VarianceRows(z))
	covariances := b.Scale(1/(n-1), b.MatMul(b.Transpose(centred), centred))
	variance = b.Mean(b.ReLU(b.AddConst(b.Neg(b.Sqrt(b.AddConst(variances, 1e-4))), 1)))
	covariance = b.Scale(1/d, b.Sub(b.Sum(b.Square(covariances)), b.Sum(b.Square(variances))))
	return variance, covariance
}

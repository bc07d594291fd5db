package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "vicreg", whose loss compares the rows of a batch with one another. The network has four
// outputs: the first is the prediction, and all of them are the embedding of a row.
func init() {
	models.Register(models.Method{
		Name:      "vicreg",
		Title:     "VICReg",
		Summary:   "squared error of the first of four outputs, which hardly change under noise, vary between rows and are uncorrelated",
		Source:    "Bardes et al. 2022, equations 1 to 6, beside the squared error; views are the inputs and the inputs with noise",
		Objective: vicreg,
		Hyperparameters: []models.Hyperparameter{
			{Name: "weight", Default: 0.01, Range: models.Range{Min: 0, Max: 1e6}, Help: "weight of the VICReg loss, equation 6, beside the squared error"},
		},
		Outputs: models.Outputs(4),
		Targets: 1,
		Predict: methods.PredictFullNetwork,
	})
}

// vicreg returns the squared error of the first output plus the hyperparameter "weight" times
//
//	λ s(Z, Z′) + μ (v(Z) + v(Z′)) + ν (c(Z) + c(Z′))
//
// a scalar, with λ = μ = 25 and ν = 1. Z are the outputs for the inputs, Z′ the outputs for the inputs with
// noise, s is the mean squared distance between them, and v and c are the terms that embeddingTerms returns.
func vicreg(b *graph.Builder, t *models.Task) *graph.Node {
	rows := t.X.Shape()[0]
	inputs := t.X.Shape()[1]
	if rows < 2 {
		b.Fail(fmt.Errorf("vicreg: a batch of one row has no variance: want two or more"))
	}
	const noiseStd = 0.1 // in standard deviations of each input
	clean := t.Forward(graph.Full)
	noisyX := b.Add(t.X, b.Scale(noiseStd, b.Normal(graph.Noise{}, rows, inputs)))
	noisy := t.ForwardAt(noisyX, graph.Full)
	invariance := b.Mean(b.SumColumns(b.Square(b.Sub(clean, noisy))))
	cleanVariance, cleanCovariance := embeddingTerms(b, clean)
	noisyVariance, noisyCovariance := embeddingTerms(b, noisy)
	weighted := func(name string, factor float64, value *graph.Node) graph.Term {
		term := t.Term(name, "weight", value)
		term.Weight *= factor
		return term
	}
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(b.Columns(clean, 0, 1), t.Y)},
		weighted("invariance", 25, invariance),
		weighted("variance", 25, b.Add(cleanVariance, noisyVariance)),
		weighted("covariance", 1, b.Add(cleanCovariance, noisyCovariance)),
	)
}

// embeddingTerms returns the terms v and c of embeddings z [n, d], scalars: v is the mean over the columns of
// max(0, 1 − √(variance + 10⁻⁴)), and c is the sum of the squared covariances of different columns, over
// d. Variances and covariances are divided by n − 1. Source: Bardes et al. 2022, equations 1 to 4.
func embeddingTerms(b *graph.Builder, z *graph.Node) (variance, covariance *graph.Node) {
	n := float64(z.Shape()[0])
	d := float64(z.Shape()[1])
	centred := b.Sub(z, b.MeanRows(z))
	variances := b.Scale(n/(n-1), b.VarianceRows(z)) // VarianceRows divides by n
	covariances := b.Scale(1/(n-1), b.MatMul(b.Transpose(centred), centred))

	stds := b.Sqrt(b.Shift(variances, 1e-4))
	variance = b.Mean(b.ReLU(b.Shift(b.Neg(stds), 1)))
	// The diagonal of the covariance matrix has the variances.
	differentColumns := b.Sub(b.Sum(b.Square(covariances)), b.Sum(b.Square(variances)))
	covariance = b.Scale(1/d, differentColumns)
	return variance, covariance
}

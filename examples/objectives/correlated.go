package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "correlated", for tables with several targets.
func init() {
	models.Register(models.Method{
		Name:      "correlated",
		Title:     "Corr",
		Summary:   "normal distribution of all targets together: standard deviations from the network, and correlations that all rows share",
		Source:    "constant conditional correlations as in Bollerslev 1990",
		Objective: correlated,
		Outputs:   models.Outputs(2),
		Predict:   methods.PredictNormal, // the distribution of each target by itself
	})
}

// correlated returns the mean over the rows of the negative log-likelihood of a row's targets under
// N(μ, D·C·D), a scalar, without its constant. D is the diagonal matrix of the row's standard deviations,
// and C is the correlation matrix. With the Cholesky factor L of C, the residuals r = D⁻¹(y − μ) become
// independent as z = L⁻¹ r, and the negative log-likelihood is Σ (log σ + z²/2) + ½ log |C|.
func correlated(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	residuals := b.Div(b.Sub(t.Y, mean), std) // [rows targets]
	correlations := correlationMatrix(b, t.Y.Shape()[1])
	// SolveLower has a column for each row of the table.
	independent := b.Transpose(b.SolveLower(b.Cholesky(correlations), b.Transpose(residuals)))
	rowSums := b.SumColumns(b.Add(b.Log(std), b.Scale(0.5, b.Square(independent))))
	return t.Mean(b.Add(rowSums, b.Scale(0.5, b.LogDet(correlations))))
}

// correlationMatrix returns a matrix [n n] to learn that can be a correlation matrix: positive definite,
// with ones on its diagonal. It is the covariance matrix W·Wᵀ + I of a parameter W, divided by the standard
// deviations of its rows and columns.
func correlationMatrix(b *graph.Builder, n int) *graph.Node {
	w := b.Param("correlation", n, n, graph.Uniform(0.5))
	covariances := b.Add(b.MatMul(w, b.Transpose(w)), b.Identity(n))
	stds := b.Sqrt(b.Diagonal(covariances))
	return b.Div(b.Div(covariances, stds), b.Transpose(stds))
}

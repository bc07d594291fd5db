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
		Predict:   predictCorrelated,

		// The factor starts at small random numbers, and has a long way to large correlations.
		ParamGroups: models.ParamGroups{{Name: correlationName, LearningRate: 0.02}},
	})
}

// correlated returns the mean over the rows of the negative log-likelihood of a row's targets under
// N(μ, D·C·D), a scalar, without its constant. D is the diagonal matrix of the row's standard deviations,
// and C is the correlation matrix. With the Cholesky factor L of C, the residuals r = D⁻¹(y − μ) become
// independent as z = L⁻¹ r, and the negative log-likelihood is Σ (log σ + z²/2) + ½ log |C|.
func correlated(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	residuals := b.Div(b.Sub(t.Y, mean), std) // [rows targets]
	targets := t.Y.Shape()[1]
	correlations := correlationMatrix(b, b.Param(correlationName, targets, targets, graph.Uniform(0.5)))
	// SolveLower has a column for each row of the table.
	independent := b.Transpose(b.SolveLower(b.Cholesky(correlations), b.Transpose(residuals)))
	rowSums := b.SumColumns(b.Add(b.Log(std), b.Scale(0.5, b.Square(independent))))
	return t.Mean(b.Add(rowSums, b.Scale(0.5, b.LogDet(correlations))))
}

// correlationName is the name of the parameter that the correlations are computed from.
const correlationName = "correlation"

// predictCorrelated returns the normal distribution of each target, with the correlations that all rows share.
func predictCorrelated(b *graph.Builder, m models.Moments) models.PredictionNodes {
	prediction := methods.PredictNormal(b, m)
	rows := prediction.Parameters[0].Shape()[0]
	matrix := correlationMatrix(b, m.Parameter(correlationName))
	targets := matrix.Shape()[0]
	prediction.Correlations = b.Repeat(b.Reshape(matrix, 1, targets*targets), rows, targets*targets)
	return prediction
}

// correlationMatrix returns a matrix that can be a correlation matrix: positive definite, with ones on its diagonal. It is
// the covariance matrix w·wᵀ + I of any square matrix w, divided by the standard deviations of its rows and columns.
func correlationMatrix(b *graph.Builder, w *graph.Node) *graph.Node {
	covariances := b.Add(b.MatMul(w, b.Transpose(w)), b.Identity(w.Shape()[0]))
	stds := b.Sqrt(b.Diagonal(covariances))
	return b.Div(b.Div(covariances, stds), b.Transpose(stds))
}

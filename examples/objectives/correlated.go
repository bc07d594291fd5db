package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "correlated", Title: "Corr", Summary: "normal distribution of all targets together: standard deviations from the network, and correlations that all rows share",
		Source:    "constant conditional correlations as in Bollerslev 1990",
		Objective: correlated,
		Outputs:   models.Outputs(2),
		Predict:   methods.PredictNormal, // the distribution of each target by itself
	})
}

// correlated is the negative log-likelihood of a row's targets under N(μ, D·C·D), without its
// constant: D is the diagonal matrix of the row's standard deviations, C the correlation matrix.
func correlated(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	residuals := b.Div(b.Sub(t.Y, mean), std) // [rows targets], correlated
	c := correlationMatrix(b, t.Y.Shape()[1])
	independent := b.Transpose(b.SolveLower(b.Cholesky(c), b.Transpose(residuals)))
	rows := b.SumColumns(b.Add(b.Log(std), b.Scale(0.5, b.Square(independent))))
	return t.Mean(b.Add(rows, b.Scale(0.5, b.LogDet(c))))
}

// correlationMatrix returns a positive definite matrix to learn, [n n], with ones on
// its diagonal: W·Wᵀ + I, divided by the roots of its diagonal.
func correlationMatrix(b *graph.Builder, n int) *graph.Node {
	w := b.Param("correlation", n, n, graph.Uniform(0.5))
	s := b.Add(b.MatMul(w, b.Transpose(w)), b.Identity(n))
	root := b.Sqrt(b.Diagonal(s))
	return b.Div(b.Div(s, root), b.Transpose(root))
}

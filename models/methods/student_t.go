package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var studentT = models.Method{
	Name:      "student-t",
	Title:     "Student-t",
	Summary:   "location, scale and degrees of freedom of a t distribution, in which outliers count less than in a normal distribution",
	Source:    "Lange et al. 1989, with scale and degrees of freedom for each row",
	Objective: StudentT,
	Outputs:   models.Outputs(3),
	Combine:   models.CombineAsNormal,
	Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: distribution.StudentT, Parameters: studentTParameters(b, m.Full)}
	},
}

// studentTParameters returns location, scale and degrees of freedom in three outputs o of a
// network: o₀, max(softplus(o₁), MinStd) and 2.05 + softplus(o₂).
func studentTParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	const minFreedom = 2.05 // keeps the variance scale²·ν/(ν − 2) finite
	location := outputs[0]
	scale := SoftplusAtLeast(b, outputs[1], MinStd)
	freedom := b.Shift(b.Softplus(outputs[2]), minFreedom)
	return []*graph.Node{location, scale, freedom}
}

// StudentT returns the mean negative log-likelihood of the t distribution whose location, scale
// and degrees of freedom the full network predicts, a scalar. Source: Lange et al. 1989.
func StudentT(b *graph.Builder, t *models.Task) *graph.Node {
	parameters := studentTParameters(b, b.Split(t.Forward(graph.Full), 3))
	return t.Mean(distribution.StudentT.NLL(b, parameters, t.Y))
}

package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var studentT = models.Method{
	Name:          "student-t",
	Title:         "Student-t",
	Summary:       "the network puts out location, scale and degrees of freedom of a t distribution: outliers pull less",
	Source:        "Lange et al. 1989, with scale and degrees of freedom of each row",
	Objective:     StudentT,
	EarlyStopping: true,
	Outputs:       models.Outputs(3),
	Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: distribution.StudentT, Parameters: studentTParameters(b, m.Full)}
	},
}

// minFreedom keeps the variance ν/(ν − 2)·scale² finite.
const minFreedom = 2.05

// studentTParameters reads three outputs as location μ, scale max(softplus, MinStd) and
// 2.05 + softplus degrees of freedom.
func studentTParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	return []*graph.Node{outputs[0], Positive(b, outputs[1], MinStd), b.AddConst(b.Softplus(outputs[2]), minFreedom)}
}

// StudentT is the mean negative log likelihood of a t distribution whose parameters the
// network puts out.
func StudentT(b *graph.Builder, t *models.Task) *graph.Node {
	parameters := studentTParameters(b, b.Split(t.Forward(graph.Full), 3))
	return t.Mean(distribution.StudentT.NLL(b, parameters, t.Y))
}

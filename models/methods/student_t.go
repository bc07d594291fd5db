package methods

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

var studentT = models.Method{
	Name:          "student-t",
	Title:         "Student-t",
	Summary:       "the network puts out location, scale and degrees of freedom of a t distribution: outliers pull less",
	Source:        "Lange et al. 1989, with scale and degrees of freedom of each row",
	Objective:     StudentT,
	EarlyStopping: true,
	Outputs:       3,
	Predict: func(d models.Moments) models.Prediction {
		freedom := minFreedom + portable.Softplus(d.Full[2])
		scale := PositiveOf(d.Full[1], MinStd)
		return models.Prediction{Mean: d.Full[0], Std: scale * math.Sqrt(freedom/(freedom-2))}
	},
	PredictGraph: func(b *graph.Builder, d models.MomentNodes) models.PredictionNodes {
		freedom := b.AddConst(b.Softplus(d.Full[2]), minFreedom)
		spread := b.Sqrt(b.Div(freedom, b.AddConst(freedom, -2)))
		return models.PredictionNodes{Mean: d.Full[0], Std: b.Mul(Positive(b, d.Full[1], MinStd), spread)}
	},
}

// minFreedom keeps the variance ν/(ν − 2)·scale² finite.
const minFreedom = 2.05

// StudentT is the mean negative log likelihood of a t distribution with location μ,
// scale max(softplus, MinStd) and 2.05 + softplus degrees of freedom.
func StudentT(b *graph.Builder, t *models.Task) *graph.Node {
	out := b.Split(t.Forward(graph.Full), 3)
	freedom := b.AddConst(b.Softplus(out[2]), minFreedom)
	return t.Mean(b.StudentTNLL(out[0], Positive(b, out[1], MinStd), freedom, t.Y))
}

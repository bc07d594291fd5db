package methods

import (
	"math"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

var studentT = models.Method{
	Name:      "student-t",
	Title:     "Student-t",
	Summary:   "the network puts out location, scale and degrees of freedom of a t distribution: outliers pull less",
	Source:    "Lange et al. 1989",
	Objective: StudentT,
	Outputs:   3,
	Predict: func(d models.Moments) models.Prediction {
		freedom := minFreedom + portable.Softplus(d.Full[2])
		scale := max(portable.Softplus(d.Full[1]), MinStd)
		return models.Prediction{Mean: d.Full[0], Std: scale * math.Sqrt(freedom/(freedom-2))}
	},
}

// minFreedom keeps the variance ν/(ν − 2)·scale² finite.
const minFreedom = 2.05

// StudentT is the mean negative log likelihood of a t distribution with location μ,
// scale s = max(softplus, MinStd) and ν = 2.05 + softplus degrees of freedom,
//
//	log Γ(ν/2) − log Γ((ν+1)/2) + ½ log(νπ) + log s + (ν+1)/2 · log(1 + ((y − μ)/s)²/ν)
func StudentT(b *graph.Builder, t *models.Task) *graph.Node {
	out := Outputs(b, t)
	scale := b.ClampMin(b.Softplus(out[1]), MinStd)
	freedom := b.AddConst(b.Softplus(out[2]), minFreedom)
	half := b.Scale(0.5, b.AddConst(freedom, 1)) // (ν+1)/2
	z := b.Div(b.Sub(t.Y, out[0]), scale)
	nll := b.Add(b.Log(scale), b.Mul(half, b.Log1p(b.Div(b.Square(z), freedom))))
	nll = b.Add(nll, b.Sub(b.LogGamma(b.Scale(0.5, freedom)), b.LogGamma(half)))
	return t.Mean(b.Add(nll, b.Scale(0.5, b.Log(b.Scale(math.Pi, freedom)))))
}

package methods

import (
	"math"

	"sml/graph"
	"sml/models"
)

var crps = models.Method{
	Name:          "crps",
	Title:         "CRPS",
	Summary:       "the network puts out mean and std, trained by the continuous ranked probability score",
	Source:        "Gneiting et al. 2005, equation 5",
	Objective:     CRPS,
	EarlyStopping: true,
	Outputs:       2,
	Predict:       Gaussian,
	PredictGraph:  GaussianGraph,
}

// CRPS is the mean of σ (z (2Φ(z) − 1) + 2φ(z) − 1/√π), z = (y − μ)/σ, for a network
// with outputs as MeanAndStd reads them. It grows as |y − μ|, not its square.
func CRPS(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	z := b.Div(b.Sub(t.Y, mean), std)
	tails := b.Mul(z, b.Erf(b.Scale(1/math.Sqrt2, z))) // 2Φ(z) − 1 is erf(z/√2)
	return t.Mean(b.Mul(std, b.AddConst(b.Add(tails, b.Scale(2, b.NormalPDF(z))), -1/math.Sqrt(math.Pi))))
}

package methods

import (
	"sml/graph"
	"sml/models"
)

var parametric = models.Method{
	Name:          "pu",
	Title:         "PU",
	Summary:       "parametric uncertainty: the network puts out mean and std, trained by Gaussian NLL",
	Source:        "Nix and Weigend 1994, mean and std learnt together",
	Objective:     GaussianNLL,
	EarlyStopping: true,
	Outputs:       models.Outputs(2),
	Predict:       Gaussian,
}

// nllFloor bounds what a single row can contribute, as in the authors' notebook.
const nllFloor = -100

// MinStd is the smallest σ of a network that puts out its own, in units of the
// training targets' standard deviation. softplus(s) is 0 in float32 for s below
// −104, and its NLL infinite or not a number well above: with this floor the NLL
// of any residual below 10⁷ is finite. Between them s is held, and gets no
// gradient; no training that is worth keeping comes near it.
const MinStd = 1e-12

// GaussianNLL is the mean over rows of RowNLL, each row at least −100, for a
// network with outputs as MeanAndStd reads them.
func GaussianNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), nllFloor))
}

// MeanAndStd reads outputs [rows, 2·targets] as the means μ and, by
// σ = max(softplus(s), MinStd), the standard deviations of a normal distribution
// for each target: columns μ…, s….
func MeanAndStd(b *graph.Builder, out *graph.Node) (mean, std *graph.Node) {
	parts := b.Split(out, 2)
	return parts[0], Positive(b, parts[1], MinStd)
}

// RowNLL is log σ + (y − μ)²/(2σ²) for each row and target, [rows, targets].
// The constant ½ log 2π is left out.
func RowNLL(b *graph.Builder, mean, std, y *graph.Node) *graph.Node {
	return b.Add(b.Log(std), b.Scale(0.5, b.Square(b.Div(b.Sub(y, mean), std))))
}

package methods

import (
	"sml/graph"
	"sml/models"
)

var parametric = models.Method{
	Name:      "pu",
	Title:     "PU",
	Summary:   "parametric uncertainty: mean and standard deviation, trained by the Gaussian NLL",
	Source:    "Nix and Weigend 1994, with mean and standard deviation learned together",
	Objective: GaussianNLL,
	Outputs:   models.Outputs(2),
	Predict:   PredictNormal,
	Combine:   models.CombineAsNormal,
}

// minRowNLL is the smallest RowNLL that counts. It keeps a row whose σ is close to 0 from
// outweighing all others. Source: the notebook of Sicking et al. 2021.
const minRowNLL = -100

// MinStd is the smallest standard deviation that a network predicts for itself, in units of the
// standard deviation of the training targets.
//
// Without it, softplus(s) is 0 in float32 for s < −104, and RowNLL is infinite or NaN long before.
// With it, RowNLL is finite for errors below 10⁷. An output s below the bound gets no gradient; no
// useful training comes close.
const MinStd = 1e-12

// GaussianNLL returns the Gaussian negative log-likelihood of the full network, a scalar: the mean
// of RowNLL, each value at least −100. The network predicts the mean and the standard deviation, as
// MeanAndStd reads them. Source: Nix and Weigend 1994.
func GaussianNLL(b *graph.Builder, t *models.Task) *graph.Node {
	return meanRowNLL(b, t, t.Forward(graph.Full))
}

// gaussianNLLAt returns GaussianNLL with other inputs x [rows inputs] of the network.
func gaussianNLLAt(b *graph.Builder, t *models.Task, x *graph.Node) *graph.Node {
	return meanRowNLL(b, t, t.ForwardAt(x, graph.Full))
}

// meanRowNLL returns the mean over the batch of RowNLL, each value at least −100, for the outputs
// [rows 2·targets] of a network.
func meanRowNLL(b *graph.Builder, t *models.Task, outputs *graph.Node) *graph.Node {
	mean, std := MeanAndStd(b, outputs)
	return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), minRowNLL))
}

// MeanAndStd returns the means and the standard deviations [rows targets] of normal distributions
// in the outputs [rows 2·targets] of a network: first all means, then for each target an s with
// standard deviation max(softplus(s), MinStd).
func MeanAndStd(b *graph.Builder, outputs *graph.Node) (mean, std *graph.Node) {
	halves := b.Split(outputs, 2)
	return halves[0], SoftplusAtLeast(b, halves[1], MinStd)
}

// RowNLL returns log σ + (y − μ)²/(2σ²) for each row and target, [rows targets]: the negative
// log-likelihood of N(μ, σ²) without its constant ½ log 2π.
func RowNLL(b *graph.Builder, mean, std, y *graph.Node) *graph.Node {
	logStd := b.Log(std)
	z := b.Div(b.Sub(y, mean), std)
	return b.Add(logStd, b.Scale(0.5, b.Square(z)))
}

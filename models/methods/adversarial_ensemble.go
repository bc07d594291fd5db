package methods

import (
	"sml/graph"
	"sml/models"
)

var adversarialEnsemble = models.Method{
	Name:      "adv-de",
	Title:     "ADV-DE",
	Summary:   "5 parametric networks, trained on adversarial inputs beside the true ones",
	Source:    "Lakshminarayanan et al. 2017, algorithm 1",
	Objective: AdversarialNLL,
	Hyperparameters: []models.Hyperparameter{
		{Name: "epsilon", Default: 0.01, Range: models.Range{Min: 0, Max: 10}, Help: "step of the adversary in each input, as a share of the input's range in the training rows"},
	},
	Outputs: models.Outputs(2),
	Predict: Gaussian,
	Members: 5, EarlyStopping: true,
	Combine: GaussianMixture,
}

// AdversarialNLL is the sum of the mean RowNLL on the batch and on adversarial inputs
// x + ε·range·sign ∇ₓ RowNLL: the fast gradient sign method of Goodfellow et al. 2015,
// with a step of ε times the range of each input.
func AdversarialNLL(b *graph.Builder, t *models.Task) *graph.Node {
	nll := func(x *graph.Node) *graph.Node {
		mean, std := MeanAndStd(b, t.ForwardAt(x, graph.Full))
		return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), nllFloor))
	}
	clean := nll(t.X)
	step := b.Scale(t.Float("epsilon"), t.InputRange())
	worse := b.Add(t.X, b.Mul(b.Sign(b.Grad(clean, t.X)[0]), step))
	return b.WeightedSum(
		graph.Term{Name: "clean", Weight: 1, Value: clean},
		graph.Term{Name: "adversarial", Weight: 1, Value: nll(b.StopGradient(worse))},
	)
}

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
		{Name: "epsilon", Default: 0.05, Range: models.Range{Min: 0, Max: 10}, Help: "step of the adversary, in stds of an input; a hundredth of its range is about 0.05"},
	},
	Outputs:      2,
	Predict:      Gaussian,
	PredictGraph: GaussianGraph,
	Members:      5, EarlyStopping: true,
	Combine:      GaussianMixture,
	CombineGraph: GaussianMixtureGraph,
}

// AdversarialNLL is the mean RowNLL on the batch, and on the batch moved by ε·sign ∇ₓ of
// the first: the fast gradient sign method of Goodfellow et al. 2015.
func AdversarialNLL(b *graph.Builder, t *models.Task) *graph.Node {
	nll := func(x *graph.Node) *graph.Node {
		mean, std := MeanAndStd(b, t.ForwardAt(x, graph.Full))
		return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), nllFloor))
	}
	clean := nll(t.X)
	worse := b.Add(t.X, b.Scale(t.Float("epsilon"), b.Sign(b.Grad(clean, t.X)[0])))
	return b.WeightedSum(
		graph.Term{Name: "clean", Weight: 1, Value: clean},
		graph.Term{Name: "adversarial", Weight: 1, Value: nll(b.StopGradient(worse))},
	)
}

package methods

import (
	"sml/graph"
	"sml/models"
)

// adversarialEnsemble is an ensemble trained on adversarial inputs, too.
var adversarialEnsemble = models.Method{
	Name:      "adv-de",
	Title:     "ADV-DE",
	Summary:   "ensemble of 5 networks that predict mean and standard deviation, trained on the rows and on adversarial inputs",
	Source:    "Lakshminarayanan et al. 2017, algorithm 1",
	Objective: AdversarialNLL,
	Hyperparameters: []models.Hyperparameter{
		{Name: "epsilon", Default: 0.01, Range: models.Range{Min: 0, Max: 10}, Help: "size of the adversarial step in each input, as a fraction of the input's range in the training rows"},
	},
	Outputs: models.Outputs(2),
	Predict: PredictNormal,
	Members: 5,
	Combine: models.CombineAsNormal,
}

// AdversarialNLL returns the GaussianNLL of the batch plus the GaussianNLL of adversarial inputs,
// a scalar. The adversarial inputs are
//
//	x + ε · range · sign(∇ₓ GaussianNLL)
//
// where range is the largest minus the smallest value of each input in the training rows. No
// gradient flows through them. Source: Lakshminarayanan et al. 2017, algorithm 1, with the fast
// gradient sign method of Goodfellow et al. 2015.
func AdversarialNLL(b *graph.Builder, t *models.Task) *graph.Node {
	clean := gaussianNLLAt(b, t, t.X)
	stepSize := b.Scale(t.Float("epsilon"), t.InputRange())
	direction := b.Sign(b.Grad(clean, t.X)[0]) // raises the loss
	adversarialX := b.StopGradient(b.Add(t.X, b.Mul(direction, stepSize)))
	return b.WeightedSum(
		graph.Term{Name: "clean", Weight: 1, Value: clean},
		graph.Term{Name: "adversarial", Weight: 1, Value: gaussianNLLAt(b, t, adversarialX)},
	)
}

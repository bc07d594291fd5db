package methods

import (
	"sml/graph"
	"sml/models"
)

var classes = models.Method{
	Name:          "classes",
	Title:         "Classes",
	Summary:       "classification: a probability for each class of the target, trained by cross-entropy",
	Source:        "Bridle 1990, softmax; Lakshminarayanan et al. 2017, section 2.4, for several networks",
	Objective:     CrossEntropy,
	Classes:       models.AnyClasses,
	EarlyStopping: true,
	Predict:       func(b *graph.Builder, m models.Moments) models.PredictionNodes { return Classes(b, m.Full) },
	Combine:       Ensemble,
}

// CrossEntropy is the mean of −log p of each row's class, where p is the softmax of the
// network's outputs, one for each class of a target.
func CrossEntropy(b *graph.Builder, t *models.Task) *graph.Node {
	out := t.Forward(graph.Full)
	logits := b.Split(out, out.Shape()[1]/t.Y.Shape()[1])
	p := Classes(b, logits)
	return t.Mean(p.Family.NLL(b, p.Parameters, t.Y))
}

package methods

import (
	"sml/graph"
	"sml/models"
)

var classes = models.Method{
	Name:      "classes",
	Title:     "Classes",
	Summary:   "classification: a probability for each class of the target, trained by the cross-entropy",
	Source:    "Bridle 1990, softmax; Lakshminarayanan et al. 2017, section 2.4, for several networks",
	Objective: CrossEntropy,
	Classes:   models.AnyClasses,
	Predict:   func(b *graph.Builder, m models.Moments) models.PredictionNodes { return Classes(b, m.Full) },
}

// CrossEntropy returns the mean of −log p, a scalar, where p is the predicted probability of the
// row's class: the softmax of the full network's outputs, of which a target has one for each
// class. Source: Bridle 1990.
func CrossEntropy(b *graph.Builder, t *models.Task) *graph.Node {
	outputs := t.Forward(graph.Full)
	targets := t.Y.Shape()[1]
	classCount := outputs.Shape()[1] / targets
	prediction := Classes(b, b.Split(outputs, classCount))
	return t.Mean(prediction.Family.NLL(b, prediction.Parameters, t.Y))
}

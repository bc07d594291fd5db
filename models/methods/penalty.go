package methods

import (
	"sml/graph"
	"sml/models"
)

// PerValue divides a penalty of the weights by the number of training rows and by the
// number of targets, for a loss that is a mean over both. Likelihoods add over rows and
// targets, and the weights, which all of them share, have one prior.
func PerValue(b *graph.Builder, t *models.Task, penalty *graph.Node) *graph.Node {
	targets := t.Y.Shape()[1]
	return b.Div(penalty, b.Scale(float64(targets), t.TrainingRows()))
}

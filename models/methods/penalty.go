package methods

import (
	"sml/graph"
	"sml/models"
)

// penaltyPerValue returns a penalty of the weights divided by the number of target values in the
// training rows, a scalar, for a loss that is a mean over these values. A likelihood is a sum over
// all values, and the prior of the weights counts once for all of them.
func penaltyPerValue(b *graph.Builder, t *models.Task, penalty *graph.Node) *graph.Node {
	targets := t.Y.Shape()[1]
	values := b.Scale(float64(targets), t.TrainingRows())
	return b.Div(penalty, values)
}

package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var crps = models.Method{
	Name:          "crps",
	Title:         "CRPS",
	Summary:       "the network puts out mean and std, trained by the continuous ranked probability score",
	Source:        "Gneiting et al. 2005, equation 5",
	Objective:     CRPS,
	EarlyStopping: true,
	Outputs:       models.Outputs(2),
	Predict:       Gaussian,
}

// CRPS is the mean continuous ranked probability score of a normal distribution, for a
// network with outputs as MeanAndStd reads them. It grows as |y − μ|, not its square.
func CRPS(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	return t.Mean(distribution.Normal.Nodes(b, []*graph.Node{mean, std}).CRPS(t.Y))
}

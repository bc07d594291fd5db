package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var crps = models.Method{
	Name:      "crps",
	Title:     "CRPS",
	Summary:   "mean and standard deviation, trained by the continuous ranked probability score",
	Source:    "Gneiting et al. 2005, equation 5",
	Objective: CRPS,
	Outputs:   models.Outputs(2),
	Predict:   PredictNormal,
	Combine:   models.CombineAsNormal,
}

// CRPS returns the mean continuous ranked probability score of the normal distribution whose mean
// and standard deviation the full network predicts, as MeanAndStd reads them, a scalar. For
// outliers it grows as |y − mean|, not as its square. Source: Gneiting et al. 2005, equation 5.
func CRPS(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	predicted := distribution.Normal.Nodes(b, []*graph.Node{mean, std})
	return t.Mean(predicted.CRPS(t.Y))
}

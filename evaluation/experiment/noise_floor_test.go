package experiment

import (
	"math"
	"testing"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
	"sml/models/distribution"
)

// A row of weight 2 counts for the floor as two rows do. By hand, of variances 1, 4 and 4 of points of two members: three
// standard errors are 3·√2 times the mean variance.
func TestNoiseFloorCountsWeights(t *testing.T) {
	floor := func(stds, weights []float64) float64 {
		p := &evaluation.Predictions{Targets: 1, Family: distribution.Normal}
		var spreads []evaluation.Spread
		for _, std := range stds {
			p.Values = append(p.Values, models.NewPrediction(distribution.Normal, []float64{0, std}, nil))
			spreads = append(spreads, evaluation.Spread{Members: 2, Points: true})
		}
		return noiseFloor(calibrate.Rows{Predictions: p, Weights: weights}, spreads, 0)
	}
	want := math.Sqrt(3 * math.Sqrt2 * 3)
	repeated, weighted := floor([]float64{1, 2, 2}, nil), floor([]float64{1, 2}, []float64{0.5, 1})
	if math.Abs(repeated-want) > 1e-12 || math.Abs(weighted-want) > 1e-12 {
		t.Errorf("%v for repeated rows and %v for weighted ones; want %v", repeated, weighted, want)
	}
}

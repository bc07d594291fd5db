package evaluation

import (
	"math"
	"testing"

	"sml/models"
	"sml/models/distribution"
)

// normal returns the prediction N(mean, std²).
func normal(mean, std float64, components ...float64) models.Prediction {
	return models.NewPrediction(distribution.Normal, []float64{mean, std}, components)
}

// near accepts NaN for NaN and an infinity for itself.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	same := got == want || math.IsNaN(got) && math.IsNaN(want)
	if !same && !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v", name, got, want)
	}
}

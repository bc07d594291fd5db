package evaluation

import (
	"strings"
	"testing"

	"sml/data"
)

// Scalers that are too short are an error, not a crash.
func TestPredictWithFewScalers(t *testing.T) {
	_, err := Predict(t.Context(), untrained(t, "sml", 1, nil), data.Subset{X: points(5), XScale: data.Scalers{{Std: 1}}}, Sampling{Samples: 2})
	if err == nil || !strings.Contains(err.Error(), "there are 1 scalers of the inputs; want 2, or nil for none") {
		t.Errorf("%v", err)
	}
}

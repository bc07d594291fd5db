package evaluation

import (
	"strings"
	"testing"

	"sml/data"
)

// Two members of a method that combines none are an error, not a crash.
func TestTwoMembersOfASingleNetwork(t *testing.T) {
	m := untrained(t, "sml", 2, nil)
	_, err := Predict(t.Context(), m, data.Subset{X: points(5)}, Sampling{Samples: 2})
	if err == nil || !strings.Contains(err.Error(), "method sml is a single network: it cannot have 2 members") {
		t.Errorf("%v", err)
	}
}

// Scalers that are too short are an error, not a crash.
func TestPredictWithFewScalers(t *testing.T) {
	_, err := Predict(t.Context(), untrained(t, "sml", 1, nil), data.Subset{X: points(5), XScale: data.Scalers{{Std: 1}}}, Sampling{Samples: 2})
	if err == nil || !strings.Contains(err.Error(), "there are 1 scalers of the inputs; want 2, or nil for none") {
		t.Errorf("%v", err)
	}
}

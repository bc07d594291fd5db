package evaluation

import (
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// Noise, of weights too, belongs to draws: not to blocks, and not to what computes them.
func TestNoiseDoesNotDependOnBlocks(t *testing.T) {
	const n = 61
	for _, method := range []string{"bayes", "concrete", "mc-pu", "w-dropout"} {
		m := untrained(t, method, 1, nil)
		whole := predict(t, m, points(n), Sampling{Samples: 5, Seed: 1, Workers: 1})
		if whole.Values[0].Std() == 0 {
			t.Errorf("%s: there is no noise", method)
		}
		for _, block := range []int{1, 8, 37} {
			for _, workers := range []int{1, 4} {
				p := expect.Must(NewPredictor(m, Sampling{Samples: 5, Seed: 1, Workers: workers}))
				p.blockRows = block
				found, err := p.Predict(t.Context(), data.Subset{X: points(n)})
				p.Close()
				expect.NoError(t, err)
				if !slices.EqualFunc(found.Values, whole.Values, models.Prediction.Equal) {
					t.Errorf("%s: predictions of %d rows at once, %d workers, are others", method, block, workers)
				}
			}
		}
	}
}

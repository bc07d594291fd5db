package experiment

import "testing"

// The ranges are from sums of exact fractions, of binomial coefficients, powers and rising factorials.
func TestSuccessCount(t *testing.T) {
	for _, c := range []struct {
		counts    successCount
		low, high int
	}{
		{successCount{trials: 60, probability: 0.9}, 47, 59},
		{successCount{trials: 1000, probability: 0.9}, 875, 924},
		{successCount{trials: 3, probability: 0.9}, 1, 3},
		{successCount{trials: 20, probability: 0.5}, 4, 16},
		{successCount{trials: 60, probability: 0.9, observed: 20}, 38, 60},
		{successCount{trials: 200, probability: 0.9, observed: 100}, 158, 195},
		{successCount{trials: 10, probability: 0.5, observed: 9}, 0, 10},
	} {
		if low, high := c.counts.limits(0.005); low != c.low || high != c.high {
			t.Errorf("%+v: %d to %d, want %d to %d", c.counts, low, high, c.low, c.high)
		}
	}
}

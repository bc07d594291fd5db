package measure

import (
	"math"

	"sml/data/portable"
)

var coverageError = Measure{
	Name: "ace", Title: "ACE",
	Summary: "average coverage error: how far the coverage of the central interval is from what it says",
	Formula: "|share of y within the interval − c|",
	Convention: "of quantiles, the interval is that between the outermost levels p and 1 − p, and c = 1 − 2p; " +
		"where there is no such pair it is μ ± Φ⁻¹(0.975)σ, and c = 0.95. The ends belong to it. " +
		"The sign is left out: to cover too much is no better than to cover too little",
	Source: "Wan et al. (2014), Probabilistic forecasting of wind power generation using extreme learning machine, without the sign",
	Unit:   None, Needs: []Part{Interval},
	Of: func(c *Column) float64 {
		pair, ok := CentralPair(c.Levels)
		z, nominal := portable.NormalQuantile((1+coverage)/2), coverage
		if ok {
			nominal = c.Levels[pair[1]] - c.Levels[pair[0]]
		}
		covered := c.Average(func(row int) float64 {
			var low, high float64
			if ok {
				low, high = c.Quantiles[row][pair[0]], c.Quantiles[row][pair[1]]
			} else {
				half := float64(z * c.Std[row])
				low, high = c.Mean[row]-half, c.Mean[row]+half
			}
			if low <= c.Y[row] && c.Y[row] <= high {
				return 1
			}
			return 0
		})
		return math.Abs(covered - nominal)
	},
}

// coverage is that of the intervals that standard deviations are judged by.
const coverage = 0.95

// CentralPair returns the places of the outermost levels p < 1/2 and 1 − p among
// ascending ones, and whether there are any.
func CentralPair(levels []float64) (pair [2]int, ok bool) {
	for i, j := 0, len(levels)-1; i < j; {
		switch sum := levels[i] + levels[j]; {
		case math.Abs(sum-1) < 1e-9:
			return [2]int{i, j}, true
		case sum < 1:
			i++
		default:
			j--
		}
	}
	return pair, false
}

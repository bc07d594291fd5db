package measure

import "math"

var coverageError = Measure{
	Name:       "ace",
	Title:      "ACE",
	Summary:    "average coverage error: how far the coverage of the central interval is from its nominal coverage",
	Formula:    "|fraction of y within the interval − c|",
	Convention: "c = 0.95; for learned quantiles the interval is between the outermost levels p and 1 − p, and c = 1 − 2p. Both ends are included. Without the sign of the source: too much coverage counts as much as too little",
	Source:     "Wan et al. (2014), Probabilistic forecasting of wind power generation using extreme learning machine, without the sign",
	Unit:       None,
	Needs:      []Part{CDF},
	Compute: func(c *Column) float64 {
		nominal := defaultCoverage
		if pair, ok := CentralPair(c.Levels); ok {
			nominal = c.Levels[pair[1]] - c.Levels[pair[0]]
		}
		limits, _ := c.Interval(nominal)
		return math.Abs(c.coveredFraction(limits) - nominal)
	},
}

// defaultCoverage is the coverage of the interval that ACE measures if the method predicts no
// quantiles.
const defaultCoverage = 0.95

// CentralPair returns the indices of the outermost levels p < 1/2 and 1 − p in ascending quantile
// levels. It returns false if no two levels add up to 1.
func CentralPair(levels []float64) (pair [2]int, ok bool) {
	low, high := 0, len(levels)-1
	for low < high {
		sum := levels[low] + levels[high]
		switch {
		case math.Abs(sum-1) < 1e-9:
			return [2]int{low, high}, true
		case sum < 1:
			low++
		default:
			high--
		}
	}
	return pair, false
}

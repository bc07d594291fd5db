package measure

import "math"

var coverageError = Measure{
	Name:       "ace",
	Title:      "ACE",
	Summary:    "average coverage error: how far the coverage of the central interval is from its nominal coverage",
	Formula:    "|fraction of y within the interval − c|",
	Convention: "c = 0.95; for learned quantiles the distance of the outermost levels. Both ends are included. Without the sign of the source: too much coverage counts as much as too little",
	Source:     "Wan et al. (2014), Probabilistic forecasting of wind power generation using extreme learning machine, without the sign",
	Unit:       None,
	Needs:      []Part{CDF},
	Compute: func(c *Column) float64 {
		nominal := defaultCoverage
		lower, upper, hasPair := CentralPair(c.Levels)
		if hasPair {
			nominal = c.Levels[upper] - c.Levels[lower]
		}
		limits, _ := c.Interval(nominal)
		return math.Abs(c.CoveredFraction(limits) - nominal)
	},
}

// defaultCoverage is the coverage of the interval that ACE measures if the method predicts no
// quantiles.
const defaultCoverage = 0.95

// CentralPair returns the indices of the outermost levels p < 1/2 and 1 − p in ascending quantile
// levels. ok is false if no two levels add up to 1.
//
// It starts from both ends. If the sum is too small, no other level can complete the lower one to 1, so
// the lower index moves up; if it is too large, the upper index moves down.
func CentralPair(levels []float64) (lower, upper int, ok bool) {
	const tolerance = 1e-9 // tolerates the rounding of p and 1 − p
	lower = 0
	upper = len(levels) - 1
	for lower < upper {
		sum := levels[lower] + levels[upper]
		switch {
		case math.Abs(sum-1) < tolerance:
			return lower, upper, true
		case sum < 1:
			lower++
		default:
			upper--
		}
	}
	return 0, 0, false
}

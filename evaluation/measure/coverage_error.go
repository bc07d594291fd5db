package measure

import "math"

var coverageError = Measure{
	Name: "ace", Title: "ACE",
	Summary: "average coverage error: how far the coverage of the central interval is from what it says",
	Formula: "|share of y within the interval − c|",
	Convention: "of quantiles, the interval is that between the outermost levels p and 1 − p, and c = 1 − 2p; " +
		"of other distributions, c = 0.95: of a normal one it is μ ± Φ⁻¹(0.975)σ. The ends belong to it. " +
		"The sign is left out: to cover too much is no better than to cover too little",
	Source: "Wan et al. (2014), Probabilistic forecasting of wind power generation using extreme learning machine, without the sign",
	Unit:   None, Needs: []Part{CDF},
	Of: func(c *Column) float64 {
		nominal := defaultCoverage
		if pair, ok := CentralPair(c.Levels); ok {
			nominal = c.Levels[pair[1]] - c.Levels[pair[0]]
		}
		limits, _ := c.Interval(nominal)
		return math.Abs(c.coveredFraction(limits) - nominal)
	},
}

// coverage is the default probability of the judged interval.
const defaultCoverage = 0.95

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

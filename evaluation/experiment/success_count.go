package experiment

import "sml/internal/portable"

// successCount is the distribution of a number of successes.
type successCount struct {
	trials int

	// probability is the probability of a success: exactly, if observed is 0, and otherwise as it is expected after it was
	// set by this number of earlier trials. The successes are binomial in the first case, and beta-binomial in the second.
	probability float64
	observed    int
}

// limits returns the limits between which the number of successes lies, ends included, unless a number that is lower, or
// one that is higher, has a probability of at most tail.
func (c successCount) limits(tail float64) (low, high int) {
	return c.skip(tail, 0, 1), c.skip(tail, c.trials, -1)
}

// skip returns the first number of successes from start on, in steps, whose probability together with the skipped ones is
// more than tail.
func (c successCount) skip(tail float64, start, step int) int {
	skipped := 0.0
	for count := start; ; count += step {
		skipped += portable.Exp(c.logProbability(count))
		isLast := count+step < 0 || count+step > c.trials
		if skipped > tail || isLast {
			return count
		}
	}
}

// logProbability returns the logarithm of the probability of this number of successes.
func (c successCount) logProbability(successes int) float64 {
	k := float64(successes)
	failures := float64(c.trials - successes)
	choices := portable.LogGamma(k+failures+1) - portable.LogGamma(k+1) - portable.LogGamma(failures+1)
	p := c.probability
	if c.observed == 0 {
		return choices + float64(k*portable.Log(p)) + float64(failures*portable.Log1p(-p))
	}
	alpha := float64(p * float64(c.observed+1)) // the mean of Beta(alpha, beta) is p
	beta := float64((1 - p) * float64(c.observed+1))
	return choices + logBeta(k+alpha, failures+beta) - logBeta(alpha, beta)
}

// logBeta returns the logarithm of the beta function.
func logBeta(a, b float64) float64 {
	return portable.LogGamma(a) + portable.LogGamma(b) - portable.LogGamma(a+b)
}

package report

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// consistencyBand returns the limits between which an observed fraction of n rows lies with a probability
// of 95 %, if each row is counted with probability p, independently of the others. The number of counted
// rows is binomial, and the limits are its quantiles at 2.5 % and 97.5 %, divided by n. For n < 1 they
// are 0 and 1.
//
// Bröcker and Smith (2007), Increasing the reliability of reliability diagrams, introduce such
// bands, but estimate them by drawing rows.
func consistencyBand(n int, p float64) (low, high float64) {
	if n < 1 {
		return 0, 1
	}
	counted := distuv.Binomial{N: float64(n), P: p}
	quantile := func(level float64) float64 {
		count := sort.Search(n, func(count int) bool { return counted.CDF(float64(count)) >= level })
		return float64(count) / float64(n)
	}
	return quantile(0.025), quantile(0.975)
}

// wilsonInterval returns the 95 % confidence interval of the probability of an event that occurred in the
// given fraction of n rows: the score interval of Wilson (1927), Probable inference, the law of succession,
// and statistical inference. n must be at least 1.
func wilsonInterval(fraction float64, n int) (low, high float64) {
	const z = 1.959963984540054 // normal quantile at 0.975
	count := float64(n)
	center := (fraction + z*z/(2*count)) / (1 + z*z/count)
	halfWidth := z / (1 + z*z/count) * math.Sqrt(fraction*(1-fraction)/count+z*z/(4*count*count))
	return math.Max(0, center-halfWidth), math.Min(1, center+halfWidth)
}

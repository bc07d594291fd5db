package report

import (
	"math"
	"slices"
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
	const ( // levels between which there are 95 %
		lowLevel  = 0.025
		highLevel = 0.975
	)
	first, ratios := binomialRatios(n, p)
	total := 0.0 // which turns ratios into probabilities
	for _, ratio := range ratios {
		total += ratio
	}
	cumulative := 0.0 // probability of at most first+i counted rows
	low = math.NaN()  // until it is found
	high = math.NaN()
	for i, ratio := range ratios {
		cumulative += ratio / total
		fraction := float64(first+i) / float64(n)
		if math.IsNaN(low) && cumulative >= lowLevel {
			low = fraction
		}
		if math.IsNaN(high) && cumulative >= highLevel {
			high = fraction
		}
	}
	return low, high
}

// binomialRatios returns the probabilities of the counts first, first+1, … of a binomial distribution
// with n trials of probability p, each divided by the probability of the mode (the likeliest count). It
// leaves out the counts at both ends whose probabilities are negligible.
//
// It starts at the mode and follows the recurrence P(k+1)/P(k) = (n−k)/(k+1) · p/(1−p) in both directions.
// P itself would underflow for large n.
func binomialRatios(n int, p float64) (first int, ratios []float64) {
	const negligible = 1e-18 // below the rounding errors of a sum of ratios, of which one is 1
	mode := min(n, int(float64(n+1)*p))
	first = mode
	downwards := []float64{1} // ratios of mode, mode−1, …, first
	for ratio := 1.0; first > 0 && ratio > negligible; first-- {
		ratio *= float64(first) / float64(n-first+1) * (1 - p) / p
		downwards = append(downwards, ratio)
	}
	for _, ratio := range slices.Backward(downwards) {
		ratios = append(ratios, ratio)
	}
	ratio := 1.0
	for count := mode; count < n && ratio > negligible; count++ {
		ratio *= float64(n-count) / float64(count+1) * p / (1 - p)
		ratios = append(ratios, ratio)
	}
	return first, ratios
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

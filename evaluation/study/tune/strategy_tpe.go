package tune

import (
	"math/rand/v2"
	"slices"

	"sml/internal/portable"
)

// Sizes of the tree of Parzen estimators.
const (
	startTrials    = 10 // trials drawn independently at the start
	trialsPerRound = 5  // trials of each later round, a fixed number: results must not depend on the cores
	candidateCount = 24 // draws for each value, of which the best is taken
	maxGoodTrials  = 25 // largest number of trials that count as good
)

// parzenEstimators draws values that are more frequent among the best tenth of the trials, the good trials, than
// among the others. It chooses the value of each dimension separately: it draws candidates from the density of
// the good trials' values, and takes the candidate with the largest ratio of that density to the density of the
// other trials' values.
//
// The density of a number is a [mixture]. The probability of a choice is its relative frequency, counted once
// more than it was seen. The strategy is written here because the only Go library for it draws other values at
// every run, even with the same seed.
var parzenEstimators = Strategy{
	Name:        "tpe",
	Summary:     "10 independent trials, then 5 at a time where good trials are dense",
	Source:      "Bergstra et al. 2011, tree of Parzen estimators",
	Next:        nextByDensity,
	TotalEpochs: epochsOfWholeTrainings,
}

// nextByDensity returns the runs of the next round: independent draws at first, then values that are frequent
// among the good trials.
func nextByDensity(h *History) []Run {
	remaining := h.TrialCount - len(h.Trials)
	if len(h.Trials) < startTrials {
		return h.drawRuns(min(remaining, startTrials-len(h.Trials)), h.Epochs)
	}
	sorted := sortByLoss(h.Trials)
	tenth := (len(sorted) + 9) / 10 // rounded up
	goodCount := min(tenth, maxGoodTrials)
	good, others := sorted[:goodCount], sorted[goodCount:]
	var runs []Run
	for i := range min(remaining, trialsPerRound) {
		number := len(h.Trials) + i + 1
		values := make([]string, len(h.Space))
		for dimension, d := range h.Space {
			r := d.generator(h.Seed, number)
			values[dimension] = d.propose(r, dimensionValues(good, dimension), dimensionValues(others, dimension))
		}
		runs = append(runs, Run{Trial: number, Values: values, Epochs: h.Epochs})
	}
	return runs
}

// dimensionValues returns the values of the trials in the dimension with the given index. It leaves out trials to
// which the setting does not apply.
func dimensionValues(trials []Trial, dimension int) []string {
	var values []string
	for _, t := range trials {
		if v := t.Values[dimension]; v != "" {
			values = append(values, v)
		}
	}
	return values
}

// propose draws candidates that are likely among the good values, and returns the candidate with the largest
// ratio of its density among the good values to its density among the other values.
func (d Dimension) propose(r *rand.Rand, good, others []string) string {
	if d.Choices != nil {
		return d.proposeChoice(r, good, others)
	}
	return d.proposeNumber(r, good, others)
}

// proposeNumber is propose for a dimension with a range.
func (d Dimension) proposeNumber(r *rand.Rand, good, others []string) string {
	goodDensity := newMixture(d.fractions(good))
	otherDensity := newMixture(d.fractions(others))
	best, bestRatio := 0.0, -1.0
	for range candidateCount {
		x := goodDensity.draw(r)
		if ratio := goodDensity.density(x) / otherDensity.density(x); ratio > bestRatio {
			best, bestRatio = x, ratio
		}
	}
	return d.valueAt(best)
}

// proposeChoice is propose for a dimension with choices.
func (d Dimension) proposeChoice(r *rand.Rand, good, others []string) string {
	goodFrequencies := d.frequencies(good)
	otherFrequencies := d.frequencies(others)
	best, bestRatio := 0, -1.0
	for range candidateCount {
		i := drawIndex(r, goodFrequencies)
		if ratio := goodFrequencies[i] / otherFrequencies[i]; ratio > bestRatio {
			best, bestRatio = i, ratio
		}
	}
	return d.Choices[best]
}

// frequencies returns the relative frequency of each choice among the values, each choice counted once more than
// it was seen.
func (d Dimension) frequencies(values []string) []float64 {
	total := float64(len(values) + len(d.Choices))
	frequencies := make([]float64, len(d.Choices))
	for i := range frequencies {
		frequencies[i] = 1 / total
	}
	for _, v := range values {
		frequencies[slices.Index(d.Choices, v)] += 1 / total
	}
	return frequencies
}

// drawIndex draws an index with the given probabilities, which sum to 1 up to rounding.
func drawIndex(r *rand.Rand, probabilities []float64) int {
	u := r.Float64()
	for i, p := range probabilities {
		u -= p
		if u < 0 {
			return i
		}
	}
	return len(probabilities) - 1
}

// mixture is a probability density on the interval from 0 to 1: the mean of truncated normal densities.
type mixture []truncatedNormal

// truncatedNormal is a normal distribution with the values outside the interval from 0 to 1 cut off.
type truncatedNormal struct {
	mean, std float64 // of the normal distribution before truncation
	below     float64 // its probability below 0
	inside    float64 // its probability between 0 and 1
}

// newTruncatedNormal returns the truncation of a normal distribution.
func newTruncatedNormal(mean, std float64) truncatedNormal {
	below := portable.NormalCDF(-mean / std)
	return truncatedNormal{
		mean:   mean,
		std:    std,
		below:  below,
		inside: portable.NormalCDF((1-mean)/std) - below,
	}
}

// newMixture returns a density around the given numbers from 0 to 1, a Parzen estimate: one component at each
// number, as wide as the larger distance to its neighbours, and one component at 0.5 that is as wide as the
// interval, so that no number is impossible. Like a number, the wide component is a neighbour of others.
func newMixture(numbers []float64) mixture {
	const wideMean, wideStd = 0.5, 1
	means := append([]float64{wideMean}, numbers...)
	slices.Sort(means)
	wideIndex := slices.Index(means, wideMean)
	var m mixture
	for i, mean := range means {
		std := componentStd(means, i)
		if i == wideIndex {
			std = wideStd
		}
		m = append(m, newTruncatedNormal(mean, std))
	}
	return m
}

// componentStd returns the standard deviation of the component at the mean with the given index: the larger distance to
// its neighbours, or to the ends 0 and 1. The means are ascending. A minimum keeps equal means from making a spike. It
// falls with the number of means, as in Bergstra's implementation, hyperopt.
func componentStd(means []float64, index int) float64 {
	const leastMinimum = 0.01
	minStd := max(1/float64(1+len(means)), leastMinimum)
	left := 0.0
	if index > 0 {
		left = means[index-1]
	}
	right := 1.0
	if index < len(means)-1 {
		right = means[index+1]
	}
	mean := means[index]
	return max(mean-left, right-mean, minStd)
}

// draw draws a number from the density: it chooses a component and inverts its distribution function. Products
// are rounded before a number is added, float64(x*y) + z, since compilers for some CPUs would fuse the two.
func (m mixture) draw(r *rand.Rand) float64 {
	component := m[portable.UintN(r, uint64(len(m)))]
	probability := component.below + float64(r.Float64()*component.inside)
	z := portable.NormalQuantile(probability)
	x := component.mean + float64(component.std*z)
	return min(max(x, 0), 1)
}

// density returns the probability density at x.
func (m mixture) density(x float64) float64 {
	sum := 0.0
	for _, c := range m {
		z := (x - c.mean) / c.std
		sum += portable.NormalPDF(z) / float64(c.std*c.inside)
	}
	return sum / float64(len(m))
}

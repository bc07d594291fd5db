package tune

import (
	"math/rand/v2"
	"slices"

	"sml/internal/portable"
)

// Sizes of the tree of Parzen estimators.
const (
	startTrials   = 10 // trials drawn independently at the start
	trialsPerStep = 5  // trials of each later round: a number that does not depend on the cores
	candidates    = 24 // draws for each value; the best is taken
	maxGood       = 25 // trials that count as good, at most
)

// parzenEstimators draws values with a higher density among the best tenth of the trials, the good
// trials, than among the others. It chooses the value of each dimension separately: it draws
// candidates from the density of the good trials' values, and takes the candidate with the
// largest ratio of that density to the density of the others' values.
//
// The density of a number is a mean of normal distributions, truncated to the range: one
// around each value, as wide as the distance to its neighbours, and one as wide as the range.
// The probability of a choice is its frequency, counted once more than it was seen. The
// strategy is written here because the only library for Go draws other values at every run, even
// with the same seed.
var parzenEstimators = Strategy{
	Name:    "tpe",
	Summary: "10 trials drawn by themselves, then 5 at a time where good ones are dense",
	Source:  "Bergstra et al. 2011, tree of Parzen estimators",
	Next:    nextByDensity,
	Work:    wholeTrainings,
}

// nextByDensity returns the runs of the next round of parzenEstimators.
func nextByDensity(h *History) []Run {
	left := h.Trials - len(h.Done)
	if len(h.Done) < startTrials {
		return h.drawRuns(min(left, startTrials-len(h.Done)), h.Epochs)
	}
	sorted := sortByLoss(h.Done)
	good := min((len(sorted)+9)/10, maxGood)
	var runs []Run
	for i := range min(left, trialsPerStep) {
		number := len(h.Done) + i + 1
		values := make([]string, len(h.Space))
		for j, d := range h.Space {
			r := d.generator(h.Seed, number)
			values[j] = d.propose(r, valuesOf(sorted[:good], j), valuesOf(sorted[good:], j))
		}
		runs = append(runs, Run{Trial: number, Values: values, Epochs: h.Epochs})
	}
	return runs
}

// valuesOf returns the values of trials in one dimension. It leaves out trials without a value.
func valuesOf(trials []Trial, dimension int) []string {
	var list []string
	for _, t := range trials {
		if v := t.Values[dimension]; v != "" {
			list = append(list, v)
		}
	}
	return list
}

// propose draws a value likely among the good values and unlikely among the others.
func (d Dimension) propose(r *rand.Rand, good, others []string) string {
	if d.Choices != nil {
		return d.proposeChoice(r, good, others)
	}
	goodDensity, otherDensity := d.density(good), d.density(others)
	best, highest := 0.0, -1.0
	for range candidates {
		x := goodDensity.draw(r)
		if ratio := goodDensity.densityAt(x) / otherDensity.densityAt(x); ratio > highest {
			best, highest = x, ratio
		}
	}
	return d.valueAt(best)
}

// proposeChoice is propose for a dimension with choices.
func (d Dimension) proposeChoice(r *rand.Rand, good, others []string) string {
	goodFrequencies, otherFrequencies := d.frequencies(good), d.frequencies(others)
	best, highest := 0, -1.0
	for range candidates {
		i := drawIndex(r, goodFrequencies)
		if ratio := goodFrequencies[i] / otherFrequencies[i]; ratio > highest {
			best, highest = i, ratio
		}
	}
	return d.Choices[best]
}

// frequencies returns the relative frequencies of the choices, each counted once more than it
// was seen.
func (d Dimension) frequencies(values []string) []float64 {
	total := float64(len(values) + len(d.Choices))
	list := make([]float64, len(d.Choices))
	for i := range list {
		list[i] = 1 / total
	}
	for _, v := range values {
		list[d.choiceIndex(v)] += 1 / total
	}
	return list
}

// drawIndex draws an index with the probabilities given by index.
func drawIndex(r *rand.Rand, probabilities []float64) int {
	u := r.Float64()
	for i, p := range probabilities {
		if u -= p; u < 0 {
			return i
		}
	}
	return len(probabilities) - 1
}

// mixture is a density on the interval from 0 to 1: the mean of truncated normal densities.
type mixture []truncatedNormal

type truncatedNormal struct {
	mean, std float64
	below     float64 // probability below 0 before truncation
	within    float64 // probability between 0 and 1 before truncation
}

// density returns the density around values of earlier trials, as fractions of the range.
func (d Dimension) density(values []string) mixture {
	const middle = 0.5
	means := []float64{middle} // the mean of the component as wide as the range
	for _, v := range values {
		means = append(means, d.fraction(v))
	}
	slices.Sort(means)
	prior := slices.Index(means, middle)
	narrowest := 1 / float64(min(100, 1+len(means)))
	var m mixture
	for i, mean := range means {
		left, right := 0.0, 1.0
		if i > 0 {
			left = means[i-1]
		}
		if i < len(means)-1 {
			right = means[i+1]
		}
		n := truncatedNormal{mean: mean, std: max(mean-left, right-mean, narrowest)}
		if i == prior {
			n.std = 1
		}
		n.below = portable.NormalCDF(-mean / n.std)
		n.within = portable.NormalCDF((1-mean)/n.std) - n.below
		m = append(m, n)
	}
	return m
}

// draw draws from the density. Products are rounded before they are added to, float64(x*y) + z,
// since compilers for some CPUs would fuse the two.
func (m mixture) draw(r *rand.Rand) float64 {
	n := m[portable.Below(r, uint64(len(m)))]
	z := portable.NormalQuantile(n.below + float64(r.Float64()*n.within))
	return min(max(n.mean+float64(n.std*z), 0), 1)
}

// densityAt returns the density at x.
func (m mixture) densityAt(x float64) float64 {
	sum := 0.0
	for _, n := range m {
		sum += portable.NormalPDF((x-n.mean)/n.std) / float64(n.std*n.within)
	}
	return sum / float64(len(m))
}

package measure

import (
	"math"
	"slices"

	"sml/data"
)

var ece = Measure{
	Name: "ece", Title: "ECE",
	Summary:    "expected calibration error: how unevenly the Φ(r) lie",
	Formula:    "Σ over 20 equal bins of [0, 1]: |fraction of Φ(r) in the bin − 1/20|",
	Convention: "from 0 to 1.9; the paper protocol rounds Φ(r) to two decimals",
	Source:     "Sicking et al., second-moment loss, appendix \"Evaluation measures\", and its notebook",
	Unit:       None, Needs: []Part{CDF},
	Compute: func(c *Column) float64 { return calibrationError(c.PIT(), c.sortedPITWeights(), c.Protocol) },
}

// eceBins is the number of equal bins of [0, 1] in the ECE.
const eceBins = 20

// calibrationError returns Σ |fraction of q in bin j − 1/bins|, from 0 to 2·(1 − 1/bins), which it
// is with all q in one bin. Weights may be nil.
//
// The paper protocol repeats the paper's notebook: it rounds q to two decimals, half to even, as
// numpy.round does, and shifts the edges of the bins off the decimals, except for 0.5. Evenly
// spread q then score 0.02; with edges on the decimals they would score 0.12.
func calibrationError(q, weights []float64, protocol data.Protocol) float64 {
	low, high := 0.0, 1.0
	if protocol == data.Paper {
		q = roundHundredths(q)
		low, high = -0.0001, 1.0001
	}
	total := float64(len(q))
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	var sum float64
	for _, count := range binCounts(q, weights, low, high) {
		sum += math.Abs(count/total - 1.0/eceBins)
	}
	return sum
}

// roundHundredths returns the values rounded to two decimals, half to even.
func roundHundredths(values []float64) []float64 {
	rounded := make([]float64, len(values))
	for i, v := range values {
		rounded[i] = math.RoundToEven(v*100) / 100
	}
	return rounded
}

// binCounts returns the total weight of the values in each bin edge(j) ≤ v < edge(j+1) of equal
// width from low to high; the last bin includes high. Without weights each value counts 1. Every
// value must be from low to high. The edges have the bits of numpy.linspace, as numpy.histogram
// uses them.
func binCounts(values, weights []float64, low, high float64) [eceBins]float64 {
	var edges [eceBins]float64 // lower edges
	width := (high - low) / eceBins
	for j := range edges {
		edges[j] = float64(float64(j)*width) + low
	}
	var counts [eceBins]float64
	for i, v := range values {
		j, onEdge := slices.BinarySearch(edges[:], v)
		if !onEdge {
			j--
		}
		counts[j] += weighted(weights, i, 1)
	}
	return counts
}

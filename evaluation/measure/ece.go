package measure

import (
	"math"
	"slices"

	"sml/data"
)

var ece = Measure{
	Name:       "ece",
	Title:      "ECE",
	Summary:    "expected calibration error: how far the distribution of Φ(r) is from uniform",
	Formula:    "Σ over 20 equal bins of [0, 1]: |fraction of Φ(r) in the bin − 1/20|",
	Convention: "from 0 to 1.9. The paper protocol rounds Φ(r) to two decimals and uses bins from −0.0001 to 1.0001, as the authors' notebook does; uniform Φ(r) then score 0.02",
	Source:     "Sicking et al., second-moment loss, appendix \"Evaluation measures\", and its notebook",
	Unit:       None,
	Needs:      []Part{CDF},
	Compute:    func(c *Column) float64 { return calibrationError(c.PIT(), c.sortedPITWeights(), c.Protocol) },
}

// eceBins is the number of equal bins of [0, 1] in the ECE.
const eceBins = 20

// calibrationError returns Σ |fraction of pit in a bin − 1/bins| over all bins. It is from 0, for a
// uniform distribution, to 2·(1 − 1/bins), for a single occupied bin. Weights may be nil.
//
// The paper protocol repeats the paper's notebook: it rounds pit to two decimals, half to even, as
// numpy.round does, and moves the edges of the bins off the decimals, except for 0.5. A uniform
// distribution then scores 0.02; with edges on the decimals it would score 0.12.
func calibrationError(pit, weights []float64, protocol data.Protocol) float64 {
	low := 0.0
	high := 1.0
	if protocol == data.Paper {
		pit = roundHundredths(pit)
		low = -0.0001
		high = 1.0001
	}
	totalWeight := 0.0
	for i := range pit {
		totalWeight += weighted(weights, i, 1)
	}
	var sum float64
	for _, count := range binCounts(pit, weights, low, high) {
		sum += math.Abs(count/totalWeight - 1.0/eceBins)
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

// binCounts divides the range from low to high into bins of equal width, and returns the total weight of
// the values in each. A bin includes its lower edge, and the last one includes high, too. Nil weights
// count each value as 1. Every value must be from low to high. The edges have the same bits as in
// numpy.histogram, which uses numpy.linspace.
func binCounts(values, weights []float64, low, high float64) [eceBins]float64 {
	var lowerEdges [eceBins]float64
	width := (high - low) / eceBins
	for bin := range lowerEdges {
		lowerEdges[bin] = float64(float64(bin)*width) + low
	}
	var counts [eceBins]float64
	for i, value := range values {
		bin, isEdge := slices.BinarySearch(lowerEdges[:], value) // the first edge at or above value
		if !isEdge {
			bin--
		}
		counts[bin] += weighted(weights, i, 1)
	}
	return counts
}

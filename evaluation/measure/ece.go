package measure

import (
	"math"
	"slices"

	"sml/data"
)

var ece = Measure{
	Name: "ece", Title: "ECE",
	Summary: "expected calibration error: how unevenly the Φ(r) lie",
	Formula: "Σ over 20 equal bins of [0, 1] of |share of Φ(r) in the bin − 1/20|",
	Convention: "from 0 to 1.9. The paper protocol rounds Φ(r) to two decimals first and bins by 21 edges from −0.0001 to 1.0001, as the authors' notebook does: " +
		"an honest prediction then scores 0.02. The sound protocol does neither",
	Source: "Sicking et al., second-moment loss, appendix \"Evaluation measures\", and its notebook",
	Unit:   None, Needs: []Part{CDF},
	Of: func(c *Column) float64 { return calibrationError(c.PIT(), c.pitWeightList(), c.Protocol) },
}

// bins is the number of equal parts of quantile space in the ECE.
const eceBins = 20

// calibrationError is Σ |share of q in bin j − 1/bins|: from 0 to 2·(1 − 1/bins), with
// all in one bin. The notebook rounds half to even, as numpy.round does, and its
// edges are between the decimals but for 0.5: evenly spread quantiles score 0.02,
// and would score 0.12 with edges on the decimals. Without weights all count 1.
func calibrationError(q, weights []float64, protocol data.Protocol) float64 {
	low, high := 0.0, 1.0
	if protocol == data.Paper {
		q, low, high = rounded(q), -0.0001, 1.0001
	}
	of := float64(len(q))
	if weights != nil {
		of = 0
		for _, w := range weights {
			of += w
		}
	}
	var sum float64
	for _, count := range binCounts(q, weights, low, high) {
		sum += math.Abs(count/of - 1.0/eceBins)
	}
	return sum
}

func rounded(q []float64) []float64 {
	r := make([]float64, len(q))
	for i := range q {
		r[i] = math.RoundToEven(q[i]*100) / 100
	}
	return r
}

// binCounts counts the quantiles, by their weights if there are any, in the bins edge(j) ≤ q < edge(j+1) of equal
// width from low to high, as numpy.histogram with numpy.linspace does, to the last
// bit of an edge; the last bin holds q = high too. Every q is from low to high.
func binCounts(q, weights []float64, low, high float64) [eceBins]float64 {
	var edges [eceBins]float64
	width := (high - low) / eceBins
	for j := range edges {
		edges[j] = float64(float64(j)*width) + low
	}
	var counts [eceBins]float64
	for i, v := range q {
		j, onEdge := slices.BinarySearch(edges[:], v)
		if !onEdge {
			j--
		}
		counts[j] += weighted(weights, i, 1)
	}
	return counts
}

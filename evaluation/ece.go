package evaluation

import (
	"math"
	"slices"

	"sml/data"
)

// bins is the number of equal parts of quantile space in the ECE.
const bins = 20

// ece is Σ |share of q in bin j − 1/bins|: 0 if the quantiles are spread
// evenly over [0, 1], and 2·(1 − 1/bins) at worst, with all of them in one
// bin. In paper mode the quantiles are first rounded to two decimals, half to
// even, as the notebook's numpy.round does.
func ece(q []float64, mode data.Mode) float64 {
	if mode == data.Paper {
		q = rounded(q)
	}
	var sum float64
	for _, count := range histogram(q) {
		sum += math.Abs(float64(count)/float64(len(q)) - 1.0/bins)
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

// histogram counts the quantiles in the bins edge(j) ≤ q < edge(j+1); the last
// bin holds q = 1 too. Every q must be in [0, 1].
//
// The edges are j·0.05 as floating point has it, which is what numpy.linspace
// gives. Rounded quantiles lie on edges, so the last bit decides: 3·0.05 is a
// little more than 0.15, and a quantile of 0.15 falls below its edge.
func histogram(q []float64) [bins]int {
	var edges [bins]float64
	for j := range edges {
		edges[j] = float64(j) * (1.0 / bins)
	}
	var counts [bins]int
	for _, v := range q {
		j, onEdge := slices.BinarySearch(edges[:], v)
		if !onEdge {
			j--
		}
		counts[j]++
	}
	return counts
}

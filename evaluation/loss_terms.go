package evaluation

import (
	"fmt"
	"math"
	"slices"
)

// LossTerms counts the two quantities that the second-moment loss compares, over all rows and
// sub-networks: the residual a and the distance b of the paper's appendix A.3. It has counts
// instead of the pairs, since there are 200 pairs for each row.
type LossTerms struct {
	Rows       int       `json:"rows"`       // number of rows
	Samples    int       `json:"draws"`      // number of sub-networks
	A          Histogram `json:"a"`          // f − y of each row: the full network's output minus the target
	B          Histogram `json:"b"`          // f~ − f of each row and sub-network: its output minus the full network's
	Difference Histogram `json:"difference"` // |b| − |a| of each row and sub-network

	// Pairs counts the pairs (b, a) between the limits of B and A in 256 by 256 bins:
	// Pairs[i][j] has a in bin i and b in bin j, both ascending.
	Pairs        [][]int `json:"pairs"`
	PairsOutside int     `json:"pairs_beyond"` // pairs outside the limits of B or of A
}

const (
	pairBins       = 256   // number of bins of either axis of LossTerms.Pairs
	limitsFraction = 0.995 // fraction of the values within the limits of a histogram
)

// CountLossTerms returns histograms of residuals and of distances, and the counts of their pairs.
// residuals has f − y for each row: the full network's output f minus the target. distances has, for each
// sub-network, f~ − f for each row: the sub-network's output minus the full network's. CountLossTerms
// returns an error if there are no rows or no sub-networks, or if a sub-network has not one distance for
// each row.
func CountLossTerms(residuals []float64, distances [][]float32) (LossTerms, error) {
	t := LossTerms{Rows: len(residuals), Samples: len(distances)}
	if len(residuals) == 0 || len(distances) == 0 {
		return t, fmt.Errorf("loss terms have %d rows and %d sub-networks; want at least one of each", len(residuals), len(distances))
	}
	for k, rowDistances := range distances {
		if len(rowDistances) != len(residuals) {
			return t, fmt.Errorf("sub-network %d has %d distances; want one for each of %d residuals", k, len(rowDistances), len(residuals))
		}
	}
	t.chooseLimits(residuals, distances) // before any value is counted: the limits depend on all values
	t.Pairs = make([][]int, pairBins)
	for i := range t.Pairs {
		t.Pairs[i] = make([]int, pairBins)
	}
	for _, residual := range residuals {
		t.A.add(residual)
	}
	for _, rowDistances := range distances {
		for row, distance := range rowDistances {
			t.addPair(residuals[row], float64(distance))
		}
	}
	return t, nil
}

// chooseLimits sets t.A, t.B and t.Difference to empty histograms whose limits contain 99.5 % of the
// values.
func (t *LossTerms) chooseLimits(residuals []float64, distances [][]float32) {
	values := make([]float64, 0, len(residuals)*len(distances))
	for _, rowDistances := range distances {
		for _, distance := range rowDistances {
			values = append(values, float64(distance))
		}
	}
	t.B = histogramFor(values)
	values = values[:0] // the memory is reused: there are 200 values for each row
	for _, rowDistances := range distances {
		for row, distance := range rowDistances {
			values = append(values, math.Abs(float64(distance))-math.Abs(residuals[row]))
		}
	}
	t.Difference = histogramFor(values)
	t.A = histogramFor(slices.Clone(residuals)) // histogramFor reorders its argument
}

// addPair counts the distance of a sub-network and its pair with the residual of the row.
func (t *LossTerms) addPair(residual, distance float64) {
	t.B.add(distance)
	t.Difference.add(math.Abs(distance) - math.Abs(residual))
	column, inB := t.B.bin(distance, pairBins)
	row, inA := t.A.bin(residual, pairBins)
	if inA && inB {
		t.Pairs[row][column]++
	} else {
		t.PairsOutside++
	}
}

// histogramFor returns an empty histogram with limits and bins for the values, which it reorders.
// The number of bins follows Rice's rule, 2·∛n, from 8 to 60.
func histogramFor(values []float64) Histogram {
	const (
		minBins = 8
		maxBins = 60
	)
	bins := minBins
	for bins < maxBins && (bins+1)*(bins+1)*(bins+1) <= 8*len(values) { // bins+1 ≤ 2·∛n, in whole numbers
		bins++
	}
	low, high := limitsInPlace(values, limitsFraction)
	return newHistogram(low, high, bins)
}

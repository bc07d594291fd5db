package summary

import (
	"cmp"
	"math"
	"slices"
)

// rank returns the ranks of the values in ascending order, from 0. Equal values share their mean
// rank; the rank of NaN is NaN.
func rank(values []float64) []float64 {
	var order []int // indexes of the values that are not NaN, by ascending value
	ranks := make([]float64, len(values))
	for i, v := range values {
		ranks[i] = math.NaN()
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	for first := 0; first < len(order); {
		end := first + 1 // of the ranks whose values are equal to the value at first
		for end < len(order) && values[order[end]] == values[order[first]] {
			end++
		}
		meanRank := float64(first+end-1) / 2 // of the ranks first, …, end−1
		for _, i := range order[first:end] {
			ranks[i] = meanRank
		}
		first = end
	}
	return ranks
}

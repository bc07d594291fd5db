package distribution

import (
	"slices"

	"sml/graph"
)

// sortNodes returns nodes of one shape in ascending order, element by element.
func sortNodes(b *graph.Builder, nodes []*graph.Node) []*graph.Node {
	sorted := slices.Clone(nodes)
	for _, c := range sortingNetwork(len(nodes)) {
		low, high := sorted[c.low], sorted[c.high]
		sorted[c.low] = b.Min(low, high)
		sorted[c.high] = b.Max(low, high)
	}
	return sorted
}

// comparator is a step of a sorting network: it compares the numbers at two indices of a list, and
// puts the smaller at index low and the larger at index high.
type comparator struct{ low, high int }

// sortingNetwork returns comparators that sort every list of n numbers, whatever the numbers are.
// Unlike other sorting algorithms it takes the same steps for all lists, so that a graph can
// contain them. The algorithm is Batcher's odd-even merge sort, with about n (log₂ n)²/4 comparators.
// Source: Knuth 1998, section 5.2.2, algorithm M.
func sortingNetwork(n int) []comparator {
	var network []comparator
	for runLength := 1; runLength < n; runLength *= 2 {
		// Merge neighbouring sorted runs in pairs.
		for distance := runLength; distance > 0; distance /= 2 {
			network = appendMergeStep(network, n, runLength, distance)
		}
	}
	return network
}

// appendMergeStep appends the comparators of one step of merging pairs of sorted runs of a length.
// They compare numbers at the given distance if both are in one pair of runs.
func appendMergeStep(network []comparator, n, runLength, distance int) []comparator {
	for start := distance % runLength; start+distance < n; start += 2 * distance {
		for low := start; low < min(start+distance, n-distance); low++ {
			high := low + distance
			pairOfLow := low / (2 * runLength)
			pairOfHigh := high / (2 * runLength)
			if pairOfLow == pairOfHigh {
				network = append(network, comparator{low, high})
			}
		}
	}
	return network
}

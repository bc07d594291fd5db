package report

import (
	"maps"
	"slices"
)

// Limits of exactFriedmanPValue: beyond them it would take seconds, and the formula is close.
const (
	maxExactMethods = 7         // 5040 orders of a data set's ranks
	maxExactSums    = 1_000_000 // rank sums that are computed
)

// rankSums has twice the sum of the ranks of each method, and 0 in the places of further methods. Doubled ranks are whole
// numbers also where equal scores share ranks.
type rankSums [maxExactMethods]int

// exactFriedmanPValue returns the p-value of the Friedman test, given the ranks by data set and method: the fraction of all
// orders of the ranks on each data set in which the squared rank sums of the methods add up to at least as much. It
// returns false if there are too many orders or methods, or fewer than two methods or data sets.
//
// It adds one data set after the other to the possible rank sums. All methods are alike under the hypothesis, so that rank
// sums which differ only in their order are counted together. Ranks are doubled: ties have half ranks. Source: the definition of the permutation test of Friedman
// (1937), The use of ranks to avoid the assumption of normality.
func exactFriedmanPValue(ranks [][]float64) (p float64, ok bool) {
	if len(ranks) < 2 || len(ranks[0]) < 2 || len(ranks[0]) > maxExactMethods {
		return 0, false
	}
	var observed rankSums
	fractions := map[rankSums]float64{{}: 1} // of the orders that lead to each ascending list of rank sums
	computed := 0
	for _, row := range ranks {
		var doubled []int
		for method, rank := range row {
			doubled = append(doubled, int(2*rank))
			observed[method] += int(2 * rank)
		}
		orders := ordersOf(doubled)
		computed += len(fractions) * len(orders)
		if computed > maxExactSums {
			return 0, false
		}
		fractions = addOrders(fractions, orders)
	}
	for _, sums := range sortSums(fractions) {
		if sums.squares() >= observed.squares() {
			p += fractions[sums]
		}
	}
	return min(p, 1), true
}

// addOrders returns the fractions of all orders by rank sums, after one more data set with the given orders of its ranks.
func addOrders(fractions map[rankSums]float64, orders [][]int) map[rankSums]float64 {
	next := make(map[rankSums]float64)
	for _, before := range sortSums(fractions) {
		fraction := fractions[before] / float64(len(orders))
		for _, order := range orders {
			sums := before
			for method, rank := range order {
				sums[method] += rank
			}
			slices.Sort(sums[:len(order)])
			next[sums] += fraction
		}
	}
	return next
}

// sortSums returns the rank sums in one order, so that sums over them have one rounding.
func sortSums(fractions map[rankSums]float64) []rankSums {
	return slices.SortedFunc(maps.Keys(fractions), func(a, b rankSums) int { return slices.Compare(a[:], b[:]) })
}

// squares returns the sum of the squares. The rank sums have a fixed total, so that it grows with Friedman's statistic.
func (s rankSums) squares() int {
	total := 0
	for _, v := range s {
		total += v * v
	}
	return total
}

// ordersOf returns all different orders of the numbers.
func ordersOf(numbers []int) [][]int {
	if len(numbers) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, first := range numbers {
		if slices.Contains(numbers[:i], first) { // an equal number gives the same orders
			continue
		}
		for _, rest := range ordersOf(slices.Delete(slices.Clone(numbers), i, i+1)) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

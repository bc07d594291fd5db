package report

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Limits of exactFriedmanPValue: beyond them it would take seconds, and the formula is close.
const (
	maxExactMethods = 7         // 5040 orders of a data set's ranks
	maxExactSums    = 1_000_000 // rank sums that are computed
)

// exactFriedmanPValue returns the p-value of the Friedman test, given the ranks by data set and method: the fraction of all
// orders of the ranks on each data set in which the squared rank sums of the methods add up to at least as much. It
// returns false if there are too many orders, or fewer than two methods or data sets.
//
// It adds one data set after the other to the possible rank sums. All methods are alike under the hypothesis, so rank sums
// are counted in ascending order, and few of them differ. Source: the definition of the permutation test of Friedman
// (1937), The use of ranks to avoid the assumption of normality.
func exactFriedmanPValue(ranks [][]float64) (p float64, ok bool) {
	if len(ranks) < 2 || len(ranks[0]) < 2 || len(ranks[0]) > maxExactMethods {
		return 0, false
	}
	observed := make(rankSums, len(ranks[0]))
	fractions := map[string]float64{observed.key(): 1} // of the orders that lead to each ascending list of rank sums
	computed := 0
	for _, row := range ranks {
		doubled := doubleRanks(row)
		observed = observed.plus(doubled)
		orders := doubled.orders()
		computed += len(fractions) * len(orders)
		if computed > maxExactSums {
			return 0, false
		}
		fractions = addOrders(fractions, orders)
	}
	for _, key := range slices.Sorted(maps.Keys(fractions)) {
		if parseRankSums(key).squares() >= observed.squares() {
			p += fractions[key]
		}
	}
	return min(p, 1), true
}

// doubleRanks returns twice the ranks, which are whole numbers also where equal scores share ranks.
func doubleRanks(ranks []float64) rankSums {
	doubled := make(rankSums, len(ranks))
	for method, rank := range ranks {
		doubled[method] = uint32(2 * rank)
	}
	return doubled
}

// addOrders returns the fractions of all orders by rank sums, after one more data set with the given orders of its ranks.
func addOrders(fractions map[string]float64, orders []rankSums) map[string]float64 {
	next := make(map[string]float64)
	for _, key := range slices.Sorted(maps.Keys(fractions)) { // sorted, so that sums have one order
		sums := parseRankSums(key)
		fraction := fractions[key] / float64(len(orders))
		for _, order := range orders {
			next[sums.plus(order).key()] += fraction
		}
	}
	return next
}

// rankSums has twice the sum of the ranks of each method.
type rankSums []uint32

// plus returns the sums of the elements of both lists.
func (s rankSums) plus(other rankSums) rankSums {
	sums := make(rankSums, len(s))
	for method := range s {
		sums[method] = s[method] + other[method]
	}
	return sums
}

// squares returns the sum of the squares. The rank sums have a fixed total, so that it grows with Friedman's statistic.
func (s rankSums) squares() uint64 {
	total := uint64(0)
	for _, v := range s {
		total += uint64(v) * uint64(v)
	}
	return total
}

// key returns the sums in ascending order as a text.
func (s rankSums) key() string {
	var text []byte
	for _, v := range slices.Sorted(slices.Values(s)) {
		text = binary.BigEndian.AppendUint32(text, v)
	}
	return string(text)
}

// parseRankSums returns the sums of a key.
func parseRankSums(key string) rankSums {
	const bytesPerSum = 4
	var sums rankSums
	for digits := range slices.Chunk([]byte(key), bytesPerSum) {
		sums = append(sums, binary.BigEndian.Uint32(digits))
	}
	return sums
}

// orders returns all different orders of the numbers.
func (s rankSums) orders() []rankSums {
	if len(s) == 0 {
		return []rankSums{nil}
	}
	var all []rankSums
	for i, first := range s {
		if slices.Contains(s[:i], first) { // an equal number gives the same orders
			continue
		}
		for _, rest := range slices.Delete(slices.Clone(s), i, i+1).orders() {
			all = append(all, append(rankSums{first}, rest...))
		}
	}
	return all
}

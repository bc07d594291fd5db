package calibrate

import (
	"errors"
	"math"
	"slices"
	"sort"

	"sml/internal/statistics"
)

// Ranked are numbers in ascending order: of many not all, but those that stand for
// others on the side of caution.
type OrderStatistics struct {
	Count  int       `json:"of"` // how many there were
	Values []float64 `json:"values"`
}

// mostRanked is how many are kept. Fewer than all of them move a rank by less than
// 1/4096 of the rows.
const maxKept = 4096

// rank sorts numbers, in place, and keeps some.
func newOrderStatistics(values []float64) OrderStatistics {
	slices.Sort(values)
	n := len(values)
	if n <= maxKept {
		return OrderStatistics{n, values}
	}
	kept := make([]float64, maxKept)
	for i := range kept {
		kept[i] = values[keptRank(i, n)-1]
	}
	return OrderStatistics{n, kept}
}

// rankOf is the rank, from 1, of the kept number i of n: both ends are kept.
func keptRank(i, n int) int {
	if n <= maxKept {
		return i + 1
	}
	return 1 + int((int64(i)*int64(n-1)+maxKept/2)/(maxKept-1))
}

// atLeast is the number of a rank, from 1, or the next above that was kept: +Inf for a
// rank beyond all.
func (r OrderStatistics) valueAtOrAbove(rank int) float64 {
	i := r.indexOfRank(rank)
	if i == len(r.Values) {
		return math.Inf(1)
	}
	return r.Values[i]
}

// atMost is the number of a rank, or the next below that was kept: −Inf for a rank of 0.
func (r OrderStatistics) valueAtOrBelow(rank int) float64 {
	i := r.indexOfRank(rank)
	if i == len(r.Values) || keptRank(i, r.Count) > rank {
		i--
	}
	if i < 0 {
		return math.Inf(-1)
	}
	return r.Values[i]
}

// place is that of the first kept number of a rank or above.
func (r OrderStatistics) indexOfRank(rank int) int {
	return sort.Search(len(r.Values), func(i int) bool { return keptRank(i, r.Count) >= rank })
}

// share is the share of numbers below v among one more than there were, from 0 to 1,
// in straight lines between the numbers that are kept. Beyond the ends it goes on to
// 0 and 1, so that of two numbers beyond, the further one is told.
func (r OrderStatistics) fractionBelow(v float64) float64 {
	n := len(r.Values)
	above, _ := slices.BinarySearch(r.Values, v)
	all := float64(r.Count + 1)
	switch {
	case above == 0:
		return 1 / all / (1 + r.Values[0] - v)
	case above == n:
		return 1 - 1/all/(1+v-r.Values[n-1])
	}
	low, high := r.Values[above-1], r.Values[above]
	from, to := float64(keptRank(above-1, r.Count)), float64(keptRank(above, r.Count))
	return (from + float64((v-low)/(high-low)*(to-from))) / all
}

// check returns what is wrong with numbers from a file.
func (r OrderStatistics) check() error {
	if len(r.Values) != min(r.Count, maxKept) || r.Count < 1 || r.Count > math.MaxInt32 {
		return errors.New("its numbers are not as many as it says")
	}
	for i, v := range r.Values {
		if !statistics.Finite(v) || i > 0 && v < r.Values[i-1] {
			return errors.New("its numbers are not in ascending order")
		}
	}
	return nil
}

// ceil and floor are those of a number that should be whole but for rounding.
func ceilTolerant(x float64) int { return int(math.Ceil(x - float64(1e-9*math.Max(1, x)))) }

func floorTolerant(x float64) int { return int(math.Floor(x + float64(1e-9*math.Max(1, x)))) }

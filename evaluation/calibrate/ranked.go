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
type Ranked struct {
	Of     int       `json:"of"` // how many there were
	Values []float64 `json:"values"`
}

// mostRanked is how many are kept. Fewer than all of them move a rank by less than
// 1/4096 of the rows.
const mostRanked = 4096

// rank sorts numbers, in place, and keeps some.
func rank(values []float64) Ranked {
	slices.Sort(values)
	n := len(values)
	if n <= mostRanked {
		return Ranked{n, values}
	}
	kept := make([]float64, mostRanked)
	for i := range kept {
		kept[i] = values[rankOf(i, n)-1]
	}
	return Ranked{n, kept}
}

// rankOf is the rank, from 1, of the kept number i of n: both ends are kept.
func rankOf(i, n int) int {
	if n <= mostRanked {
		return i + 1
	}
	return 1 + int((int64(i)*int64(n-1)+mostRanked/2)/(mostRanked-1))
}

// atLeast is the number of a rank, from 1, or the next above that was kept: +Inf for a
// rank beyond all.
func (r Ranked) atLeast(rank int) float64 {
	i := r.place(rank)
	if i == len(r.Values) {
		return math.Inf(1)
	}
	return r.Values[i]
}

// atMost is the number of a rank, or the next below that was kept: −Inf for a rank of 0.
func (r Ranked) atMost(rank int) float64 {
	i := r.place(rank)
	if i == len(r.Values) || rankOf(i, r.Of) > rank {
		i--
	}
	if i < 0 {
		return math.Inf(-1)
	}
	return r.Values[i]
}

// place is that of the first kept number of a rank or above.
func (r Ranked) place(rank int) int {
	return sort.Search(len(r.Values), func(i int) bool { return rankOf(i, r.Of) >= rank })
}

// share is the share of numbers below v among one more than there were, from 0 to 1,
// in straight lines between the numbers that are kept. Beyond the ends it goes on to
// 0 and 1, so that of two numbers beyond, the further one is told.
func (r Ranked) share(v float64) float64 {
	n := len(r.Values)
	above, _ := slices.BinarySearch(r.Values, v)
	all := float64(r.Of + 1)
	switch {
	case above == 0:
		return 1 / all / (1 + r.Values[0] - v)
	case above == n:
		return 1 - 1/all/(1+v-r.Values[n-1])
	}
	low, high := r.Values[above-1], r.Values[above]
	from, to := float64(rankOf(above-1, r.Of)), float64(rankOf(above, r.Of))
	return (from + float64((v-low)/(high-low)*(to-from))) / all
}

// check returns what is wrong with numbers from a file.
func (r Ranked) check() error {
	if len(r.Values) != min(r.Of, mostRanked) || r.Of < 1 || r.Of > math.MaxInt32 {
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
func ceil(x float64) int { return int(math.Ceil(x - float64(1e-9*math.Max(1, x)))) }

func floor(x float64) int { return int(math.Floor(x + float64(1e-9*math.Max(1, x)))) }

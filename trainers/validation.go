package trainers

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// holdOut takes a share of rows to validate with, at random: whole groups where there
// are such, or the latest.
func holdOut(rows data.Subset, numbers []int32, share float64, seed uint64) (validate, train []int32, err error) {
	held := int(math.Round(share * float64(len(numbers))))
	order := permute(seed, validationStream, len(numbers))
	for i, at := range order {
		order[i] = numbers[at]
	}
	switch {
	case rows.By == nil || share == 0:
	case rows.Latest:
		slices.SortStableFunc(order, func(a, b int32) int { return compare(rows.By[b], rows.By[a]) })
	default:
		held = wholeGroups(order, rows.By, held)
	}
	if share > 0 && (held == 0 || held == len(numbers)) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves none to validate with, or none to train on", share, len(numbers))
	}
	return order[:held], order[held:], nil
}

// wholeGroups puts rows of one group together, groups in the order of their first
// rows, and returns how many rows those groups have that hold so many at least.
func wholeGroups(order []int32, by []float64, held int) int {
	place := make(map[float64]int)
	var sizes []int
	for _, r := range order {
		if _, ok := place[by[r]]; !ok {
			place[by[r]] = len(sizes)
			sizes = append(sizes, 0)
		}
		sizes[place[by[r]]]++
	}
	slices.SortStableFunc(order, func(a, b int32) int { return place[by[a]] - place[by[b]] })
	n := 0
	for _, size := range sizes {
		if n >= held {
			break
		}
		n += size
	}
	return n
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

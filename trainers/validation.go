package trainers

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// holdOut takes a share of rows to validate with.
func holdOut(by data.Separation, numbers []int32, share float64, seed uint64) (validate, train []int32, err error) {
	order := permute(seed, validationStream, len(numbers))
	held := holdOutFirst(order, numbers, by, share)
	if share > 0 && (held == 0 || held == len(numbers)) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves none to validate with, or none to train on", share, len(numbers))
	}
	return order[:held], order[held:], nil
}

// HoldOutCalibration takes a fraction of the rows to calibrate on, in the same way as rows to validate with. Both
// lists are in ascending order.
func HoldOutCalibration(numbers []int32, by data.Separation, share float64, seed uint64) (held, rest []int32, err error) {
	order := permute(seed, calibrationStream, len(numbers))
	n := holdOutFirst(order, numbers, by, share)
	if n == 0 || n == len(numbers) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves none to calibrate on, or none to train on", share, len(numbers))
	}
	slices.Sort(order[:n])
	slices.Sort(order[n:])
	return order[:n], order[n:], nil
}

// holdOutFirst puts numbers into order, which is a permutation of their places, those that
// are a share of them first, and returns how many these are.
func holdOutFirst(order, numbers []int32, by data.Separation, share float64) int {
	held := int(math.Round(share * float64(len(numbers))))
	for i, at := range order {
		order[i] = numbers[at]
	}
	switch {
	case share == 0:
	case by.By == nil && by.Classes != nil:
		stratify(order, by.Classes, held)
	case by.By == nil:
	case by.Latest:
		slices.SortStableFunc(order, func(a, b int32) int { return compareNumbers(by.By[b], by.By[a]) })
	default:
		held = sortByGroup(order, by.By, held)
	}
	return held
}

// stratify moves rows to the front of the order, so that its first rows, as many as held,
// are the same fraction of every class, rounded up or down.
func stratify(order []int32, classes []float64, held int) {
	byClass := slices.Clone(order)
	slices.SortStableFunc(byClass, func(a, b int32) int { return compareNumbers(classes[a], classes[b]) })
	isHeld := make(map[int32]bool, held)
	for i, row := range byClass { // every (rows/held)th row
		isHeld[row] = (i+1)*held/len(order) > i*held/len(order)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch {
		case isHeld[a] == isHeld[b]:
			return 0
		case isHeld[a]:
			return -1
		}
		return 1
	})
}

// sortByGroup puts rows of one group together, groups in the order of their first
// rows, and returns how many rows those groups have that hold so many at least.
func sortByGroup(order []int32, by []float64, held int) int {
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

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

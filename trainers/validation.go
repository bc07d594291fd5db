package trainers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// holdOut divides rows, given by their indices, into validation rows, the given fraction of them, and
// training rows, both in random order. separation says how they are held out: see divide. It
// returns an error if a fraction above 0 leaves one of them empty.
func holdOut(separation data.Separation, indices []int32, fraction float64, seed uint64) (validation, training []int32, err error) {
	validation, training = divide(indices, separation, fraction, seed, validationStream)
	if fraction > 0 && (len(validation) == 0 || len(training) == 0) {
		return nil, nil, fmt.Errorf("a fraction of %v of %d rows leaves no row for validation, or none for training", fraction, len(indices))
	}
	return validation, training, nil
}

// holdOutParts divides rows, given by their indices, into the validation rows and the training rows of one
// member of an ensemble that cross-validates. The rows are divided into as many parts as there are members, and
// member i holds out the parts i and i+1, the last member the last part and the first. Every row is therefore
// held out by two members, which have different training rows, as any two members have: their predictions
// differ as much as the predictions of any two members. Rows of one group are in the same part, and each part has the
// same fraction of every class. With fewer groups than members, there are half as many parts or, if there are fewer
// groups still, a part for each group, and two members or more hold out the same part.
//
// Rows that are held out by their time are divided by holdOutLatest instead. holdOutParts returns an error if one of the
// two results is empty.
func holdOutParts(separation data.Separation, indices []int32, members, member int, seed uint64) (validation, training []int32, err error) {
	order := permute(seed, validationStream, len(indices))
	for i, position := range order {
		order[i] = indices[position]
	}
	parts := members
	second := (member + 1) % members // the other part that the member holds out
	if separation.Values != nil {
		_, groups := unitsOf(separation, indices)
		if groups < members {
			parts = min(members/2, groups)
			second = member % parts
		}
	}
	partOf := partsOfRows(separation, order, parts)
	for i, row := range order {
		if partOf[i] == member%parts || partOf[i] == second {
			validation = append(validation, row)
		} else {
			training = append(training, row)
		}
	}
	if len(validation) == 0 || len(training) == 0 {
		return nil, nil, fmt.Errorf("a cross-validation with %d members leaves no row for the validation of member %d, or none for its training", members, member+1)
	}
	return validation, training, nil
}

// holdOutLatest divides rows, given by their indices, into the latest, for validation, and the others. A member that
// follows others has no validation rows, and trains on all rows.
func holdOutLatest(separation data.Separation, indices []int32, followsOthers bool, seed uint64) (validation, training []int32, err error) {
	fraction := 0.0
	if !followsOthers {
		fraction = float64(LatestRows(len(indices))) / float64(len(indices))
	}
	return holdOut(separation, indices, fraction, seed)
}

// LatestRows returns the number of rows that the members of a cross-validation in the order of time hold out of n rows:
// a tenth, since the latest rows are most like the future, but enough of a small table to calibrate on.
func LatestRows(n int) int {
	const enough = 20
	return max((n+5)/10, min(enough, n/4))
}

// leaders returns the number of members of a cross-validation in the order of time that hold out the latest rows. The
// others follow them: they learn from all rows, for the mean number of epochs at which the leaders were best.
func leaders(members int) int { return (members + 1) / 2 }

// unitsOf returns the number of the unit that each row belongs to, in the order of the units' first rows: its group or,
// without groups, the row itself. It also returns the number of units.
func unitsOf(separation data.Separation, indices []int32) (unitOf []int, units int) {
	unitOf = make([]int, len(indices))
	numbers := make(map[float64]int) // of the groups so far
	for i, row := range indices {
		group := float64(i)
		if separation.Values != nil {
			group = separation.Values[row]
		}
		number, ok := numbers[group]
		if !ok {
			number = len(numbers)
			numbers[group] = number
		}
		unitOf[i] = number
	}
	return unitOf, len(numbers)
}

// partsOfRows returns the part of each row, from 0 to parts−1, of rows in a random order. It deals the rows, their
// groups or the rows of each class in turn.
func partsOfRows(separation data.Separation, order []int32, parts int) []int {
	partOf, _ := unitsOf(separation, order)
	if separation.Values == nil && separation.Classes != nil {
		dealt := make(map[float64]int) // number of rows of each class so far
		for i, row := range order {
			class := separation.Classes[row]
			partOf[i] = dealt[class]
			dealt[class]++
		}
	}
	for i := range partOf {
		partOf[i] %= parts
	}
	return partOf
}

// HoldOutCalibration divides rows, given by their indices, into calibration rows and the other rows,
// in the same way as validation rows are held out. Both results are in ascending order. It returns
// an error if one of them is empty.
func HoldOutCalibration(indices []int32, separation data.Separation, fraction float64, seed uint64) (calibration, others []int32, err error) {
	calibration, others = divide(indices, separation, fraction, seed, calibrationStream)
	if len(calibration) == 0 || len(others) == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d rows leaves no row for calibration, or none for training", fraction, len(indices))
	}
	slices.Sort(calibration)
	slices.Sort(others)
	return calibration, others, nil
}

// divide divides rows, given by their indices, into held-out rows, a fraction of them, and the others, both in a random
// order that follows from the seed and the stream. Held-out rows are, by the kind of separation, the latest rows, whole
// groups, the same fraction of each class, or random rows. Whole groups may be more rows than the fraction.
func divide(indices []int32, separation data.Separation, fraction float64, seed, stream uint64) (heldOut, others []int32) {
	count := int(math.Round(fraction * float64(len(indices))))
	order := permute(seed, stream, len(indices))
	for i, position := range order {
		order[i] = indices[position]
	}
	if fraction == 0 {
		return nil, order
	}
	values := separation.Values // time or group of each row of the table; nil if rows are independent
	switch {
	case values != nil && separation.ByLatest:
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(values[b], values[a]) })
	case values != nil:
		count = sortByGroup(order, values, count)
	case separation.Classes != nil:
		stratify(order, separation.Classes, count)
	}
	return order[:count], order[count:] // without a separation, the first rows of the random order
}

// stratify moves rows to the front, so that the first count rows hold the same fraction of every
// class, rounded up or down. classes has the class of each row of the table.
func stratify(order []int32, classes []float64, count int) {
	byClass := slices.Clone(order)
	slices.SortStableFunc(byClass, func(a, b int32) int { return cmp.Compare(classes[a], classes[b]) })
	isHeldOut := make(map[int32]bool, count)
	// Rows of a class are neighbours now. Row i is held out where i·count/rows, rounded down, goes up by
	// 1: that is count rows, at equal distances.
	rows := len(order)
	for i, row := range byClass {
		isHeldOut[row] = (i+1)*count/rows > i*count/rows
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch {
		case isHeldOut[a] == isHeldOut[b]:
			return 0
		case isHeldOut[a]:
			return -1
		}
		return 1
	})
}

// sortByGroup moves the rows of each group together, with the groups in the order of their first rows. It returns the number
// of rows to hold out: those of the first groups, until they are count rows or more, or one group is left. groups has the
// group of each row of the table.
func sortByGroup(order []int32, groups []float64, count int) int {
	rank := make(map[float64]int) // of each group
	var sizes []int               // by rank
	for _, row := range order {
		group := groups[row]
		if _, ok := rank[group]; !ok {
			rank[group] = len(sizes)
			sizes = append(sizes, 0)
		}
		sizes[rank[group]]++
	}
	slices.SortStableFunc(order, func(a, b int32) int { return rank[groups[a]] - rank[groups[b]] })
	total := 0
	for _, size := range sizes[:len(sizes)-1] {
		if total >= count {
			break
		}
		total += size
	}
	return total
}

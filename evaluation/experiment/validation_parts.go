package experiment

import (
	"cmp"
	"slices"

	"sml/evaluation/calibrate"
)

// calibrationParts returns the validation rows that calibrate an ensemble, divided by the members that hold them out. A
// row calibrates if two or more members hold it out, because the spread of the members is a part of their standard
// deviation. If the kind of calibration distinguishes folds, each part is a fold, and only the calibrate.MaxFolds largest
// parts are returned. Neither choice depends on a value of a row. validationRows holds the row numbers by member.
func calibrationParts(validationRows [][]int32, foldsMatter bool) []validationPart {
	parts := divideByMembers(validationRows)
	parts = slices.DeleteFunc(parts, func(p validationPart) bool { return len(p.members) < 2 })
	if !foldsMatter || len(parts) <= calibrate.MaxFolds {
		return parts
	}
	slices.SortStableFunc(parts, func(a, b validationPart) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	return parts[:calibrate.MaxFolds]
}

// validationPart holds rows that the same members of an ensemble hold out.
type validationPart struct {
	members []int // indices, ascending
	rows    []int // numbers, ascending
}

// haveEveryMember reports whether each member of an ensemble holds out the rows of some part.
func haveEveryMember(parts []validationPart, members int) bool {
	isPresent := make([]bool, members)
	for _, p := range parts {
		for _, member := range p.members {
			isPresent[member] = true
		}
	}
	return !slices.Contains(isPresent, false)
}

// divideByMembers divides all validation rows by the members that hold them out. validationRows holds the row
// numbers by member.
func divideByMembers(validationRows [][]int32) []validationPart {
	type extension struct{ part, member int }
	parts := []validationPart{{}}         // part 0 has the rows that no member holds out
	extensions := make(map[extension]int) // part that holds a part's members and one more
	partOf := make([]int, 1+lastRow(validationRows))
	for member, rows := range validationRows {
		for _, row := range rows {
			key := extension{partOf[row], member}
			extended, ok := extensions[key]
			if !ok {
				extended = len(parts)
				extensions[key] = extended
				members := append(slices.Clone(parts[key.part].members), member)
				parts = append(parts, validationPart{members: members})
			}
			partOf[row] = extended
		}
	}
	for row, part := range partOf {
		parts[part].rows = append(parts[part].rows, row)
	}
	return slices.DeleteFunc(parts, func(p validationPart) bool { return len(p.members) == 0 || len(p.rows) == 0 })
}

// lastRow returns the largest of the row numbers, which are ascending for each member.
func lastRow(validationRows [][]int32) int {
	last := 0
	for _, rows := range validationRows {
		last = max(last, int(rows[len(rows)-1]))
	}
	return last
}

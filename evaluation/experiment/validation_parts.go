package experiment

import "slices"

// calibrationParts returns the validation rows that calibrate an ensemble, divided by the members that hold them out. A
// row calibrates if two or more members hold it out, because the spread of the members is a part of their standard
// deviation. validationRows holds the row numbers by member.
func calibrationParts(validationRows [][]int32) []validationPart {
	parts := divideByMembers(validationRows)
	return slices.DeleteFunc(parts, func(p validationPart) bool { return len(p.members) < 2 })
}

// validationPart holds rows that the same members of an ensemble hold out.
type validationPart struct {
	members []int // indices, ascending
	rows    []int // numbers, ascending
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

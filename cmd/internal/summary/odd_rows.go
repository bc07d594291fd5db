package summary

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/internal/statistics"
)

// This file finds single rows that spoil a table. It looks at all rows, as a sample may lack them.

// findOddRows returns a row that holds the sums of all others, −1 if there is none, and what is suspicious about single
// rows.
func findOddRows(t *data.Table) (total int, found []Suspicion) {
	total, columns := findTotal(t)
	if total >= 0 {
		found = append(found, Suspicion{
			Kind:    Total,
			Columns: columns,
			Says:    fmt.Sprintf("row %d has the sums of all other rows", t.RowNumber(total)),
			Advice:  "delete it, as it is no measurement; what is said here leaves it out",
		})
	}
	for target, name := range t.Targets {
		if fieldOf(t, Target, target).Kind == data.Category {
			continue
		}
		s, isFound := describeFarTargets(t, target, total)
		if isFound {
			s.Kind = FarTarget
			s.Columns = []string{name}
			found = append(found, s)
		}
	}
	return total, found
}

// findTotal returns the row of totals, and the names of the columns with a total. In two or more columns of numbers, including
// a target, the row has the sum of the column's other values. It returns −1 if there is no such row.
func findTotal(t *data.Table) (row int, names []string) {
	const (
		minRows    = 5 // in fewer rows, sums are often chance
		minColumns = 2
	)
	if t.Rows() < minRows {
		return -1, nil
	}
	groups := t.Groups()
	inputs, targets := groups[0], groups[1]
	targetsByRow := make(map[int][]string) // names of the targets with their sum in a row
	for target, name := range t.Targets {
		row := rowOfSum(column(targets, target))
		if row >= 0 && fieldOf(t, Target, target).Kind == data.Number {
			targetsByRow[row] = append(targetsByRow[row], name)
		}
	}
	for _, row := range slices.Sorted(maps.Keys(targetsByRow)) {
		names := targetsByRow[row]
		for i, name := range t.Columns {
			if fieldOf(t, Input, i).Kind == data.Number && rowOfSum(column(inputs, i)) == row {
				names = append(names, name)
			}
		}
		if len(names) >= minColumns {
			return row, names
		}
	}
	return -1, nil
}

// rowOfSum returns the row whose value is the sum of all other values, −1 if there is none or the value is 0.
func rowOfSum(values []float64) int {
	const tolerance = 1e-9 // of the sum of magnitudes; sums of decimal numbers are inexact
	sum, magnitude := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			magnitude += math.Abs(v)
		}
	}
	return slices.IndexFunc(values, func(v float64) bool {
		return v != 0 && math.Abs(float64(2*v)-sum) <= tolerance*magnitude
	})
}

// describeFarTargets returns what is suspicious about a few values of a target that lie far from all others. The row total,
// if it is not negative, does not count.
func describeFarTargets(t *data.Table, target, total int) (s Suspicion, isFound bool) {
	const (
		maxFar  = 2  // rows; the same value in more may be a code
		minRows = 30 // in fewer rows, far values are often chance
	)
	values := column(t.Groups()[1], target)
	rows := slices.DeleteFunc(indices(len(values)), func(row int) bool { return row == total || math.IsNaN(values[row]) })
	if len(rows) < minRows {
		return Suspicion{}, false
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for far := 1; far <= maxFar; far++ {
		rest := len(rows) - far
		if areFar(pick(values, rows[rest:]), pick(values, rows[:rest])) {
			return farSuspicion(t, target, rows[rest:], rows[:rest]), true
		}
		if areFar(pick(values, rows[:far]), pick(values, rows[far:])) {
			return farSuspicion(t, target, rows[:far], rows[far:]), true
		}
	}
	return Suspicion{}, false
}

// areFar reports whether values lie much farther from the others than these from each other, all below or all above them.
// Both are ascending. It is false if the others are few, or have a long tail themselves.
func areFar(values, others []float64) bool {
	const (
		minDistinct = 10 // other values
		minWidths   = 10 // gap in widths of the other values
		maxSkewness = 4  // of the other values
	)
	low := others[0]
	high := others[len(others)-1]
	gap := max(low-values[len(values)-1], values[0]-high)
	if gap <= float64(minWidths*(high-low)) {
		return false
	}
	mean, std := meanStd(others)
	distinct := len(slices.Compact(slices.Clone(others)))
	return distinct >= minDistinct && math.Abs(statistics.Skewness(others, mean, std)) <= maxSkewness
}

// farSuspicion returns the suspicion about rows whose value of a target lies far from the values of all others. The numbers of
// the other rows ascend by their value.
func farSuspicion(t *data.Table, target int, rows, others []int) Suspicion {
	field := fieldOf(t, Target, target)
	values := column(t.Groups()[1], target)
	s := Suspicion{Advice: "a few such values spoil scales and scores; if they are mistakes, leave their rows out"}
	var places []string
	for _, row := range slices.Sorted(slices.Values(rows)) {
		value := field.Show(values[row])
		places = append(places, value+" in row "+strconv.Itoa(t.RowNumber(row)))
		flag := Flag{"na", t.Targets[target] + "=" + value} // a row without the target is left out
		if !slices.Contains(s.Flags, flag) {
			s.Flags = append(s.Flags, flag)
		}
	}
	low := values[others[0]]
	high := values[others[len(others)-1]]
	s.Says = fmt.Sprintf("%s, far from all other values, %.4g to %.4g", strings.Join(places, ", "), low, high)
	return s
}

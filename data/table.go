// Package data holds tables, registered data sets, toy data and the scaling of columns. Start
// with Table, and with Lookup for the registered data sets. The package does not read files,
// which package read does, and does not choose training and test rows, which package split does.
//
// Tables hold float64 values in row-major order. Rows are numbered from 0. The numbers of columns
// that users write are counted from 1.
package data

import (
	"math"
	"slices"

	"sml/internal/texts"
)

// Table is a set of rows, each with inputs and targets. All values are finite numbers, except that
// an input with a Field is NaN where it is missing, and so is one of several targets that are numbers where it is
// unknown. Each row has at least one target.
type Table struct {
	Name    string
	Columns []string  // names of the inputs
	Targets []string  // names of the targets; empty if the table has inputs alone
	X       []float64 // inputs, Rows × len(Columns), row-major
	Y       []float64 // targets, Rows × len(Targets), row-major

	Extras []string  // names of extra columns, which an objective may use
	E      []float64 // values of the extra columns, Rows × len(Extras), row-major
	Weight string    // name of the column of weights; "" if all rows count alike
	W      []float64 // weights, 0 or more and not all 0; nil if all rows count alike

	// TargetFields holds the fields of classes with labels; a target is then the index of its
	// label. It is nil for numbers and for classes without labels.
	TargetFields []Field

	Fields      []Field   // fields of the inputs; nil if all are numbers and none is missing
	SplitColumn string    // name of the column that rows are split by, which may be an input; "" if there is none
	SplitField  Field     // field of the split column
	SplitValues []float64 // values of the split column; its dates are instants in UTC if they have several offsets
	TestRows    int       // number of test rows from another file, the last rows of the table (see WithTest)

	Numbers []int // number of each row in its file, from 1 (see RowNumber); nil if the rows are numbered without gaps

	UnlabelledRows int // number of rows left out because they have no target, or lack a class
	BlankRows      int // number of rows left out because all their inputs are missing
	IncompleteRows int // number of rows left out because some of their inputs are missing (see Complete)
	DuplicateRows  int // number of rows left out because an earlier row has the same values (see WithoutDuplicates)
	WeightlessRows int // number of rows left out because their weight is 0 (see Weighted)

	// KeptTexts holds the texts of the columns that read.Options.Keep names, without blanks around
	// them. A number from a format without texts, such as Parquet, has the shortest text that
	// reads back as the same number.
	KeptTexts texts.Columns

	Remarks []string // remarks for the user about columns whose texts could be read otherwise
	Note    string   // note for the user if the file's first row is ambiguous: a header or values; else ""

	// Difference says how the table differs from its registered data set. It is "" if it does not
	// differ, or if this is not known.
	Difference string

	Layout     *Layout // layout of the file; nil for a generated table
	projection projection
}

// Rows returns the number of rows. It is 0 for a table without targets and inputs.
func (t *Table) Rows() int {
	switch {
	case len(t.Targets) > 0:
		return len(t.Y) / len(t.Targets)
	case len(t.Columns) > 0:
		return len(t.X) / len(t.Columns)
	}
	return 0
}

// RowNumber returns the number, from 1, that the row with index i has in its file: in the file of test
// rows, if WithTest appended the row. Rows that were left out have numbers, too.
func (t *Table) RowNumber(i int) int {
	ownRows := t.Rows() - t.TestRows
	switch {
	case t.Numbers != nil:
		return t.Numbers[i]
	case i >= ownRows:
		return i - ownRows + 1
	}
	return i + 1
}

// numbersOf returns the RowNumber of each of the given rows.
func (t *Table) numbersOf(rows []int) []int {
	numbers := make([]int, len(rows))
	for i, row := range rows {
		numbers[i] = t.RowNumber(row)
	}
	return numbers
}

// CountClasses returns the number of classes of a target whose values are classes: the number of
// its labels or, without labels, its largest value plus 1. With several targets it returns the
// largest number.
func (t *Table) CountClasses() int {
	count := 0
	if t.TargetFields != nil {
		for _, f := range t.TargetFields {
			count = max(count, len(f.Categories))
		}
		return count
	}
	for _, class := range t.Y {
		count = max(count, int(min(class, math.MaxInt32))+1) // a larger number, which is no class, would not fit into an int everywhere
	}
	return count
}

// TargetsOf returns the targets of the given rows in the given order. If rows is nil, it returns
// t.Y itself. It panics if a row does not exist.
func (t *Table) TargetsOf(rows []int) []float64 {
	if rows == nil {
		return t.Y
	}
	n := len(t.Targets)
	writer := make([]float64, 0, len(rows)*n)
	for _, r := range rows {
		writer = append(writer, t.Y[r*n:(r+1)*n]...)
	}
	return writer
}

// KnownTargets returns the rows, of the given ones in their order, in which a target is known. If rows is nil, it means
// all rows.
func (t *Table) KnownTargets(target int, rows []int) []int {
	return knownRows(t.Y, len(t.Targets), target, rows)
}

// knownRows returns the rows, of the given ones or of all if rows is nil, whose value in column j of a matrix is not NaN.
func knownRows(values []float64, columns, j int, rows []int) []int {
	if rows == nil {
		rows = indices[int](len(values) / columns)
	}
	known := make([]int, 0, len(rows))
	for _, row := range rows {
		if !math.IsNaN(values[row*columns+j]) {
			known = append(known, row)
		}
	}
	return known
}

// LacksTargets reports whether one of the given rows, nil for all, lacks a target.
func (t *Table) LacksTargets(rows []int) bool {
	return slices.ContainsFunc(t.TargetsOf(rows), math.IsNaN)
}

// WeightsOf returns the weights of the given rows in the given order, or nil if the table has no
// weights. If rows is nil, it returns t.W itself.
func (t *Table) WeightsOf(rows []int) []float64 {
	if rows == nil || t.W == nil {
		return t.W
	}
	writer := make([]float64, len(rows))
	for i, r := range rows {
		writer[i] = t.W[r]
	}
	return writer
}

// ExtrasOf returns the values of the extra columns in the given rows, by the name of the column. If rows is nil, it means
// all rows.
func (t *Table) ExtrasOf(rows []int) map[string][]float64 {
	if rows == nil {
		rows = indices[int](t.Rows())
	}
	n := len(t.Extras)
	columns := make(map[string][]float64, n)
	for j, name := range t.Extras {
		values := make([]float64, len(rows))
		for i, r := range rows {
			values[i] = t.E[r*n+j]
		}
		columns[name] = values
	}
	return columns
}

// Group is a group of columns of a table with the same purpose, such as the inputs.
type Group struct {
	Names  []string   // names of the columns; empty if the table has none of this purpose
	Values *[]float64 // the table's values of the columns, [rows, len(Names)], row-major
}

// Groups returns all columns of the table: inputs, targets, extra columns, the weight, and the column that rows are split
// by.
func (t *Table) Groups() [5]Group {
	inputs := Group{t.Columns, &t.X}
	targets := Group{t.Targets, &t.Y}
	extras := Group{t.Extras, &t.E}
	weight := Group{nil, &t.W}
	if t.Weight != "" {
		weight.Names = []string{t.Weight}
	}
	split := Group{nil, &t.SplitValues}
	if t.SplitColumn != "" {
		split.Names = []string{t.SplitColumn}
	}
	return [5]Group{inputs, targets, extras, weight, split}
}

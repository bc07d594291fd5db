package read

import (
	"fmt"
	"slices"
	"strconv"

	"sml/data"
)

// maxColumns is the largest number of columns of a file.
const maxColumns = 100_000

// Indices of groups in Table.Groups.
const (
	inputGroup  = 0
	targetGroup = 1
	extraGroup  = 2
	weightGroup = 3
	splitGroup  = 4 // the column that rows are split by
)

// Roles of columns, for messages.
const (
	inputRole  = "an input"
	targetRole = "a target"
	extraRole  = "an extra column"
	weightRole = "the weight"
	splitRole  = "the column that rows are split by" // for a column without another use
)

// schema says which columns of a file are read, as what, and of which kind. A column is its index in the file, from 0.
type schema struct {
	nameIndex           // of all columns of the file; "" for a column without a name
	header    bool      // the first row holds the names
	roles     []string  // use of each column in words; "" for an input or an undecided column
	groups    [5][]int  // columns to read, in the order of Table.Groups
	columns   []*column // the same columns: inputs, targets, extras, weight, split column; they make a row of values

	unitRows     int   // number of rows between the header and the values
	emptyColumns []int // columns without a name and without a value in the first rows, which are left out

	targetIsLast bool // no target was named, and the last column was taken

	keptNames   []string
	keptColumns []int // columns whose texts are kept; a column may occur twice

	declared      map[int]declaration // kinds that the user declared, by column
	missingValues map[int][]string    // values that stand for missing ones, by column

	note string // tells the user that the first row could be a header or values; "" if it is clear
	err  error  // first mistake in the options or the file; nil if there is none
}

// declaration is a kind that the user declares for a column.
type declaration struct {
	kind   data.Kind
	layout string // layout of dates; "" if it is to be found
}

// emptySchema returns a schema that reads no columns yet. Its names are from the first row, or x1, x2, … if header is
// false. In raw tables, columns without a name are named by their number.
func (o Options) emptySchema(firstRow []string, header bool) *schema {
	names := defaultNames(len(firstRow))
	if header {
		names = o.headerNames(firstRow)
	}
	return &schema{
		nameIndex:     newNameIndex(names),
		header:        header,
		roles:         make([]string, len(firstRow)),
		declared:      make(map[int]declaration),
		missingValues: make(map[int][]string),
	}
}

// headerNames returns the names in a header, as cleanName returns each. In raw tables, columns without a name are named
// by their number.
func (o Options) headerNames(firstRow []string) []string {
	names := cleanNames(firstRow)
	if o.Raw || o.Fields != nil {
		for i, name := range names {
			if name == "" {
				names[i] = "column " + strconv.Itoa(i+1)
			}
		}
	}
	return names
}

// setRole gives column i a role. It fails if the column has a role already.
func (s *schema) setRole(i int, role string) {
	switch s.roles[i] {
	case "": // no role yet
	case role:
		s.fail(fmt.Errorf("column %s is named twice as %s; name it once", columnLabel(s.names, i), role))
	default:
		s.fail(fmt.Errorf("column %s cannot be both %s and %s; name it once", columnLabel(s.names, i), s.roles[i], role))
	}
	s.roles[i] = role
}

// fail stores the first error. What follows it has no meaning.
func (s *schema) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// oneOrNone returns a slice of the name, or an empty slice if it is "".
func oneOrNone(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// explainTarget returns an error about the target. If the last column was taken as the target, the error says so and
// wraps ErrLastColumn; otherwise it is err. It returns nil for nil.
func (s *schema) explainTarget(err error) error {
	if err == nil || !s.targetIsLast {
		return err
	}
	return sentinelError{fmt.Errorf("%w; the last column was taken as the target, as none was named", err), ErrLastColumn}
}

// used returns, for each column of the file, whether it is read or its texts are kept.
func (s *schema) used() []bool {
	used := make([]bool, len(s.names))
	for _, i := range slices.Concat(slices.Concat(s.groups[:]...), s.keptColumns) {
		used[i] = true
	}
	return used
}

// layout returns the layout of the file, which numbers columns from 1.
func (s *schema) layout() data.Layout {
	l := data.Layout{
		Header:   s.header,
		Columns:  len(s.names),
		UnitRows: s.unitRows,
		Inputs:   columnNumbers(s.groups[inputGroup]),
		Targets:  columnNumbers(s.groups[targetGroup]),
		Extra:    columnNumbers(s.groups[extraGroup]),
	}
	for _, i := range s.groups[weightGroup] { // one or none
		l.Weight = i + 1
	}
	for _, i := range s.groups[splitGroup] { // one or none
		l.SplitColumn = i + 1
	}
	return l
}

// groupNames returns the names of the columns of a group.
func (s *schema) groupNames(group int) []string { return namesAt(s.names, s.groups[group]) }

// columnNumbers returns the numbers in the file, from 1, of columns with the given indices, from 0.
func columnNumbers(indices []int) []int {
	numbers := make([]int, len(indices))
	for k, i := range indices {
		numbers[k] = i + 1
	}
	return numbers
}

// columnIndices returns the indices, from 0, of columns at the given numbers in the file, from 1.
func columnIndices(numbers []int) []int {
	indices := make([]int, len(numbers))
	for k, number := range numbers {
		indices[k] = number - 1
	}
	return indices
}

// indicesUpTo returns 0, …, n−1.
func indicesUpTo(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}

package read

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// newSchema returns the schema of a file whose first row has the given cells. schema.err is the first mistake in the options or
// the file. peek returns the n-th row after the first, or nil.
func (o Options) newSchema(firstRow []string, peek func(int) []string) (s *schema) {
	units := o.countUnitRows(firstRow, peek)
	if o.Inputs != nil {
		s = o.knownSchema(firstRow)
	} else {
		s = o.chosenSchema(firstRow, units, peek)
	}
	if s.header {
		s.unitRows = units
	}
	if s.err == nil {
		o.chooseKeptColumns(firstRow, s)
		s.columns = o.newColumns(s)
	}
	return s
}

// knownSchema returns the schema of the inputs that the options name.
func (o Options) knownSchema(firstRow []string) *schema {
	s := o.matchColumns(firstRow)
	s.note = o.firstRowNote(firstRow, s.header)
	if o.Layout != nil {
		s.declareMissing(o.Layout.MissingValues, func(error) {}) // the file may lack columns of the training table
	}
	return s
}

// chosenSchema returns the schema of the inputs that no option uses otherwise, in a file with the given number of rows of
// units. peek is as for newSchema.
func (o Options) chosenSchema(firstRow []string, units int, peek func(int) []string) *schema {
	header, note, err := o.detectHeader(firstRow, func(n int) []string { return peek(n + units) })
	s := o.emptySchema(firstRow, header)
	s.note = note
	s.fail(err)
	if header {
		s.emptyColumns = findEmptyColumns(firstRow, peek)
	}
	o.chooseColumns(s)
	return s
}

// lookUp returns the index of the column with the given name or number. It returns 0 if it fails.
func (s *schema) lookUp(nameOrNumber string) int {
	i, err := s.find(nameOrNumber, s.header)
	s.fail(err)
	return i
}

// assign gives columns, by name or number, a role. It returns the columns.
func (s *schema) assign(namesOrNumbers []string, role string) (columns []int) {
	for _, nameOrNumber := range namesOrNumbers {
		i := s.lookUp(nameOrNumber)
		s.setRole(i, role)
		columns = append(columns, i)
	}
	return columns
}

// chooseColumns gives each column its use: the columns that the options name, then a default target, and the remaining
// columns as inputs. It sets s.err if a column is missing, has two roles or shares its name with another.
func (o Options) chooseColumns(s *schema) {
	o.chooseNamedColumns(s)
	s.leaveOutEmptyColumns()
	o.chooseDefaultTarget(s)
	for i := range s.names {
		if s.roles[i] == "" {
			s.groups[inputGroup] = append(s.groups[inputGroup], i)
		}
	}
	o.declareKinds(s)
	s.declareMissing(o.MissingValues, s.fail)
	s.fail(s.checkInputs())
	s.fail(s.checkNames())
}

// chooseNamedColumns chooses the columns that the options name.
func (o Options) chooseNamedColumns(s *schema) {
	s.assign(o.Drop, "a dropped column")
	targets := s.assign(o.Targets, targetRole)
	if !o.NoTarget { // otherwise nothing reads them, but they have a role and become no inputs
		s.groups[targetGroup] = targets
	}
	s.groups[extraGroup] = s.assign(o.Extra, extraRole)
	s.groups[weightGroup] = s.assign(oneOrNone(o.Weight), weightRole)
	o.chooseSplitColumn(s)
	for _, group := range []int{extraGroup, weightGroup, splitGroup} { // tables refer to these columns by name
		for _, i := range s.groups[group] {
			s.fail(s.checkUnique(i))
		}
	}
}

// checkInputs returns an error that wraps errNoInputs if no column is an input.
func (s *schema) checkInputs() error {
	if len(s.groups[inputGroup]) > 0 {
		return nil
	}
	return newSentinelError(errNoInputs, fmt.Sprintf("no inputs are left of the columns %s; at least one must have no other use", listNames(s.names)))
}

// errNoInputs is wrapped by the error for a table in which every column has another use than as an input.
var errNoInputs = errors.New("no inputs are left")

// chooseSplitColumn chooses the column that rows are split by, if the options name one. The column stays an input unless
// o.SplitColumnIsNoInput is true.
func (o Options) chooseSplitColumn(s *schema) {
	if o.SplitColumn == "" {
		return
	}
	i := s.lookUp(o.SplitColumn)
	s.groups[splitGroup] = []int{i}
	if s.roles[i] == "" && o.SplitColumnIsNoInput {
		s.roles[i] = splitRole
	}
	if s.roles[i] == targetRole {
		s.fail(fmt.Errorf("column %s is a target, and rows cannot be split by it; name another column", columnLabel(s.names, i)))
	}
}

// findEmptyColumns returns the columns without a name in the header and without a cell in the next rows, as a delimiter at
// the end of every line makes one. peek(n) returns the n-th row below the header, or nil.
func findEmptyColumns(header []string, peek func(int) []string) (columns []int) {
	for i, name := range header {
		isEmpty := cleanName(name) == "" && peek(1) != nil
		for n := 1; isEmpty && n <= lookAheadRows && peek(n) != nil; n++ {
			row := peek(n)
			isEmpty = i >= len(row) || row[i] == ""
		}
		if isEmpty {
			columns = append(columns, i)
		}
	}
	return columns
}

// leaveOutEmptyColumns gives the empty columns without another role a role, so that they are no inputs and no target.
func (s *schema) leaveOutEmptyColumns() {
	hasRole := func(i int) bool { return s.roles[i] != "" }
	s.emptyColumns = slices.DeleteFunc(s.emptyColumns, hasRole)
	for _, i := range s.emptyColumns {
		s.setRole(i, "an empty column")
	}
}

// chooseDefaultTarget takes the last column that is left as the target if the options name none and a target is needed.
func (o Options) chooseDefaultTarget(s *schema) {
	if o.NoTarget || len(o.Targets) > 0 || s.err != nil {
		return
	}
	last := len(s.names) - 1
	for slices.Contains(s.emptyColumns, last) && last > 0 {
		last--
	}
	s.targetIsLast = true
	s.setRole(last, targetRole)
	s.groups[targetGroup] = []int{last}
	if slices.Contains(s.groups[splitGroup], last) {
		s.fail(fmt.Errorf("column %s is the target, and rows cannot be split by it", columnLabel(s.names, last)))
	}
	s.err = s.explainTarget(s.err)
}

// checkNames returns an error unless all columns to read but the split column have different names.
func (s *schema) checkNames() error {
	used := make(map[string]int, len(s.names))
	for _, i := range slices.Concat(s.groups[:splitGroup]...) {
		if s.names[i] == "" {
			return fmt.Errorf("column %d has no name; name it in the header, or drop it by its number", i+1)
		}
		name := canonicalName(s.names[i])
		if other, isTaken := used[name]; isTaken {
			return duplicateNameError(i, other, s.names[i])
		}
		used[name] = i
	}
	return nil
}

// ErrLastColumn is wrapped by errors about the target if no target was named, so that the last column was taken.
var ErrLastColumn = errors.New("the last column was taken as the target")

// declareKinds sets the kinds that the options declare. It fails if there is no such column, if it is no input, or if two
// kinds are declared for it.
func (o Options) declareKinds(s *schema) {
	for _, name := range o.Categorical {
		s.declare(s.lookUp(name), declaration{kind: data.Category})
	}
	for _, name := range o.Numeric {
		s.declare(s.lookUp(name), declaration{kind: data.Number})
	}
	for _, name := range o.Dates {
		layout := ""
		_, err := s.find(name, s.header) // a name may have an equals sign
		if sign := strings.LastIndexByte(name, '='); err != nil && sign > 0 {
			name, layout = name[:sign], parseLayoutLetters(name[sign+1:]) // such as day=dd.mm.yyyy
		}
		s.declare(s.lookUp(name), declaration{data.Date, layout})
	}
	if o.SplitColumnIsNoInput { // only the equality of the values matters
		for _, i := range s.groups[splitGroup] {
			s.declared[i] = declaration{kind: data.Category}
		}
	}
}

// declareMissing sets the values that stand for missing ones: VALUE for all columns, COLUMN=VALUE for one. It calls fail
// with an error if there is no such column.
func (s *schema) declareMissing(values []string, fail func(error)) {
	for _, text := range values {
		name, value, isForOne := strings.Cut(text, "=")
		if !isForOne {
			for i := range s.names {
				s.missingValues[i] = append(s.missingValues[i], text)
			}
			continue
		}
		i, err := s.find(name, s.header)
		if err != nil {
			fail(err)
			continue
		}
		s.missingValues[i] = append(s.missingValues[i], value)
	}
}

// declare sets the kind of a column.
func (s *schema) declare(i int, d declaration) {
	isInput := s.roles[i] == "" || slices.Contains(s.groups[splitGroup], i)
	other := s.declared[i].kind
	switch {
	case other != "" && other != d.kind:
		s.fail(fmt.Errorf("column %s is declared both a %s and a %s; declare one of them", columnLabel(s.names, i), d.kind, other))
	case !isInput:
		err := fmt.Errorf("column %s is %s, and only an input can be declared a %s", columnLabel(s.names, i), s.roles[i], d.kind)
		if slices.Contains(s.groups[targetGroup], i) {
			err = s.explainTarget(err)
		}
		s.fail(err)
	}
	s.declared[i] = d
}

// chooseKeptColumns sets the columns whose texts are kept: with KeepAll all columns, and then the columns of Keep.
func (o Options) chooseKeptColumns(firstRow []string, s *schema) {
	names := defaultNames(len(firstRow))
	if s.header {
		names = cleanNames(firstRow)
	}
	if o.KeepAll {
		s.keptColumns = indicesUpTo(len(firstRow))
	}
	index := newNameIndex(names)
	for _, nameOrNumber := range o.Keep {
		i, err := index.find(nameOrNumber, s.header)
		if err != nil {
			s.fail(fmt.Errorf("to be kept: %w", err))
		}
		s.keptColumns = append(s.keptColumns, i)
	}
	for _, i := range s.keptColumns {
		name := names[i]
		if name == "" {
			name = "column " + strconv.Itoa(i+1)
		}
		s.keptNames = append(s.keptNames, name)
	}
}

package read

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// newSchema returns the schema of a file whose first row has the given cells. note tells the user that the first row
// could be a header or values. peek returns the n-th row after the first, or nil.
func (o Options) newSchema(firstRow []string, peek func(int) []string) (s *schema, note string, err error) {
	if o.Inputs != nil {
		s, err = o.matchColumns(firstRow)
		if err != nil {
			return s, "", err
		}
		note = o.firstRowNote(firstRow, s.header)
	} else {
		var header bool
		header, note, err = o.detectHeader(firstRow, peek)
		if err != nil {
			return nil, "", err
		}
		s = o.emptySchema(firstRow, header)
		if err := o.chooseColumns(s); err != nil {
			return s, note, err
		}
	}
	if err := o.chooseKeptColumns(firstRow, s); err != nil {
		return s, note, err
	}
	s.columns = o.newColumns(s)
	return s, note, nil
}

// assign gives columns, by name or number, a role. It returns the columns.
func (s *schema) assign(namesOrNumbers []string, role string) (columns []int, err error) {
	for _, nameOrNumber := range namesOrNumbers {
		i, err := s.find(nameOrNumber, s.header)
		if err != nil {
			return nil, err
		}
		if err := s.setRole(i, role); err != nil {
			return nil, err
		}
		columns = append(columns, i)
	}
	return columns, nil
}

// chooseColumns chooses the columns that the options name, and all other columns as inputs. It returns an error if a
// column is missing, has two roles or shares its name with another.
func (o Options) chooseColumns(s *schema) (err error) {
	if _, err := s.assign(o.Drop, "a dropped column"); err != nil {
		return err
	}
	for _, request := range []struct {
		group int
		names []string
		role  string
	}{
		{targetGroup, o.Targets, targetRole},
		{extraGroup, o.Extra, extraRole},
		{weightGroup, oneOrNone(o.Weight), weightRole},
	} {
		s.groups[request.group], err = s.assign(request.names, request.role)
		if err != nil {
			return err
		}
	}
	if o.NoTarget {
		s.groups[targetGroup] = nil // the columns have a role, so that they are no inputs
	}
	if err := o.chooseSplitColumn(s); err != nil {
		return err
	}
	for _, i := range slices.Concat(s.groups[extraGroup:]...) { // tables refer to these columns by name
		if err := s.checkUnique(i); err != nil {
			return err
		}
	}
	if err := o.chooseDefaultTarget(s); err != nil {
		return err
	}
	for i := range s.names {
		if s.roles[i] == "" {
			s.groups[inputGroup] = append(s.groups[inputGroup], i)
		}
	}
	if err := o.declareKinds(s); err != nil {
		return err
	}
	if len(s.groups[inputGroup]) == 0 {
		return fmt.Errorf("no inputs are left of the columns %s; at least one must have no other use", listNames(s.names))
	}
	return s.checkNames()
}

// chooseSplitColumn chooses the column that rows are split by, if the options name one. The column stays an input unless
// o.SplitColumnIsNoInput is true.
func (o Options) chooseSplitColumn(s *schema) error {
	if o.SplitColumn == "" {
		return nil
	}
	i, err := s.find(o.SplitColumn, s.header)
	if err != nil {
		return err
	}
	s.groups[splitGroup] = []int{i}
	if s.roles[i] == "" && o.SplitColumnIsNoInput {
		s.roles[i] = splitRole
	}
	if s.roles[i] == targetRole {
		return fmt.Errorf("column %s is a target, and rows cannot be split by it; name another column", columnLabel(s.names, i))
	}
	return nil
}

// chooseDefaultTarget takes the last column as the target if the options name none and a target is needed.
func (o Options) chooseDefaultTarget(s *schema) error {
	if o.NoTarget || len(o.Targets) > 0 {
		return nil
	}
	last := len(s.names) - 1
	s.targetIsLast = true
	if err := s.setRole(last, targetRole); err != nil {
		return s.explainTarget(err)
	}
	s.groups[targetGroup] = []int{last}
	if slices.Contains(s.groups[splitGroup], last) {
		return s.explainTarget(fmt.Errorf("column %s is the target, and rows cannot be split by it", columnLabel(s.names, last)))
	}
	return nil
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

// declareKinds sets the kinds that the options declare. It returns an error if there is no such column, if it is no
// input, or if two kinds are declared for it.
func (o Options) declareKinds(s *schema) error {
	for _, list := range []struct {
		names []string
		kind  data.Kind
	}{{o.Categorical, data.Category}, {o.Numeric, data.Number}, {o.Dates, data.Date}} {
		for _, name := range list.names {
			if err := s.declare(name, list.kind); err != nil {
				return err
			}
		}
	}
	if o.SplitColumnIsNoInput { // only the equality of the values matters
		for _, i := range s.groups[splitGroup] {
			s.declared[i] = declaration{kind: data.Category}
		}
	}
	return nil
}

// declare sets the kind of a column, given by name or number. A date may have its layout behind an equals sign, such as
// day=dd.mm.yyyy.
func (s *schema) declare(nameOrNumber string, kind data.Kind) error {
	layout := ""
	i, err := s.find(nameOrNumber, s.header) // a name may have an equals sign
	if sign := strings.LastIndexByte(nameOrNumber, '='); err != nil && kind == data.Date && sign > 0 {
		layout = parseLayoutLetters(nameOrNumber[sign+1:])
		i, err = s.find(nameOrNumber[:sign], s.header)
	}
	if err != nil {
		return err
	}
	if other := s.declared[i].kind; other != "" && other != kind {
		return fmt.Errorf("column %s is declared both a %s and a %s; declare one of them", columnLabel(s.names, i), kind, other)
	}
	if s.roles[i] != "" && !slices.Contains(s.groups[splitGroup], i) {
		err := fmt.Errorf("column %s is %s, and only an input can be declared a %s", columnLabel(s.names, i), s.roles[i], kind)
		if slices.Contains(s.groups[targetGroup], i) {
			err = s.explainTarget(err)
		}
		return err
	}
	s.declared[i] = declaration{kind, layout}
	return nil
}

// chooseKeptColumns sets the columns whose texts are kept: with KeepAll all columns, and then the columns of Keep.
func (o Options) chooseKeptColumns(firstRow []string, s *schema) error {
	if len(o.Keep) == 0 && !o.KeepAll {
		return nil
	}
	if o.KeepAll {
		s.keptColumns = indicesUpTo(len(firstRow))
	}
	names := defaultNames(len(firstRow))
	if s.header {
		names = cleanNames(firstRow)
	}
	index := newNameIndex(names)
	for _, nameOrNumber := range o.Keep {
		i, err := index.find(nameOrNumber, s.header)
		if err != nil {
			return fmt.Errorf("to be kept: %w", err)
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
	return nil
}

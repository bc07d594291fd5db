package read

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
)

// layout returns the layout of a file with the given number of columns. A layout numbers
// columns from 1.
func (c *columnChoice) layout(header bool, columns int) data.Layout {
	l := data.Layout{
		Header:  header,
		Columns: columns,
		Inputs:  columnNumbers(c.inputs),
		Targets: columnNumbers(c.targets),
		Extra:   columnNumbers(c.extras),
	}
	if len(c.weight) > 0 {
		l.Weight = c.weight[0] + 1
	}
	if len(c.splitBy) > 0 {
		l.SplitColumn = c.splitBy[0] + 1
	}
	return l
}

// matchColumns finds the columns that o.Inputs and o.Targets name: by name if the first row of the
// file is a header, otherwise by their numbers in o.Layout. It reports whether the row is a header:
// whether it has the names of all inputs, unless o.Header decides this.
func (o Options) matchColumns(firstRow []string) (header bool, c columnChoice, err error) {
	if err := o.checkGivenInputs(); err != nil {
		return false, c, err
	}
	index := newColumnIndex(o.headerNames(firstRow))
	hasInputNames := len(index.missingNames(o.Inputs)) == 0
	needsHeader := o.Layout != nil && o.Layout.Header
	switch {
	case o.Header == HeaderNo:
		c, err = o.matchByPosition(firstRow)
		return false, c, err
	case o.Header == HeaderYes || hasInputNames:
		c, err = o.matchByName(firstRow, index)
		return true, c, err
	case needsHeader:
		_, err := o.matchByName(firstRow, index)
		return false, c, fmt.Errorf("%w; the training table had a header, and only a header tells which column is which", err)
	}
	c, err = o.matchByPosition(firstRow)
	if o.hasUnexpectedText(firstRow, c, err == nil) { // the row seems to be a header with other names
		_, err = o.matchByName(firstRow, index) // this error names the missing inputs
		if o.hasNumberedInputs() {
			err = fmt.Errorf("%w; the training table had no header: give rows without one, or one with these names", err)
		}
	}
	return false, c, err
}

// checkGivenInputs returns an error if options with Inputs lack a target or have columns to drop.
func (o Options) checkGivenInputs() error {
	switch {
	case len(o.Inputs) == 0:
		return errors.New("no inputs are given; name at least one")
	case len(o.Drop) > 0:
		return errors.New("columns to drop are given together with inputs; with inputs, all other columns are ignored anyway")
	case len(o.Targets) == 0 && !o.NoTarget:
		return errors.New("inputs are given but no target; name the target's column")
	}
	return nil
}

// hasUnexpectedText reports whether the first row has a text where a column must hold numbers. If
// isMatched is true, c has the columns of the file, and other columns may hold anything. Otherwise,
// all columns but the inputs of c that may hold texts are checked.
func (o Options) hasUnexpectedText(firstRow []string, c columnChoice, isMatched bool) bool {
	used := indicesUpTo(len(firstRow))
	if isMatched {
		used = slices.Concat(c.inputs, c.targets, c.extras, c.weight)
	}
	mayBeText := make([]bool, len(firstRow)) // whether the column is an input of categories or dates
	for k, i := range c.inputs {
		mayBeText[i] = o.Fields != nil && o.Fields[k].Kind != data.Number
	}
	return slices.ContainsFunc(used, func(i int) bool {
		return !mayBeText[i] && classifyIgnoringPercent(firstRow[i]) == textCell
	})
}

// firstRowNote returns a note for the user if the first row looks like values but was taken for a
// header, or the other way round. It returns "" if there is no doubt or o.Header decides. header says
// what the row was taken for.
func (o Options) firstRowNote(firstRow []string, header bool) string {
	isNumber := func(field string) bool { return classifyCell(field) == numberCell }
	switch {
	case o.Header == HeaderYes, o.Header == HeaderNo:
		return ""
	case header && allFunc(firstRow, isNumber):
		return fmt.Sprintf(numbersAsNamesNote, listNames(firstRow))
	case !header && isSequence(firstRow):
		return fmt.Sprintf(namesAsNumbersNote, listNames(firstRow))
	}
	return ""
}

// allFunc reports whether the condition is true for all fields.
func allFunc(fields []string, condition func(string) bool) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { return !condition(f) })
}

// hasNumberedInputs reports whether the inputs have the names x1, x2 and so on that a table without a
// header gives them.
func (o Options) hasNumberedInputs() bool {
	if o.Layout == nil {
		return false
	}
	isDefaultName := func(name string, number int) bool { return name == defaultName(number) }
	return slices.EqualFunc(o.Inputs, o.Layout.Inputs, isDefaultName)
}

// matchByName finds columns by the names in the header, which is the first row; index has these names.
// It returns an error if an input or a target is missing, or if a name has several columns. Extra
// columns, the weight and the split column may be missing.
func (o Options) matchByName(firstRow []string, index columnIndex) (columnChoice, error) {
	c := columnChoice{
		names: slices.Clone(index.names),
		roles: make([]string, len(firstRow)),
	}
	var err error
	c.inputs, err = index.findNamed(o.Inputs, "input", "an input", &c)
	if err != nil {
		return c, err
	}
	if !o.NoTarget {
		c.targets, err = index.findNamed(o.Targets, "target", targetRole, &c)
		if err != nil {
			return c, err
		}
	}
	c.extras, err = index.findNamed(index.presentNames(o.Extra), "extra column", "an extra column", &c)
	if err != nil {
		return c, err
	}
	c.weight, err = index.findNamed(index.presentNames(o.weightNames()), "weight", "the weight", &c)
	if err != nil || o.SplitColumn == "" {
		return c, err
	}
	i, ok := index.firstColumn[canonicalName(o.SplitColumn)]
	if !ok {
		return c, nil
	}
	c.splitBy = []int{i} // without a role: the column may be an input as well
	return c, index.checkUnique(i)
}

// matchByPosition finds the columns of a file without a header by their positions. The file must have as
// many columns as the training table, whose layout o.Layout then gives the positions, or, if no target
// is needed, only the inputs in their order. It returns an error for any other number of columns.
func (o Options) matchByPosition(firstRow []string) (columnChoice, error) {
	layout := o.Layout
	if layout == nil {
		layout = new(data.Layout)
	}
	locatesTargets := o.NoTarget || len(layout.Targets) == len(o.Targets)
	isKnown := layout.Columns > 0 && len(layout.Inputs) == len(o.Inputs) && locatesTargets
	hasAllColumns := isKnown && len(firstRow) == layout.Columns
	hasOnlyInputs := o.NoTarget && len(firstRow) == len(o.Inputs)
	var c columnChoice
	switch {
	case hasAllColumns:
		c = o.chooseByLayout(layout)
	case hasOnlyInputs:
		c.inputs = indicesUpTo(len(firstRow))
	default:
		return columnChoice{names: make([]string, len(firstRow))},
			fmt.Errorf("the file has %d columns and no header with the names %s%s", len(firstRow), listNames(o.Inputs), o.describeNeededColumns(layout, isKnown))
	}
	c.names = make([]string, len(firstRow))
	names := [5][]string{o.Inputs, o.Targets, o.Extra, o.weightNames(), {o.SplitColumn}} // in the order of Table.Groups
	for group, columns := range c.groups() {
		for k, column := range columns {
			if column < 0 || column >= len(firstRow) { // the layout of a damaged model
				return columnChoice{}, fmt.Errorf("the file has no column %d; it has %d columns", column+1, len(firstRow))
			}
			c.names[column] = names[group][k]
		}
	}
	return c, nil
}

// chooseByLayout returns the columns of a layout that the options request. Extra columns, the weight
// and the split column are left out if the layout does not have them.
func (o Options) chooseByLayout(l *data.Layout) columnChoice {
	c := columnChoice{inputs: columnIndices(l.Inputs)}
	if !o.NoTarget {
		c.targets = columnIndices(l.Targets)
	}
	if len(l.Extra) == len(o.Extra) {
		c.extras = columnIndices(l.Extra)
	}
	if o.Weight != "" && l.Weight > 0 {
		c.weight = []int{l.Weight - 1}
	}
	if o.SplitColumn != "" && l.SplitColumn > 0 {
		c.splitBy = []int{l.SplitColumn - 1}
	}
	return c
}

// describeNeededColumns returns the end of an error message: the columns that a file without a
// header needs. isKnown is true if l is the layout of the training table, and false if that is not
// known.
func (o Options) describeNeededColumns(l *data.Layout, isKnown bool) string {
	if !isKnown {
		if o.NoTarget {
			return fmt.Sprintf("; without a header it needs only the %d inputs", len(o.Inputs))
		}
		return "; it needs a header, as the places of the targets are not known"
	}
	message := fmt.Sprintf("; without a header it needs the %d columns of the training table (inputs %s, targets %s)", l.Columns, listColumnNumbers(l.Inputs), listColumnNumbers(l.Targets))
	if o.NoTarget {
		message += fmt.Sprintf(", or only the %d inputs", len(o.Inputs))
	}
	return message
}

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

// headerNames returns the names in a header, as cleanName returns each. In raw tables, columns without a
// name are named by their number.
func (o Options) headerNames(firstRow []string) []string {
	names := cleanNames(firstRow)
	if o.Raw || o.Fields != nil {
		return nameUnnamed(names)
	}
	return names
}

// findNamed returns the columns with the given names. In c it gives each of them the role, and the name
// as it is given here, which may be spelt with other Unicode characters in the file. It returns an
// error if a name is missing or has several columns; the noun, such as "input", is what the error
// calls a column.
func (index columnIndex) findNamed(names []string, noun, role string, c *columnChoice) ([]int, error) {
	if missing := index.missingNames(names); len(missing) > 0 {
		return nil, index.missingError(missing, noun)
	}
	var columns []int
	for _, name := range names {
		column := index.firstColumn[canonicalName(name)]
		if err := index.checkUnique(column); err != nil {
			return nil, err
		}
		if err := c.setRole(column, role); err != nil {
			return nil, err
		}
		c.names[column] = name
		columns = append(columns, column)
	}
	return columns, nil
}

package read

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
)

// layout returns the layout of a file with the given number of columns.
func (c *columnChoice) layout(header bool, columns int) data.Layout {
	l := data.Layout{Header: header, Columns: columns, Inputs: shift(c.inputs, 1), Targets: shift(c.targets, 1), Extra: shift(c.extras, 1)}
	if len(c.weight) > 0 {
		l.Weight = c.weight[0] + 1
	}
	if len(c.splitBy) > 0 {
		l.By = c.splitBy[0] + 1
	}
	return l
}

// match finds the columns that o.Inputs and o.Targets name: by name if the first row of the
// file is a header, otherwise by place.
func (o Options) matchColumns(first []string) (header bool, c columnChoice, err error) {
	switch {
	case len(o.Inputs) == 0:
		return false, c, errors.New("no inputs are asked for; name at least one")
	case len(o.Drop) > 0:
		return false, c, errors.New("columns to drop are given beside the inputs to read; with the inputs given, all others are ignored")
	case len(o.Targets) == 0 && !o.NoTarget:
		return false, c, errors.New("inputs are given but no target; name the target's column")
	}
	index := newColumnIndex(o.headerNames(first))
	switch {
	case o.Header == HeaderYes, o.Header != HeaderNo && len(index.missingNames(o.Inputs)) == 0:
		c, err = o.matchByName(first, index)
		return true, c, err
	case o.Header != HeaderNo && o.Layout != nil && o.Layout.Header:
		_, err := o.matchByName(first, index)
		return false, c, fmt.Errorf("%w; the training table had a header, and only a header tells which column is which", err)
	}
	c, err = o.matchByPlace(first)
	if o.Header == HeaderNo {
		return false, c, err
	}
	used := slices.Concat(c.inputs, c.targets, c.extras, c.weight)
	if err != nil { // every column may be in use
		used = indicesUpTo(len(first))
	}
	mayBeText := make([]bool, len(first)) // whether the column is an input of categories or dates
	for k, i := range c.inputs {
		mayBeText[i] = o.Fields != nil && o.Fields[k].Kind != data.Number
	}
	texts := func(i int) bool { return classifyIgnoringPercent(first[i]) == textCell && !mayBeText[i] }
	if slices.ContainsFunc(used, texts) { // so it is a header, of other names
		_, err = o.matchByName(first, index)
		if o.hasNumberedInputs() {
			err = fmt.Errorf("%w; the training table had no header: give rows without one, or one with these names", err)
		}
	}
	return false, c, err
}

// firstRowNote returns a note for the user if the first row could be a header and was taken for
// values, or the other way round, and "" otherwise.
func (o Options) firstRowNote(first []string, header bool) string {
	switch {
	case o.Header == HeaderYes, o.Header == HeaderNo:
		return ""
	case header && !slices.ContainsFunc(first, func(f string) bool { return classifyCell(f) != numberCell }):
		return fmt.Sprintf(numbersAsNamesNote, listNames(first))
	case !header && isSequence(first):
		return fmt.Sprintf(namesAsNumbersNote, listNames(first))
	}
	return ""
}

// hasNumberedInputs reports whether the names of the inputs are numbers of columns, as in a table
// without a header.
func (o Options) hasNumberedInputs() bool {
	return o.Layout != nil && slices.EqualFunc(o.Inputs, o.Layout.Inputs, func(name string, place int) bool { return name == defaultName(place) })
}

// byName finds columns by the names in a header.
func (o Options) matchByName(first []string, index columnIndex) (c columnChoice, err error) {
	c.names = slices.Clone(index.names)
	c.roles = make([]string, len(first))
	if c.inputs, err = index.findInputs(o.Inputs, "input", &c); err != nil {
		return c, err
	}
	if !o.NoTarget {
		if c.targets, err = index.findInputs(o.Targets, "target", &c); err != nil {
			return c, err
		}
	}
	if c.extras, err = index.findInputs(index.presentNames(o.Extra), "extra column", &c); err == nil {
		c.weight, err = index.findInputs(index.presentNames(o.weightNames()), "weight", &c)
	}
	if i, ok := index.firstColumn[canonicalName(o.By)]; err == nil && ok && o.By != "" {
		c.splitBy, err = []int{i}, index.checkUnique(i)
	}
	return c, err
}

// byPlace finds columns by their places in a file without a header.
func (o Options) matchByPlace(first []string) (c columnChoice, err error) {
	l := o.Layout
	if l == nil {
		l = new(data.Layout)
	}
	known := l.Columns > 0 && len(l.Inputs) == len(o.Inputs) && (o.NoTarget || len(l.Targets) == len(o.Targets))
	c.names = make([]string, len(first))
	switch {
	case known && len(first) == l.Columns:
		c.inputs = shift(l.Inputs, -1)
		if !o.NoTarget {
			c.targets = shift(l.Targets, -1)
		}
		if len(l.Extra) == len(o.Extra) {
			c.extras = shift(l.Extra, -1)
		}
		if o.Weight != "" && l.Weight > 0 {
			c.weight = []int{l.Weight - 1}
		}
		if o.By != "" && l.By > 0 {
			c.splitBy = []int{l.By - 1}
		}
	case o.NoTarget && len(first) == len(o.Inputs):
		c.inputs = indicesUpTo(len(first))
	default:
		return c, fmt.Errorf("the file has %d columns and no header with the names %s%s", len(first), listNames(o.Inputs), o.describeNeededColumns(l, known))
	}
	names := [5][]string{o.Inputs, o.Targets, o.Extra, o.weightNames(), {o.By}}
	for i, places := range c.groups() {
		for j, p := range places {
			if p < 0 || p >= len(first) {
				return columnChoice{}, fmt.Errorf("there is no column %d in a file of %d", p+1, len(first))
			}
			c.names[p] = names[i][j]
		}
	}
	return c, nil
}

// neededColumns returns the end of an error message: the columns that a file without a header needs.
func (o Options) describeNeededColumns(l *data.Layout, known bool) string {
	says := ""
	if known {
		says = fmt.Sprintf("; without a header it needs the %d columns of the training table (inputs %s, targets %s)", l.Columns, listPlaces(l.Inputs), listPlaces(l.Targets))
	}
	switch {
	case o.NoTarget && known:
		return says + fmt.Sprintf(", or the %d inputs alone", len(o.Inputs))
	case o.NoTarget:
		return fmt.Sprintf("; without a header it needs the %d inputs alone", len(o.Inputs))
	case !known:
		return "; a header is needed, as it is not known where the targets stand"
	}
	return says
}

// shift adds by to each number: 1 turns indices, from 0, into places, from 1, and −1 turns
// them back.
func shift(numbers []int, by int) []int {
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = n + by
	}
	return out
}

// indices returns 0, …, n−1.
func indicesUpTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// namesOf returns the names in a header.
func (o Options) headerNames(first []string) []string {
	names := cleanNames(first)
	if o.Raw || o.Fields != nil {
		return nameUnnamed(names)
	}
	return names
}

// findAll returns the columns with the given names. It gives each of them the role, and its name as
// it is asked for. It returns an error if a name is missing or has several columns.
func (x columnIndex) findInputs(names []string, role string, c *columnChoice) ([]int, error) {
	if lacking := x.missingNames(names); len(lacking) > 0 {
		return nil, x.missingError(lacking, role)
	}
	article := map[string]string{"input": "an ", "target": "a ", "extra column": "an ", "weight": "the "}[role]
	var found []int
	for _, name := range names {
		i := x.firstColumn[canonicalName(name)]
		if err := x.checkUnique(i); err != nil {
			return nil, err
		}
		if err := c.setRole(i, article+role); err != nil {
			return nil, err
		}
		c.names[i] = name
		found = append(found, i)
	}
	return found, nil
}

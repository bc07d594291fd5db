package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// maxColumns is the largest number of columns of a file.
const maxColumns = 100_000

// Options say which columns of a file are read, and as what. A column is given by its name or
// by its number, counted from 1; a name goes before a number.
type Options struct {
	Targets []string // default: the last column of the file
	Drop    []string // columns left unread; they may hold anything
	Extra   []string // further columns, neither inputs nor targets: numbers for an objective to look at
	Weight  string   // column with the weight of each row, 0 or more; "" if all rows count alike
	Header  Header   // default: HeaderAuto

	// Inputs, if not nil, are the names of exactly the columns to read as inputs, in this
	// order. A first row with all these names is a header. In a file without a header, columns
	// are found by their places in Layout, or the file consists of the inputs alone. A file
	// without a header is an error if Layout has one, unless Header is HeaderNo. Extra columns
	// and the weight are read only if the file has them.
	Inputs []string
	Layout *data.Layout // layout of the training table; nil if it is not known

	// NoTarget reads inputs only, as prediction does. If Inputs are given, the file may have
	// columns of targets or lack them.
	NoTarget bool

	// Raw allows texts, dates and missing values in inputs (Table.Fields), unless Inputs are
	// given. Rows without a target are left out, and one error reports all mistakes. If Raw is
	// false, every value must be a number.
	Raw bool

	// Categorical, Numeric and Dates declare the kinds of columns of a raw table, by name or
	// number; the kinds of other columns are found from their values. A date may be declared
	// with its layout, such as NAME=dd.mm.yyyy HH:MM. A text in a numeric column counts as
	// missing.
	Categorical, Numeric, Dates []string

	// Fields are the fields of Inputs in the training table; nil if all are numbers and none
	// may be missing.
	Fields []data.Field

	// Classes says that the targets are classes: their texts, also of numbers, are labels
	// (Table.TargetFields). TargetFields are the labels of the training table; nil if its targets
	// have none.
	Classes      bool
	TargetFields []data.Field

	// By is a column of any kind that rows are split by; every row needs a value. The column is
	// also an input, unless it is dropped or ByAlone is set. With ByAlone only the equality of
	// its values matters, and their kind does not.
	By      string
	ByAlone bool

	// Keep names columns whose texts are kept as they stand in the file (Table.Kept,
	// Stream.KeepIn), whether or not the columns are read. KeepAll keeps the texts of all
	// columns, before the columns of Keep. A column that the file lacks is an error.
	Keep    []string
	KeepAll bool

	// Sheet is the name of the sheet of an .xlsx workbook to read; "" for the first sheet.
	Sheet string

	// maxValues is the maximum number of values of a table; 0 for 2³¹ − 1, which take 16 GiB.
	// A table that does not fit into free memory is refused earlier. Only tests set it.
	maxValues int

	pieceBytes int // minimum bytes of text for each goroutine that parses; 0 for minPieceBytes

	numberTextColumns []int // columns, from 0, whose numbers are kept as texts (rawColumn.literal)
}

// choice says which columns of a file are read. Columns are indices, from 0.
type columnChoice struct {
	names           []string // names of all columns; "" for a column without a name
	roles           []string // roles of all columns; "" for a column without a role
	inputs, targets []int
	extras          []int
	weight          []int // one column or none
	splitBy         []int // column that rows are split by: one or none
	keptColumns     []int // columns whose texts are kept
	keptNames       []string

	targetIsLast bool // no target was named, and the last column was taken

	declaredKinds   map[int]data.Kind // kinds that the user declared
	declaredLayouts map[int]string    // date layouts that the user declared
}

// read returns the columns to read, in the order of Table.Groups.
func (c *columnChoice) groups() [5][]int {
	return [5][]int{c.inputs, c.targets, c.extras, c.weight, c.splitBy}
}

// splitsRows is the role of a column whose only use is to split rows.
const splitRole = "what rows are split by"

// setRole gives column i a role. It returns an error if the column has one already.
func (c *columnChoice) setRole(i int, role string) error {
	if c.roles[i] != "" {
		return fmt.Errorf("column %s is asked for as %s and again as %s; ask for it once", columnLabel(c.names, i), c.roles[i], role)
	}
	c.roles[i] = role
	return nil
}

// choose finds the columns of a table without known Inputs. The names are from its header, or
// x1, x2, … if it has none.
func (o Options) chooseColumns(names []string, header bool) (c columnChoice, err error) {
	const target = "a target"
	c = columnChoice{names: names, roles: make([]string, len(names))}
	index := newColumnIndex(names)
	find := func(refs []string, role string) (found []int, err error) {
		for _, ref := range refs {
			i, err := index.findColumn(ref, header)
			if err == nil {
				err = c.setRole(i, role)
			}
			if err != nil {
				return nil, err
			}
			found = append(found, i)
		}
		return found, nil
	}
	if _, err := find(o.Drop, "a dropped column"); err != nil {
		return c, err
	}
	if c.targets, err = find(o.Targets, target); err != nil {
		return c, err
	}
	if c.extras, err = find(o.Extra, "an extra column"); err != nil {
		return c, err
	}
	if c.weight, err = find(o.weightNames(), "the weight"); err != nil {
		return c, err
	}
	if o.By != "" {
		i, err := index.findColumn(o.By, header)
		if err != nil {
			return c, err
		}
		c.splitBy = []int{i}
		if c.roles[i] == "" && o.ByAlone {
			c.roles[i] = splitRole
		} else if slices.Contains(c.targets, i) {
			return c, fmt.Errorf("column %s is a target, and rows cannot be split by it; name another", columnLabel(c.names, i))
		}
	}
	for _, i := range slices.Concat(c.extras, c.weight, c.splitBy) { // tables refer to these columns by name
		if err := index.checkUnique(i); err != nil {
			return c, err
		}
	}
	switch last := len(names) - 1; {
	case o.NoTarget:
		c.targets = nil
	case len(o.Targets) == 0:
		c.targetIsLast = true
		if err := c.setRole(last, target); err != nil {
			return c, c.explainTarget(err)
		}
		if c.targets = []int{last}; slices.Contains(c.splitBy, last) {
			return c, c.explainTarget(fmt.Errorf("column %s is the target, and rows are split by it", columnLabel(c.names, last)))
		}
	}
	for i := range names {
		if c.roles[i] == "" {
			c.inputs = append(c.inputs, i)
		}
	}
	if err := o.declareKinds(index, header, &c); err != nil {
		return c, err
	}
	o.declareSplitColumn(&c)
	if len(c.inputs) == 0 {
		return c, fmt.Errorf("no inputs are left of the columns %s; at least one must have no other use", listNames(names))
	}
	seen := make(map[string]int, len(names)) // columns by name, as sameText returns it
	for _, i := range slices.Concat(c.inputs, c.targets, c.extras, c.weight) {
		if names[i] == "" {
			return c, fmt.Errorf("column %d has no name; name it in the header, or drop it by its number", i+1)
		}
		if j, twice := seen[canonicalName(names[i])]; twice {
			return c, duplicateNameError(i, j, names[i])
		}
		seen[canonicalName(names[i])] = i
	}
	return c, nil
}

// weights returns the weight's column as a list, which is empty if there is none.
func (o Options) weightNames() []string {
	if o.Weight == "" {
		return nil
	}
	return []string{o.Weight}
}

// ErrLastColumn is wrapped by errors of the target if no target was named, so that the last
// column was taken.
var ErrLastColumn = errors.New("the last column was taken as the target")

// targetError adds to an error about the target that the last column was taken, if it was.
func (c *columnChoice) explainTarget(err error) error {
	if err == nil || !c.targetIsLast {
		return err
	}
	return sentinelError{fmt.Errorf("%w; the last column was taken as the target, as none was named", err), ErrLastColumn}
}

// findKinds finds the columns whose kinds the user declared.
func (o Options) declareKinds(index columnIndex, header bool, c *columnChoice) error {
	c.declaredKinds, c.declaredLayouts = make(map[int]data.Kind), make(map[int]string)
	for _, of := range []struct {
		refs []string
		kind data.Kind
	}{{o.Categorical, data.Category}, {o.Numeric, data.Number}, {o.Dates, data.Date}} {
		for _, ref := range of.refs {
			i, err := index.findColumn(ref, header)
			layout := ""
			if err != nil && of.kind == data.Date {
				if at := strings.LastIndexByte(ref, '='); at > 0 {
					layout = parseLayoutLetters(ref[at+1:])
					i, err = index.findColumn(ref[:at], header)
				}
			}
			if err != nil {
				return err
			}
			if was := c.declaredKinds[i]; was != "" && was != of.kind {
				return fmt.Errorf("column %s is said to be %s and %s; say one of them", columnLabel(c.names, i), of.kind, was)
			}
			if c.roles[i] != "" && !slices.Contains(c.splitBy, i) {
				err := fmt.Errorf("column %s is %s, and only an input can be said to be a %s", columnLabel(c.names, i), c.roles[i], of.kind)
				if slices.Contains(c.targets, i) {
					err = c.explainTarget(err)
				}
				return err
			}
			c.declaredKinds[i], c.declaredLayouts[i] = of.kind, layout
		}
	}
	return nil
}

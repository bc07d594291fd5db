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

// Options say which columns of a file are read, and how. A column is given by its name or by its
// number, counted from 1. A number that is also the name of a column means the named column.
type Options struct {
	Targets []string // default: the last column of the file
	Drop    []string // columns to leave out; they may hold anything
	Extra   []string // further columns of numbers for an objective, neither inputs nor targets
	Weight  string   // column with the weight of each row, 0 or more; "" if all rows count alike
	Header  Header   // default: HeaderAuto

	// Inputs, if not nil, are the names of exactly the columns to read as inputs, in this
	// order. A first row with all these names is a header. In a file without a header, columns
	// are found by their numbers in Layout, or the file has only the inputs. A file without a
	// header is an error if Layout has one, unless Header is HeaderNo. Extra columns and the weight
	// are read only if the file has them.
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

	// Classes declares that the targets are classes: their texts, also of numbers, are labels
	// (Table.TargetFields). TargetFields are the labels of the training table; nil if its targets
	// have none.
	Classes      bool
	TargetFields []data.Field

	// SplitColumn is a column of any kind that rows are split by; every row needs a value. It is "" if
	// there is none. The column is also an input, unless it is dropped or SplitColumnIsNoInput is true.
	// In the latter case its kind does not matter: the split only asks which rows have equal values.
	SplitColumn          string
	SplitColumnIsNoInput bool

	// Keep names columns whose texts are kept as they stand in the file (Table.KeptTexts,
	// Stream.KeepIn), whether or not the columns are read. KeepAll keeps the texts of all
	// columns, before the columns of Keep. A column that the file lacks is an error.
	Keep    []string
	KeepAll bool

	// Sheet is the name of the sheet of an .xlsx workbook to read; "" for the first sheet.
	Sheet string

	// maxValues is the maximum number of values of a table; 0 for 2³¹ − 1, which take 16 GiB.
	// A table that does not fit into free memory is refused earlier. Only tests set it.
	maxValues int

	pieceBytes int // minimum number of bytes of text for each goroutine that parses; 0 for minPieceBytes

	// numberTextColumns are columns of the file, from 0, in which the texts of numbers are kept
	// from the first row on (rawColumn.keepsNumberTexts).
	numberTextColumns []int
}

// findsKinds reports whether inputs may hold texts, and their kinds are found from their values.
func (o Options) findsKinds() bool { return o.Inputs == nil && o.Raw }

// columnChoice says which columns of a file are read, and as what. A column is its index in the file,
// from 0.
type columnChoice struct {
	names     []string // names of all columns of the file; "" for a column without a name
	roles     []string // use of each column in words, such as "a target"; "" for an input or an undecided column
	inputs    []int
	targets   []int
	extras    []int
	weight    []int    // one column or none
	splitBy   []int    // column that rows are split by: one or none
	keptNames []string // names of keptColumns

	keptColumns  []int // columns whose texts are kept; a column may occur twice
	targetIsLast bool  // no target was named, and the last column was taken

	declaredKinds   map[int]data.Kind // kinds that the user declared, by column
	declaredLayouts map[int]string    // date layouts that the user declared, by column
}

// groups returns the columns to read, in the order of Table.Groups.
func (c *columnChoice) groups() [5][]int {
	return [5][]int{c.inputs, c.targets, c.extras, c.weight, c.splitBy}
}

// Roles of columns, for messages.
const (
	targetRole = "a target"
	splitRole  = "the column that rows are split by" // for a column without another use
)

// used returns, for each column of the file, whether it is read or its texts are kept.
func (c *columnChoice) used() []bool {
	used := make([]bool, len(c.names))
	groups := c.groups()
	for _, columns := range append(groups[:], c.keptColumns) {
		for _, i := range columns {
			used[i] = true
		}
	}
	return used
}

// setRole gives column i a role, one of the words of c.roles. It returns an error if the column has a
// role already.
func (c *columnChoice) setRole(i int, role string) error {
	switch c.roles[i] {
	case "": // no role yet
	case role:
		return fmt.Errorf("column %s is named twice as %s; name it once", columnLabel(c.names, i), role)
	default:
		return fmt.Errorf("column %s cannot be both %s and %s; name it once", columnLabel(c.names, i), c.roles[i], role)
	}
	c.roles[i] = role
	return nil
}

// chooseColumns chooses the columns of a table without known Inputs: the columns that the options name,
// and all other columns as inputs. The names are from the file's header, or x1, x2, … if header is
// false. It returns an error if a column is missing, has two roles or shares its name with another.
func (o Options) chooseColumns(names []string, header bool) (columnChoice, error) {
	c := columnChoice{names: names, roles: make([]string, len(names))}
	index := newColumnIndex(names)
	if err := o.chooseNamedColumns(&c, index, header); err != nil {
		return c, err
	}
	if err := o.chooseSplitColumn(&c, index, header); err != nil {
		return c, err
	}
	for _, i := range slices.Concat(c.extras, c.weight, c.splitBy) { // tables refer to these columns by name
		if err := index.checkUnique(i); err != nil {
			return c, err
		}
	}
	if err := o.chooseDefaultTarget(&c); err != nil {
		return c, err
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
	return c, c.checkNames()
}

// chooseNamedColumns sets the targets, extra columns and weight in c, and the roles of the columns that
// the options name. With NoTarget, targets have a role, so that they are no inputs, but are not read.
func (o Options) chooseNamedColumns(c *columnChoice, index columnIndex, header bool) (err error) {
	if _, err := c.findColumns(index, o.Drop, header, "a dropped column"); err != nil {
		return err
	}
	c.targets, err = c.findColumns(index, o.Targets, header, targetRole)
	if err != nil {
		return err
	}
	if o.NoTarget {
		c.targets = nil
	}
	c.extras, err = c.findColumns(index, o.Extra, header, "an extra column")
	if err != nil {
		return err
	}
	c.weight, err = c.findColumns(index, o.weightNames(), header, "the weight")
	return err
}

// findColumns returns the columns that namesOrNumbers name, by name or number, and gives each of them the role.
// It returns an error if there is no such column or it has a role already.
func (c *columnChoice) findColumns(index columnIndex, namesOrNumbers []string, header bool, role string) (columns []int, err error) {
	for _, nameOrNumber := range namesOrNumbers {
		i, err := index.findColumn(nameOrNumber, header)
		if err != nil {
			return nil, err
		}
		if err := c.setRole(i, role); err != nil {
			return nil, err
		}
		columns = append(columns, i)
	}
	return columns, nil
}

// chooseSplitColumn sets c.splitBy to the column that rows are split by, if the options name one. The
// column stays an input unless o.SplitColumnIsNoInput is true. It returns an error if the column is a
// target.
func (o Options) chooseSplitColumn(c *columnChoice, index columnIndex, header bool) error {
	if o.SplitColumn == "" {
		return nil
	}
	i, err := index.findColumn(o.SplitColumn, header)
	if err != nil {
		return err
	}
	c.splitBy = []int{i}
	if c.roles[i] == "" && o.SplitColumnIsNoInput {
		c.roles[i] = splitRole
		return nil
	}
	if c.roles[i] == targetRole {
		return fmt.Errorf("column %s is a target, and rows cannot be split by it; name another column", columnLabel(c.names, i))
	}
	return nil
}

// chooseDefaultTarget takes the last column as the target if the options name none and a target
// is needed. It returns an error if that column has another role.
func (o Options) chooseDefaultTarget(c *columnChoice) error {
	if o.NoTarget || len(o.Targets) > 0 {
		return nil
	}
	last := len(c.names) - 1
	c.targetIsLast = true
	if err := c.setRole(last, targetRole); err != nil {
		return c.explainTarget(err)
	}
	c.targets = []int{last}
	if slices.Contains(c.splitBy, last) {
		return c.explainTarget(fmt.Errorf("column %s is the target, and rows cannot be split by it", columnLabel(c.names, last)))
	}
	return nil
}

// checkNames returns an error unless all columns to read have different names: a table finds its
// columns by name. The split column was checked before.
func (c *columnChoice) checkNames() error {
	columnByName := make(map[string]int, len(c.names)) // names as canonicalName returns them
	for _, i := range slices.Concat(c.inputs, c.targets, c.extras, c.weight) {
		if c.names[i] == "" {
			return fmt.Errorf("column %d has no name; name it in the header, or drop it by its number", i+1)
		}
		name := canonicalName(c.names[i])
		if other, isTaken := columnByName[name]; isTaken {
			return duplicateNameError(i, other, c.names[i])
		}
		columnByName[name] = i
	}
	return nil
}

// weightNames returns the weight's column as a slice, which is empty if there is none.
func (o Options) weightNames() []string {
	if o.Weight == "" {
		return nil
	}
	return []string{o.Weight}
}

// ErrLastColumn is wrapped by errors about the target if no target was named, so that the last
// column was taken.
var ErrLastColumn = errors.New("the last column was taken as the target")

// explainTarget returns an error about the target. If the last column was taken as the target, the
// error says so and wraps ErrLastColumn; otherwise it is err. It returns nil for nil.
func (c *columnChoice) explainTarget(err error) error {
	if err == nil || !c.targetIsLast {
		return err
	}
	return sentinelError{fmt.Errorf("%w; the last column was taken as the target, as none was named", err), ErrLastColumn}
}

// declareKinds sets the kinds, and the date layouts, of the columns that the options declare. It returns
// an error if there is no such column, if it is no input, or if two kinds are declared for it.
func (o Options) declareKinds(index columnIndex, header bool, c *columnChoice) error {
	c.declaredKinds = make(map[int]data.Kind)
	c.declaredLayouts = make(map[int]string)
	for _, nameOrNumber := range o.Categorical {
		if err := c.declareKind(index, nameOrNumber, header, data.Category); err != nil {
			return err
		}
	}
	for _, nameOrNumber := range o.Numeric {
		if err := c.declareKind(index, nameOrNumber, header, data.Number); err != nil {
			return err
		}
	}
	for _, nameOrNumber := range o.Dates {
		if err := c.declareDate(index, nameOrNumber, header); err != nil {
			return err
		}
	}
	return nil
}

// declareKind sets the kind of the column that nameOrNumber names, by name or number.
func (c *columnChoice) declareKind(index columnIndex, nameOrNumber string, header bool, kind data.Kind) error {
	i, err := index.findColumn(nameOrNumber, header)
	if err != nil {
		return err
	}
	return c.setKind(i, kind, "")
}

// declareDate sets the kind of a column of dates, and its layout if that is declared. The declaration
// is the column's name or number, or NAME=LAYOUT such as day=dd.mm.yyyy.
func (c *columnChoice) declareDate(index columnIndex, declaration string, header bool) error {
	i, err := index.findColumn(declaration, header) // a name may have an equals sign
	if err == nil {
		return c.setKind(i, data.Date, "")
	}
	sign := strings.LastIndexByte(declaration, '=')
	if sign <= 0 {
		return err
	}
	i, err = index.findColumn(declaration[:sign], header)
	if err != nil {
		return err
	}
	return c.setKind(i, data.Date, parseLayoutLetters(declaration[sign+1:]))
}

// setKind sets the declared kind of column i, and the layout of its dates, which is "" if it is not
// declared. It returns an error if another kind is declared too, or if the column is neither an
// input nor the split column.
func (c *columnChoice) setKind(i int, kind data.Kind, dateLayout string) error {
	if other := c.declaredKinds[i]; other != "" && other != kind {
		return fmt.Errorf("column %s is declared both a %s and a %s; declare one of them", columnLabel(c.names, i), kind, other)
	}
	if c.roles[i] != "" && !slices.Contains(c.splitBy, i) {
		err := fmt.Errorf("column %s is %s, and only an input can be declared a %s", columnLabel(c.names, i), c.roles[i], kind)
		if slices.Contains(c.targets, i) {
			err = c.explainTarget(err)
		}
		return err
	}
	c.declaredKinds[i] = kind
	c.declaredLayouts[i] = dateLayout
	return nil
}

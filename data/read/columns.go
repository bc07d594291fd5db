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

// Options says which columns of a file are read, and as what. Columns are given
// by name or by number, counted from 1; a name goes before a number.
type Options struct {
	Targets []string // default: the last column of the file
	Drop    []string // columns left unread; they may hold anything
	Extra   []string // further columns, neither inputs nor targets: numbers for an objective to look at
	Weight  string   // column that says how much each row counts, 0 or more; "": all count alike
	Header  Header   // default: HeaderAuto

	// Inputs, when set, are the names of exactly the columns to read as inputs,
	// in this order. A first row that has all of them is a header. In a file without
	// one, columns are found by their places in the Layout of the table that the
	// names are those of, or are the inputs alone where only those are read. If that
	// table had a header, a file without one is an error, but for HeaderNo. Of Extra
	// and Weight, those are read that the file has.
	Inputs []string
	Layout *data.Layout

	// NoTarget reads inputs only, as prediction does. With Inputs set, columns
	// of the targets may be there or not.
	NoTarget bool

	// Raw reads inputs as people have them: texts, dates, values that are missing
	// (Table.Fields), unless Inputs are given. Rows without a target are left out, and
	// one error says all that is wrong. Without it every value read must be a number.
	Raw bool

	// Of a raw table, what columns are that are not to be found out, by name or
	// number. A date may be given with how it is written, NAME=dd.mm.yyyy HH:MM. What
	// is no number in a column that is Numeric is taken for missing.
	Categorical, Numeric, Dates []string

	// Fields, beside Inputs, are what these are in the table that they were known of.
	Fields []data.Field

	// By is a column of any kind by which rows are split, and of which none has no
	// value. It is an input, too, unless it is dropped, or ByAlone: then all that
	// counts is which of its values are the same, whatever they are.
	By      string
	ByAlone bool

	// Keep are columns whose texts are kept as they stand in the file (Table.Kept,
	// Stream.KeepIn), whatever else they are, or nothing; KeepAll keeps those of every
	// column, before them. One that the file lacks is an error.
	Keep    []string
	KeepAll bool

	// Sheet is the sheet of an .xlsx workbook that is read; default: the first.
	Sheet string

	// MaxValues bounds the numbers that a table holds; default 2³¹, which are
	// 16 GiB. A table that the free memory cannot hold is refused earlier.
	MaxValues int

	pieceBytes int // least bytes of text for each goroutine that parses; default minPieceBytes

	literal []int // columns, from 0, whose numbers are kept as texts (rawColumn.literal)
}

// choice is which columns of a file are read.
type choice struct {
	names           []string // of all columns; "" has none
	roles           []string
	inputs, targets []int // positions, from 0
	extras, weight  []int // likewise; of the latter, one or none
	by              []int // likewise
	kept            []int // whose texts are kept
	keptNames       []string

	lastIsTarget bool // the last column was taken as the target, as none was named

	asked map[int]data.Kind // what the user says that columns are
	dates map[int]string    // the layouts that the user gives
}

// read lists the columns that are read, in the order of Table.groups.
func (c *choice) read() [5][]int { return [5][]int{c.inputs, c.targets, c.extras, c.weight, c.by} }

// splitsRows is the role of a column that is nothing else.
const splitsRows = "what rows are split by"

// give gives column i a role, which it must not have two of.
func (c *choice) give(i int, role string) error {
	if c.roles[i] != "" {
		return fmt.Errorf("column %s is asked for as %s and again as %s; ask for it once", label(c.names, i), c.roles[i], role)
	}
	c.roles[i] = role
	return nil
}

// choose finds the columns of a table that is read for the first time: names
// are those of its header, or x1, x2, … if it has none.
func (o Options) choose(names []string, header bool) (c choice, err error) {
	const target = "a target"
	c = choice{names: names, roles: make([]string, len(names))}
	index := indexOf(names)
	find := func(refs []string, role string) (found []int, err error) {
		for _, ref := range refs {
			i, err := index.find(ref, header)
			if err == nil {
				err = c.give(i, role)
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
	if c.weight, err = find(o.weights(), "the weight"); err != nil {
		return c, err
	}
	if o.By != "" {
		i, err := index.find(o.By, header)
		if err != nil {
			return c, err
		}
		c.by = []int{i}
		if c.roles[i] == "" && o.ByAlone {
			c.roles[i] = splitsRows
		} else if slices.Contains(c.targets, i) {
			return c, fmt.Errorf("column %s is a target, and rows cannot be split by it; name another", label(c.names, i))
		}
	}
	for _, i := range slices.Concat(c.extras, c.weight, c.by) { // they are known by name from here on
		if err := index.unique(i); err != nil {
			return c, err
		}
	}
	switch last := len(names) - 1; {
	case o.NoTarget:
		c.targets = nil
	case len(o.Targets) == 0:
		c.lastIsTarget = true
		if err := c.give(last, target); err != nil {
			return c, c.targetError(err)
		}
		if c.targets = []int{last}; slices.Contains(c.by, last) {
			return c, c.targetError(fmt.Errorf("column %s is the target, and rows are split by it", label(c.names, last)))
		}
	}
	for i := range names {
		if c.roles[i] == "" {
			c.inputs = append(c.inputs, i)
		}
	}
	if err := o.kinds(index, header, &c); err != nil {
		return c, err
	}
	o.byKind(&c)
	if len(c.inputs) == 0 {
		return c, fmt.Errorf("no inputs are left of the columns %s; at least one must have no other use", list(names))
	}
	seen := make(map[string]int, len(names)) // by sameText
	for _, i := range slices.Concat(c.inputs, c.targets, c.extras, c.weight) {
		if names[i] == "" {
			return c, fmt.Errorf("column %d has no name; name it in the header, or drop it by its number", i+1)
		}
		if j, twice := seen[sameText(names[i])]; twice {
			return c, sameName(i, j, names[i])
		}
		seen[sameText(names[i])] = i
	}
	return c, nil
}

// weights is the weight's column as a list of one or none.
func (o Options) weights() []string {
	if o.Weight == "" {
		return nil
	}
	return []string{o.Weight}
}

// ErrLastColumn is wrapped by errors of the target if no target was named, so that the last
// column was taken.
var ErrLastColumn = errors.New("the last column was taken as the target")

// targetError adds to an error of the target that none was named.
func (c *choice) targetError(err error) error {
	if err == nil || !c.lastIsTarget {
		return err
	}
	return as(ErrLastColumn, fmt.Sprintf("%v; the last column was taken as the target, as none was named", err))
}

// kinds finds the columns whose kind the user says.
func (o Options) kinds(index columnIndex, header bool, c *choice) error {
	c.asked, c.dates = make(map[int]data.Kind), make(map[int]string)
	for _, of := range []struct {
		refs []string
		kind data.Kind
	}{{o.Categorical, data.Category}, {o.Numeric, data.Number}, {o.Dates, data.Date}} {
		for _, ref := range of.refs {
			i, err := index.find(ref, header)
			layout := ""
			if err != nil && of.kind == data.Date {
				if at := strings.LastIndexByte(ref, '='); at > 0 {
					layout = dateLayout(ref[at+1:])
					i, err = index.find(ref[:at], header)
				}
			}
			if err != nil {
				return err
			}
			if was := c.asked[i]; was != "" && was != of.kind {
				return fmt.Errorf("column %s is said to be %s and %s; say one of them", label(c.names, i), of.kind, was)
			}
			if c.roles[i] != "" && !slices.Contains(c.by, i) {
				err := fmt.Errorf("column %s is %s, and only an input can be said to be a %s", label(c.names, i), c.roles[i], of.kind)
				if slices.Contains(c.targets, i) {
					err = c.targetError(err)
				}
				return err
			}
			c.asked[i], c.dates[i] = of.kind, layout
		}
	}
	return nil
}

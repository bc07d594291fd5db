package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxColumns is the largest number of columns of a file.
const MaxColumns = 100_000

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
	Layout *Layout

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
	Fields []Field

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

	asked map[int]Kind   // what the user says that columns are
	dates map[int]string // the layouts that the user gives
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

// tidyAll returns names as tables have them: without blanks around them, and
// with one between words. Spreadsheets break long names over lines; the break
// means nothing.
func tidyAll(fields []string) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = tidy(f)
	}
	return names
}

func tidy(name string) string { return strings.Join(strings.Fields(name), " ") }

// sameText is what names have in common that read alike: a letter and its accent may be
// one character or two, as the program has it that wrote them.
func sameText(name string) string { return norm.NFC.String(name) }

// columnIndex finds columns by name.
type columnIndex struct {
	names []string
	first map[string]int // by sameText
	again map[string]int // of names that several columns have, the second
}

func indexOf(names []string) columnIndex {
	x := columnIndex{names, make(map[string]int, len(names)), make(map[string]int)}
	for i, name := range names {
		text := sameText(name)
		if _, twice := x.first[text]; !twice {
			x.first[text] = i
		} else if _, known := x.again[text]; !known {
			x.again[text] = i
		}
	}
	return x
}

// lacking lists those names that no column has.
func (x columnIndex) lacking(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := x.first[sameText(name)]
		return ok && name != ""
	})
}

// present lists those names that a column has.
func (x columnIndex) present(names []string) []string {
	lacking := x.lacking(names)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(lacking, name) })
}

// unique is an error for a column that shares its name with another.
func (x columnIndex) unique(i int) error {
	j, twice := x.again[sameText(x.names[i])]
	if !twice || x.names[i] == "" {
		return nil
	}
	return sameName(x.first[sameText(x.names[i])], j, x.names[i])
}

// sameName is the error of columns i and j, from 0, that share a name.
func sameName(i, j int, name string) error {
	return fmt.Errorf("columns %d and %d are both named %s; give each its own name",
		min(i, j)+1, max(i, j)+1, strconv.Quote(name))
}

// all finds the columns of these names, which it calls them by, and gives them a role.
func (x columnIndex) all(names []string, role string, c *choice) ([]int, error) {
	if lacking := x.lacking(names); len(lacking) > 0 {
		return nil, x.noSuch(lacking, role)
	}
	article := map[string]string{"input": "an ", "target": "a ", "extra column": "an ", "weight": "the "}[role]
	var found []int
	for _, name := range names {
		i := x.first[sameText(name)]
		if err := x.unique(i); err != nil {
			return nil, err
		}
		if err := c.give(i, article+role); err != nil {
			return nil, err
		}
		c.names[i] = name
		found = append(found, i)
	}
	return found, nil
}

// noSuch says which names are missing, and which others could be meant.
func (x columnIndex) noSuch(lacking []string, role string) error {
	says := fmt.Sprintf("the %s %s is missing", role, strconv.Quote(lacking[0]))
	if len(lacking) > 1 {
		says = fmt.Sprintf("%d %ss are missing: %s", len(lacking), role, list(lacking))
	}
	return fmt.Errorf("%s; the columns are %s%s", says, list(x.names), x.alike(lacking))
}

// alike hints at columns whose names differ from those that are missing in what
// is easily overlooked.
func (x columnIndex) alike(lacking []string) string {
	columns := make(map[string]string, len(x.names))
	for _, name := range x.names {
		columns[plain(name)] = name
	}
	var hints []string
	for _, name := range lacking {
		if other := columns[plain(name)]; plain(other) != "" && len(hints) < 5 {
			hints = append(hints, fmt.Sprintf("%+q for %+q", other, name))
		}
	}
	if len(hints) == 0 {
		return ""
	}
	return "; names count letter by letter, and the file has " + strings.Join(hints, ", ")
}

// plain is a name's letters and digits of ASCII, in lower case: what is left of
// it whichever way its accents and blanks are written.
func plain(name string) string {
	var out []rune
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.Is(unicode.Mn, r): // a letter and its accent may also be one character
			out = out[:max(0, len(out)-1)]
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out = append(out, r)
		}
	}
	return string(out)
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

// ErrNoColumn is wrapped by the error of a column that is asked for and that a
// file does not have.
var ErrNoColumn = errors.New("no such column")

// find returns the position of the column that ref names or, failing that, numbers.
func (x columnIndex) find(ref string, header bool) (int, error) {
	for _, name := range []string{ref, tidy(ref)} {
		if i, ok := x.first[sameText(name)]; ok && name != "" {
			if err := x.unique(i); err != nil {
				return 0, fmt.Errorf("%w, or name it by its number", err)
			}
			return i, nil
		}
	}
	if n, err := strconv.Atoi(ref); err == nil && n >= 1 && n <= len(x.names) {
		return n - 1, nil
	}
	says := fmt.Sprintf("there is no column %s; the columns are %s, or their numbers 1 to %d", strconv.Quote(ref), list(x.names), len(x.names))
	if !header {
		says += " (the file has no header)"
	}
	parts := strings.FieldsFunc(ref, func(r rune) bool { return r == ',' })
	if len(parts) > 1 && len(x.lacking(tidyAll(parts))) == 0 {
		return 0, as(ErrNoColumn, says+"; several columns are given each by itself")
	}
	return 0, as(ErrNoColumn, says+x.alike([]string{ref}))
}

func pick(names []string, columns []int) []string {
	var out []string
	for _, i := range columns {
		out = append(out, names[i])
	}
	return out
}

package data

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Header says whether the first row of a file holds the columns' names.
type Header string

const (
	// HeaderAuto, also the zero value "", takes the first row for names when a
	// field of it is neither a number nor missing. Columns dropped by number do
	// not count, so that a text column does not turn a sample into a header.
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no" // the columns are named x1, x2, … in file order
)

// Options says which columns of a file are read, and as what. Columns are given
// by name or by number, counted from 1; a name goes before a number.
type Options struct {
	Targets []string // default: the last column of the file
	Drop    []string // columns left unread; they may hold anything
	Header  Header   // default: HeaderAuto

	// Inputs, when set, are the names of exactly the columns to read as inputs,
	// in this order; other columns are ignored. A file without a header is then
	// read by position: it has the inputs, or the inputs and then the Targets.
	Inputs []string

	// NoTarget reads inputs only, as prediction does. With Inputs set, columns
	// of the targets may be there or not.
	NoTarget bool
}

func (o Options) hasHeader(first []string) (bool, error) {
	switch o.Header {
	case HeaderYes:
		return true, nil
	case HeaderNo:
		return false, nil
	case HeaderAuto, "":
		for i, field := range first {
			_, err := strconv.ParseFloat(field, 64)
			number := err == nil || errors.Is(err, strconv.ErrRange)
			if !number && !missing(field) && !slices.Contains(o.Drop, strconv.Itoa(i+1)) {
				return true, nil
			}
		}
		return false, nil
	}
	return false, fmt.Errorf("unknown header setting %q; known are %s, %s, %s", o.Header, HeaderAuto, HeaderYes, HeaderNo)
}

// names returns a name for every column of the file; only a header can leave one empty.
func (o Options) names(first []string, header bool) ([]string, error) {
	names := make([]string, len(first))
	if !header && o.Inputs != nil {
		switch len(first) {
		case len(o.Inputs):
			return o.Inputs, nil
		case len(o.Inputs) + len(o.Targets):
			return slices.Concat(o.Inputs, o.Targets), nil
		}
		return nil, fmt.Errorf("the file has no header and %d columns; %d inputs (%s), alone or followed by %d targets, are needed",
			len(first), len(o.Inputs), list(o.Inputs), len(o.Targets))
	}
	for i := range names {
		if names[i] = "x" + strconv.Itoa(i+1); !header {
			continue
		}
		// Spreadsheets break long names over lines; the break means nothing.
		names[i] = strings.Join(strings.Fields(first[i]), " ")
		if j := slices.Index(names[:i], names[i]); j >= 0 && names[i] != "" {
			return nil, fmt.Errorf("columns %d and %d are both named %q; every column needs its own name", j+1, i+1, names[i])
		}
	}
	return names, nil
}

// choose returns the positions of the inputs and of the targets.
func (o Options) choose(names []string) (inputs, targets []int, err error) {
	const input, target, dropped = "an input", "a target", "a dropped column"
	roles := make([]string, len(names))
	give := func(i int, role string) error {
		if roles[i] != "" {
			return fmt.Errorf("column %s is asked for as %s and again as %s; ask for it once", label(names, i), roles[i], role)
		}
		roles[i] = role
		return nil
	}

	if o.Inputs != nil && len(o.Drop) > 0 {
		return nil, nil, errors.New("columns to drop are given beside the inputs to read; with the inputs given, all others are ignored")
	}
	for _, name := range o.Inputs {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, nil, fmt.Errorf("the input %q is missing; the columns are %s", name, list(names))
		}
		if err := give(i, input); err != nil {
			return nil, nil, err
		}
		inputs = append(inputs, i)
	}
	for _, ref := range o.Drop {
		i, err := find(names, ref)
		if err == nil {
			err = give(i, dropped)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	switch {
	case o.Inputs != nil && o.NoTarget:
	case o.Inputs != nil && len(o.Targets) == 0:
		return nil, nil, errors.New("inputs are given but no target; name the target's column")
	case len(o.Targets) > 0:
		for _, ref := range o.Targets {
			i, err := find(names, ref)
			if err == nil {
				err = give(i, target)
			}
			if err != nil {
				return nil, nil, err
			}
			targets = append(targets, i)
		}
	case !o.NoTarget:
		last := len(names) - 1
		if err := give(last, target+" (the last column is, where none is named)"); err != nil {
			return nil, nil, err
		}
		targets = []int{last}
	}
	if o.NoTarget {
		targets = nil
	}
	if o.Inputs == nil {
		for i := range names {
			if roles[i] == "" {
				inputs = append(inputs, i)
			}
		}
	}
	if len(inputs) == 0 {
		return nil, nil, fmt.Errorf("no inputs are left of the columns %s; at least one must be neither target nor dropped", list(names))
	}
	for _, i := range slices.Concat(inputs, targets) {
		if names[i] == "" {
			return nil, nil, fmt.Errorf("column %d has no name; name it in the header, or drop it by its number", i+1)
		}
	}
	return inputs, targets, nil
}

// find returns the position of the column that ref names or, failing that, numbers.
func find(names []string, ref string) (int, error) {
	if i := slices.Index(names, ref); i >= 0 && ref != "" {
		return i, nil
	}
	if n, err := strconv.Atoi(ref); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	return 0, fmt.Errorf("there is no column %q; the columns are %s, or their numbers 1 to %d", ref, list(names), len(names))
}

func pick(names []string, columns []int) []string {
	var out []string
	for _, i := range columns {
		out = append(out, names[i])
	}
	return out
}

// label shows column i to a reader: its number, and its name where it has one.
func label(names []string, i int) string {
	if names[i] == "" {
		return strconv.Itoa(i + 1)
	}
	return fmt.Sprintf("%d (%s)", i+1, names[i])
}

// list shows names to a reader, the first of them where there are many.
func list(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

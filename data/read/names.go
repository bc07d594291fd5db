package read

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

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

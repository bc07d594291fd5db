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

// tidyAll returns the names without blanks around them and with one blank between words.
// Spreadsheets break long names over lines; the break means nothing.
func cleanNames(fields []string) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = cleanName(f)
	}
	return names
}

func cleanName(name string) string { return strings.Join(strings.Fields(name), " ") }

// sameText returns the composed form of a name, so that names that look the same are equal:
// programs write a letter and its accent as one character or as two.
func canonicalName(name string) string { return norm.NFC.String(name) }

// columnIndex finds columns by name. Its maps have names as sameText returns them.
type columnIndex struct {
	names        []string
	firstColumn  map[string]int // the first column with each name
	secondColumn map[string]int // the second column with each name that several columns have
}

func newColumnIndex(names []string) columnIndex {
	x := columnIndex{names, make(map[string]int, len(names)), make(map[string]int)}
	for i, name := range names {
		text := canonicalName(name)
		if _, twice := x.firstColumn[text]; !twice {
			x.firstColumn[text] = i
		} else if _, known := x.secondColumn[text]; !known {
			x.secondColumn[text] = i
		}
	}
	return x
}

// missingNames returns the names that no column has.
func (x columnIndex) missingNames(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := x.firstColumn[canonicalName(name)]
		return ok && name != ""
	})
}

// presentNames returns the names that a column has.
func (x columnIndex) presentNames(names []string) []string {
	lacking := x.missingNames(names)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(lacking, name) })
}

// unique returns an error if column i shares its name with another column.
func (x columnIndex) checkUnique(i int) error {
	j, twice := x.secondColumn[canonicalName(x.names[i])]
	if !twice || x.names[i] == "" {
		return nil
	}
	return duplicateNameError(x.firstColumn[canonicalName(x.names[i])], j, x.names[i])
}

// sameName returns the error for columns i and j, from 0, with the same name.
func duplicateNameError(i, j int, name string) error {
	return fmt.Errorf("columns %d and %d are both named %s; give each its own name",
		min(i, j)+1, max(i, j)+1, strconv.Quote(name))
}

// missingError returns the error for missing names; it lists the columns that could be meant.
func (x columnIndex) missingError(lacking []string, role string) error {
	says := fmt.Sprintf("the %s %s is missing", role, strconv.Quote(lacking[0]))
	if len(lacking) > 1 {
		says = fmt.Sprintf("%d %ss are missing: %s", len(lacking), role, listNames(lacking))
	}
	return fmt.Errorf("%s; the columns are %s%s", says, listNames(x.names), x.suggestColumns(lacking))
}

// suggestColumns returns the end of an error message: the columns whose names differ from a
// missing name only in case, accents, spacing or punctuation. It returns "" if there are none.
func (x columnIndex) suggestColumns(lacking []string) string {
	columns := make(map[string]string, len(x.names))
	for _, name := range x.names {
		columns[plainForm(name)] = name
	}
	var hints []string
	for _, name := range lacking {
		if other := columns[plainForm(name)]; plainForm(other) != "" && len(hints) < 5 {
			hints = append(hints, fmt.Sprintf("%+q for %+q", other, name))
		}
	}
	if len(hints) == 0 {
		return ""
	}
	return "; names count letter by letter, and the file has " + strings.Join(hints, ", ")
}

// plainForm returns the ASCII letters and digits of a name, in lower case. Two spellings of a name
// that differ in accents or blanks have the same plain form.
func plainForm(name string) string {
	var out []rune
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent: drop its letter, as a composed letter is dropped
			out = out[:max(0, len(out)-1)]
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out = append(out, r)
		}
	}
	return string(out)
}

// ErrNoColumn is wrapped by the error for a column that the file does not have.
var ErrNoColumn = errors.New("no such column")

// find returns the index of the column with the name ref or, failing that, with the number ref.
func (x columnIndex) findColumn(ref string, header bool) (int, error) {
	for _, name := range []string{ref, cleanName(ref)} {
		if i, ok := x.firstColumn[canonicalName(name)]; ok && name != "" {
			if err := x.checkUnique(i); err != nil {
				return 0, fmt.Errorf("%w, or name it by its number", err)
			}
			return i, nil
		}
	}
	if n, err := strconv.Atoi(ref); err == nil && n >= 1 && n <= len(x.names) {
		return n - 1, nil
	}
	says := fmt.Sprintf("there is no column %s; the columns are %s, or their numbers 1 to %d", strconv.Quote(ref), listNames(x.names), len(x.names))
	if !header {
		says += " (the file has no header)"
	}
	parts := strings.FieldsFunc(ref, func(r rune) bool { return r == ',' })
	if len(parts) > 1 && len(x.missingNames(cleanNames(parts))) == 0 {
		return 0, newSentinelError(ErrNoColumn, says+"; several columns are given each by itself")
	}
	return 0, newSentinelError(ErrNoColumn, says+x.suggestColumns([]string{ref}))
}

func namesAt(names []string, columns []int) []string {
	var out []string
	for _, i := range columns {
		out = append(out, names[i])
	}
	return out
}

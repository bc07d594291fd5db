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

// cleanNames returns the names without blanks around them and with one blank between words. Spreadsheets break long
// names over lines; the break means nothing.
func cleanNames(names []string) []string {
	cleaned := make([]string, len(names))
	for i, name := range names {
		cleaned[i] = cleanName(name)
	}
	return cleaned
}

func cleanName(name string) string { return strings.Join(strings.Fields(name), " ") }

// canonicalName returns the composed Unicode form of a name, so that names that look the same are equal.
func canonicalName(name string) string { return norm.NFC.String(name) }

// defaultNames returns names for the columns of a file without a header: x1, x2 and so on.
func defaultNames(columns int) []string {
	names := make([]string, columns)
	for i := range names {
		names[i] = defaultName(i + 1)
	}
	return names
}

// defaultName returns the name of a column, given by its number from 1, of a file without a header.
func defaultName(number int) string { return "x" + strconv.Itoa(number) }

// nameIndex finds columns by name.
type nameIndex struct {
	names         []string         // of all columns
	columnsByName map[string][]int // by canonicalName, ascending
}

// newNameIndex returns an index of columns with the given names, some of which may be equal or "".
func newNameIndex(names []string) nameIndex {
	index := nameIndex{names, make(map[string][]int, len(names))}
	for i, name := range names {
		name = canonicalName(name)
		index.columnsByName[name] = append(index.columnsByName[name], i)
	}
	return index
}

// hasName reports whether a column has the name. The name "" belongs to no column.
func (index nameIndex) hasName(name string) bool {
	return name != "" && len(index.columnsByName[canonicalName(name)]) > 0
}

// missing returns the names that no column has.
func (index nameIndex) missing(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), index.hasName)
}

// present returns the names that a column has.
func (index nameIndex) present(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !index.hasName(name) })
}

// checkUnique returns an error if column i shares its name with another column.
func (index nameIndex) checkUnique(i int) error {
	same := index.columnsByName[canonicalName(index.names[i])]
	if len(same) < 2 || index.names[i] == "" {
		return nil
	}
	return duplicateNameError(same[0], same[1], index.names[i])
}

// duplicateNameError returns the error for columns i and j, from 0, with the same name.
func duplicateNameError(i, j int, name string) error {
	return fmt.Errorf("columns %d and %d are both named %s; give each its own name", min(i, j)+1, max(i, j)+1, strconv.Quote(name))
}

// missingError returns the error for names that no column has, with the columns that could be meant. noun is the
// role of the columns, such as "input".
func (index nameIndex) missingError(missing []string, noun string) error {
	message := fmt.Sprintf("the %s %s is missing", noun, strconv.Quote(missing[0]))
	if len(missing) > 1 {
		message = fmt.Sprintf("%d %ss are missing: %s", len(missing), noun, listNames(missing))
	}
	return fmt.Errorf("%s; the columns are %s%s", message, listNames(index.names), index.suggest(missing))
}

// suggest returns the end of an error message: the columns whose names differ from a missing name only in case, accents,
// spacing or punctuation. It returns "" if there are none.
func (index nameIndex) suggest(missing []string) string {
	const maxSuggestions = 5
	columnByPlainForm := make(map[string]string, len(index.names))
	for _, name := range index.names {
		columnByPlainForm[plainForm(name)] = name
	}
	var suggestions []string
	for _, name := range missing {
		column := columnByPlainForm[plainForm(name)]
		hasLetters := plainForm(column) != "" // otherwise all names without ASCII letters would look alike
		if hasLetters && len(suggestions) < maxSuggestions {
			suggestions = append(suggestions, fmt.Sprintf("%+q for %+q", column, name)) // %+q shows letters beyond ASCII as escapes
		}
	}
	if len(suggestions) == 0 {
		return ""
	}
	return "; names must match letter by letter, and the file has " + strings.Join(suggestions, ", ")
}

// plainForm returns the ASCII letters and digits of a name, in lower case. An accented letter is dropped, composed or not.
func plainForm(name string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, strings.ToLower(canonicalName(name)))
}

// ErrNoColumn is wrapped by the error for a column that the file does not have.
var ErrNoColumn = errors.New("no such column")

// find returns the index of the column with the given name or, if there is none, with the given number, from 1. header
// says whether the file has a header, for the message.
func (index nameIndex) find(nameOrNumber string, header bool) (int, error) {
	for _, name := range []string{nameOrNumber, cleanName(nameOrNumber)} { // the names of a header have single blanks
		if !index.hasName(name) {
			continue
		}
		i := index.columnsByName[canonicalName(name)][0]
		if err := index.checkUnique(i); err != nil {
			return 0, fmt.Errorf("%w, or name it by its number", err)
		}
		return i, nil
	}
	number, err := strconv.Atoi(nameOrNumber)
	if err == nil && number >= 1 && number <= len(index.names) {
		return number - 1, nil
	}
	return 0, index.noColumnError(nameOrNumber, header)
}

// noColumnError returns the error for a column that the file does not have, with the columns that could be meant. header is
// as for find.
func (index nameIndex) noColumnError(nameOrNumber string, header bool) error {
	message := fmt.Sprintf("there is no column %s; the columns are %s, or their numbers 1 to %d", strconv.Quote(nameOrNumber), listNames(index.names), len(index.names))
	if !header {
		message += " (the file has no header)"
	}
	parts := strings.FieldsFunc(nameOrNumber, func(r rune) bool { return r == ',' })
	if len(parts) > 1 && len(index.missing(cleanNames(parts))) == 0 { // the user wrote a,b in place of a and b
		return newSentinelError(ErrNoColumn, message+"; several columns are given each by itself")
	}
	return newSentinelError(ErrNoColumn, message+index.suggest([]string{nameOrNumber}))
}

// namesAt returns the names of the given columns.
func namesAt(names []string, columns []int) []string {
	var picked []string
	for _, i := range columns {
		picked = append(picked, names[i])
	}
	return picked
}

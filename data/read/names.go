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

// cleanNames returns the names as cleanName returns each.
func cleanNames(names []string) []string {
	cleaned := make([]string, len(names))
	for i, name := range names {
		cleaned[i] = cleanName(name)
	}
	return cleaned
}

// cleanName returns a name without blanks around it and with one blank between words. Spreadsheets
// break long names over lines; the break means nothing.
func cleanName(name string) string { return strings.Join(strings.Fields(name), " ") }

// canonicalName returns the composed Unicode form of a name, so that names that look the same are
// equal: programs write a letter and its accent as one character or as two.
func canonicalName(name string) string { return norm.NFC.String(name) }

// columnIndex finds columns by name. The keys of its maps are names as canonicalName returns them.
type columnIndex struct {
	names        []string       // of all columns
	firstColumn  map[string]int // first column with each name
	secondColumn map[string]int // second column with each name that two or more columns have
}

// newColumnIndex returns an index of columns with the given names, some of which may be equal or "".
func newColumnIndex(names []string) columnIndex {
	index := columnIndex{
		names:        names,
		firstColumn:  make(map[string]int, len(names)),
		secondColumn: make(map[string]int),
	}
	for i, name := range names {
		name = canonicalName(name)
		_, hasFirst := index.firstColumn[name]
		_, hasSecond := index.secondColumn[name]
		switch {
		case !hasFirst:
			index.firstColumn[name] = i
		case !hasSecond:
			index.secondColumn[name] = i
		}
	}
	return index
}

// hasName reports whether a column has the name. The name "" belongs to no column.
func (index columnIndex) hasName(name string) bool {
	_, ok := index.firstColumn[canonicalName(name)]
	return ok && name != ""
}

// missingNames returns the names that no column has.
func (index columnIndex) missingNames(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), index.hasName)
}

// presentNames returns the names that a column has.
func (index columnIndex) presentNames(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !index.hasName(name) })
}

// checkUnique returns an error if column i shares its name with another column.
func (index columnIndex) checkUnique(i int) error {
	name := canonicalName(index.names[i])
	second, shared := index.secondColumn[name]
	if !shared || index.names[i] == "" {
		return nil
	}
	return duplicateNameError(index.firstColumn[name], second, index.names[i])
}

// duplicateNameError returns the error for columns i and j, from 0, with the same name.
func duplicateNameError(i, j int, name string) error {
	return fmt.Errorf("columns %d and %d are both named %s; give each its own name",
		min(i, j)+1, max(i, j)+1, strconv.Quote(name))
}

// missingError returns the error for names that no column has. It lists the columns that could be
// meant. The noun, such as "input", is what the error calls a column.
func (index columnIndex) missingError(missing []string, noun string) error {
	message := fmt.Sprintf("the %s %s is missing", noun, strconv.Quote(missing[0]))
	if len(missing) > 1 {
		message = fmt.Sprintf("%d %ss are missing: %s", len(missing), noun, listNames(missing))
	}
	return fmt.Errorf("%s; the columns are %s%s", message, listNames(index.names), index.suggestColumns(missing))
}

// suggestColumns returns the end of an error message: the columns whose names differ from a
// missing name only in case, accents, spacing or punctuation. It returns "" if there are none.
func (index columnIndex) suggestColumns(missing []string) string {
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

// plainForm returns the ASCII letters and digits of a name, in lower case. Two spellings of a name
// that differ in accents or blanks have the same plain form.
func plainForm(name string) string {
	var plain []rune
	for _, r := range strings.ToLower(name) {
		isAccent := unicode.Is(unicode.Mn, r) // follows its letter
		isLetterOrDigit := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		switch {
		case isAccent: // drop the letter too, as a letter composed with its accent is dropped
			plain = plain[:max(0, len(plain)-1)]
		case isLetterOrDigit:
			plain = append(plain, r)
		}
	}
	return string(plain)
}

// ErrNoColumn is wrapped by the error for a column that the file does not have.
var ErrNoColumn = errors.New("no such column")

// findColumn returns the index, from 0, of the column with the given name or, if there is none, with the
// given number, from 1. It returns an error that wraps ErrNoColumn if there is no such column, and
// another error if several columns have the name. header says whether the file has a header, for the
// message.
func (index columnIndex) findColumn(nameOrNumber string, header bool) (int, error) {
	for _, name := range []string{nameOrNumber, cleanName(nameOrNumber)} { // the names of a header have single blanks
		if !index.hasName(name) {
			continue
		}
		i := index.firstColumn[canonicalName(name)]
		if err := index.checkUnique(i); err != nil {
			return 0, fmt.Errorf("%w, or name it by its number", err)
		}
		return i, nil
	}
	number, err := strconv.Atoi(nameOrNumber)
	if err == nil && number >= 1 && number <= len(index.names) {
		return number - 1, nil
	}
	return 0, newSentinelError(ErrNoColumn, index.explainNoColumn(nameOrNumber, header))
}

// explainNoColumn returns the message for a column that the file does not have.
func (index columnIndex) explainNoColumn(nameOrNumber string, header bool) string {
	message := fmt.Sprintf("there is no column %s; the columns are %s, or their numbers 1 to %d", strconv.Quote(nameOrNumber), listNames(index.names), len(index.names))
	if !header {
		message += " (the file has no header)"
	}
	parts := strings.FieldsFunc(nameOrNumber, func(r rune) bool { return r == ',' })
	listsColumns := len(parts) > 1 && len(index.missingNames(cleanNames(parts))) == 0
	if listsColumns { // the user wrote a,b in place of a and b
		return message + "; several columns are given each by itself"
	}
	return message + index.suggestColumns([]string{nameOrNumber})
}

// namesAt returns the names of the given columns.
func namesAt(names []string, columns []int) []string {
	var picked []string
	for _, i := range columns {
		picked = append(picked, names[i])
	}
	return picked
}

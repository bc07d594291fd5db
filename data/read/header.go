package read

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Header says whether the first row of a file holds the columns' names.
type Header string

const (
	// HeaderAuto, also the zero value "", takes the first row for names if it has a text above
	// a column of numbers, or if it has the names that the options ask for. A row of numbers
	// and missing values is not a header; columns dropped by number do not count. A row that
	// could be either is an error.
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no" // the columns are named x1, x2, … in file order
)

// ErrHeader is wrapped by the error for a first row that may or may not be a header.
var ErrHeader = errors.New("unclear header")

// lookAhead is the number of rows after the first for recognising a header.
const lookAheadRows = 100

// detect reports whether the first row of a file is a header. peek(n) returns the n-th row
// after it, or nil if the file has ended. The note tells the user that the row looks like the
// opposite; it is "" otherwise.
func (o Options) detectHeader(first []string, peek func(int) []string) (header bool, note string, err error) {
	switch {
	case o.Header == HeaderYes, o.Header == HeaderNo:
		return o.Header == HeaderYes, "", nil
	case o.hasRequestedName(first):
		return true, "", nil
	}
	var words, numbers []int // columns
	for i, field := range first {
		if slices.Contains(o.Drop, strconv.Itoa(i+1)) {
			continue
		}
		switch classifyCell(field) {
		case textCell:
			words = append(words, i)
		case numberCell:
			numbers = append(numbers, i)
		}
	}
	names := slices.ContainsFunc(words, func(i int) bool { return !firstValueIsText(i, first[i], peek) })
	switch {
	case len(words) == 0 && isSequence(first) && !areSequencesBelow(peek):
		return false, fmt.Sprintf(namesAsNumbersNote, listNames(first)), nil
	case !names:
		return false, "", nil
	case len(numbers) == 0:
		return true, "", nil
	case len(numbers) < len(words), couldBeNames(namesAt(first, numbers)):
		return true, fmt.Sprintf(numbersAsNamesNote, listNames(first)), nil
	}
	return false, "", newSentinelError(ErrHeader, fmt.Sprintf("the first row (%s) may be names or a sample: %s is no number, and others are; say whether there is a header",
		listNames(first), quoteShort(first[words[0]])))
}

// Notes on a row that is, or is not, taken for a header.
const (
	numbersAsNamesNote = "the first row (%s) is read as names, though there are numbers among them"
	namesAsNumbersNote = "the first row (%s) is read as numbers, though it looks like names"
)

// namesIn reports whether the row has the name of a column that the options ask for.
func (o Options) hasRequestedName(first []string) bool {
	refs := make(map[string]bool)
	for _, ref := range slices.Concat(o.Targets, o.Drop, o.Extra, o.weightNames(), []string{o.By}, o.Keep) {
		place, err := strconv.Atoi(ref)
		if classifyCell(ref) == textCell || err == nil && place > len(first) { // a number above all places is a name
			refs[canonicalName(cleanName(ref))] = true
		}
	}
	return len(refs) > 0 && slices.ContainsFunc(first, func(f string) bool { return refs[canonicalName(cleanName(f))] })
}

// textBelow reports whether the first value of a column is text. A percentage is text only
// below another percentage, which then is a value as well.
func firstValueIsText(column int, first string, peek func(int) []string) bool {
	writing := classifyIgnoringPercent
	if classifyCell(first) != classifyIgnoringPercent(first) {
		writing = classifyCell
	}
	for n := 1; n <= lookAheadRows; n++ {
		row := peek(n)
		if row == nil {
			return false
		}
		if column < len(row) && writing(row[column]) != missingCell {
			return writing(row[column]) == textCell
		}
	}
	return false
}

// writingWithoutPercent is writingOf, but percentages are numbers.
func classifyIgnoringPercent(field string) cellKind {
	if number, ok := strings.CutSuffix(field, "%"); ok && number != "" {
		return classifyCell(strings.TrimRight(number, " "))
	}
	return classifyCell(field)
}

// isCounting reports whether a row has at least three whole numbers that go strictly up or down,
// as numbered columns, years and wavelengths do.
func isSequence(row []string) bool {
	return len(row) >= 3 && isMonotone(row) && areWholeNumbers(row)
}

// mayBeNames reports whether numbers may be names, such as years and wavelengths.
func couldBeNames(numbers []string) bool {
	return isMonotone(numbers) && (len(numbers) > 2 || areWholeNumbers(numbers))
}

// areWholeNumbers reports whether all fields are whole numbers.
func areWholeNumbers(fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { _, err := strconv.Atoi(f); return err != nil })
}

// isCountingBelow reports whether the next 10 rows, or all of fewer, are counting too.
func areSequencesBelow(peek func(int) []string) bool {
	for n := 1; n <= 10; n++ {
		if row := peek(n); row == nil || !isSequence(row) {
			return row == nil
		}
	}
	return true
}

// isMonotone reports whether numbers go strictly up or strictly down.
func isMonotone(fields []string) bool {
	up, down := true, true
	before := math.NaN()
	for i, f := range fields {
		v, ok, _ := parseNumber(f)
		up, down = up && ok && (i == 0 || v > before), down && ok && (i == 0 || v < before)
		before = v
	}
	return up || down
}

// headlessNames returns names for the columns of a file without a header: x1, x2 and so on.
func defaultNames(columns int) []string {
	names := make([]string, columns)
	for i := range names {
		names[i] = defaultName(i + 1)
	}
	return names
}

func defaultName(place int) string { return "x" + strconv.Itoa(place) }

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
	// a column of numbers or dates, or if it has a name that the options ask for. A row of numbers and
	// missing values is not a header; columns dropped by number do not count. A row that could
	// be either is an error.
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no" // the columns are named x1, x2, … in the order of the file
)

// ErrHeader is wrapped by the error for a first row that may or may not be a header.
var ErrHeader = errors.New("unclear header")

// lookAheadRows is the number of rows after the first used to recognise a header.
const lookAheadRows = 100

// Notes for the user on a first row that was taken for a header or for values.
const (
	numbersAsNamesNote = "the first row (%s) is read as names, though there are numbers among them"
	namesAsNumbersNote = "the first row (%s) is read as numbers, though it looks like names"
)

// detectHeader reports whether the first row of a file is a header: whether it has a text above a column of numbers or, if
// it has no numbers, another text above a date. peek(n) returns the n-th row after it, or nil if the file has ended. note
// tells the user that the row looks like the opposite; it is "" otherwise. A row that could be either is an error that wraps
// ErrHeader.
func (o Options) detectHeader(firstRow []string, peek func(int) []string) (header bool, note string, err error) {
	switch {
	case o.Header == HeaderYes, o.Header == HeaderNo:
		return o.Header == HeaderYes, "", nil
	case o.hasRequestedName(firstRow):
		return true, "", nil
	}
	texts, numbers := o.textsAndNumbers(firstRow)
	if len(texts) == 0 {
		return false, noteNumberedColumns(firstRow, peek), nil
	}
	hasNames := hasNameAboveNumber(firstRow, texts, peek)
	switch {
	case len(numbers) == 0:
		return hasNames || hasNameAboveDate(firstRow, texts, peek), "", nil
	case !hasNames: // every text stands above texts
		return false, "", nil
	case len(numbers) < len(texts), couldBeNames(namesAt(firstRow, numbers)):
		return true, fmt.Sprintf(numbersAsNamesNote, listNames(firstRow)), nil
	}
	return false, "", newSentinelError(ErrHeader, fmt.Sprintf("the first row (%s) may be names or a sample: %s is not a number, and others are; declare whether there is a header",
		listNames(firstRow), quoteShort(firstRow[texts[0]])))
}

// noteNumberedColumns returns the note on a first row without texts whose numbers look like the names of columns, such as
// years, and "" if they do not. peek is as for detectHeader.
func noteNumberedColumns(firstRow []string, peek func(int) []string) string {
	if !isSequence(firstRow) || areSequencesBelow(peek) {
		return ""
	}
	return fmt.Sprintf(namesAsNumbersNote, listNames(firstRow))
}

// hasNameAboveNumber reports whether one of the columns has a text in the first row and no text below it. peek is as for
// detectHeader.
func hasNameAboveNumber(firstRow []string, texts []int, peek func(int) []string) bool {
	return slices.ContainsFunc(texts, func(column int) bool {
		return !firstValueIsText(column, firstRow[column], peek)
	})
}

// hasNameAboveDate reports whether one of the columns has a date below another text in the first row. peek is as for
// detectHeader.
func hasNameAboveDate(firstRow []string, texts []int, peek func(int) []string) bool {
	return slices.ContainsFunc(texts, func(column int) bool {
		return !looksLikeDate(firstRow[column]) && looksLikeDate(firstValue(column, peek))
	})
}

// textsAndNumbers returns the columns whose cell in the first row is a text, and the columns whose cell
// is a number. It leaves out columns that the options drop by number.
func (o Options) textsAndNumbers(firstRow []string) (texts, numbers []int) {
	for i, field := range firstRow {
		if slices.Contains(o.Drop, strconv.Itoa(i+1)) {
			continue
		}
		switch classifyCell(field) {
		case textCell:
			texts = append(texts, i)
		case numberCell:
			numbers = append(numbers, i)
		}
	}
	return texts, numbers
}

// hasRequestedName reports whether the first row has the name of a column that the options request.
// A number among the options is a name only if the file has fewer columns.
func (o Options) hasRequestedName(firstRow []string) bool {
	isRequested := make(map[string]bool) // by canonicalName
	for _, nameOrNumber := range slices.Concat(o.Targets, o.Drop, o.Extra, oneOrNone(o.Weight), []string{o.SplitColumn}, o.Keep) {
		number, err := strconv.Atoi(nameOrNumber)
		exceedsColumns := err == nil && number > len(firstRow)
		if classifyCell(nameOrNumber) == textCell || exceedsColumns {
			isRequested[canonicalName(cleanName(nameOrNumber))] = true
		}
	}
	return slices.ContainsFunc(firstRow, func(name string) bool { return isRequested[canonicalName(cleanName(name))] })
}

// firstValueIsText reports whether the first value of a column below its cell in the first row is text.
// peek(n) returns the n-th row below. A percentage such as 5% counts as a number below a name. Below
// another percentage it counts as text, like that: the first row then holds values.
func firstValueIsText(column int, firstCell string, peek func(int) []string) bool {
	classify := classifyIgnoringPercent
	firstIsPercentage := classifyCell(firstCell) != classifyIgnoringPercent(firstCell)
	if firstIsPercentage {
		classify = classifyCell
	}
	return classify(firstValue(column, peek)) == textCell
}

// firstValue returns the first value of a column below the first row, and "" if the next rows have none. peek(n) returns
// the n-th row below.
func firstValue(column int, peek func(int) []string) string {
	for n := 1; n <= lookAheadRows; n++ {
		row := peek(n)
		if row == nil {
			return ""
		}
		if column < len(row) && classifyCell(row[column]) != missingCell {
			return row[column]
		}
	}
	return ""
}

// classifyIgnoringPercent returns the kind of a cell, as classifyCell does, but a percentage is a
// number.
func classifyIgnoringPercent(field string) cellKind {
	if number, ok := strings.CutSuffix(field, "%"); ok && number != "" {
		return classifyCell(strings.TrimRight(number, " "))
	}
	return classifyCell(field)
}

// isSequence reports whether a row has at least three whole numbers that go strictly up or down,
// as numbered columns, years and wavelengths do.
func isSequence(row []string) bool {
	return len(row) >= 3 && isMonotone(row) && areWholeNumbers(row)
}

// couldBeNames reports whether numbers may be names, such as years and wavelengths.
func couldBeNames(numbers []string) bool {
	return isMonotone(numbers) && (len(numbers) > 2 || areWholeNumbers(numbers))
}

// areWholeNumbers reports whether all fields are whole numbers.
func areWholeNumbers(fields []string) bool {
	for _, f := range fields {
		if _, err := strconv.Atoi(f); err != nil {
			return false
		}
	}
	return true
}

// areSequencesBelow reports whether the next rows, or all rows if there are fewer, are sequences,
// too. A table of sequences, such as cumulative counts, has no row of names. peek(n) returns the n-th
// row after the first.
func areSequencesBelow(peek func(int) []string) bool {
	const checkedRows = 10
	for n := 1; n <= checkedRows; n++ {
		row := peek(n)
		if row == nil {
			return true
		}
		if !isSequence(row) {
			return false
		}
	}
	return true
}

// isMonotone reports whether all fields are numbers that go strictly up or strictly down.
func isMonotone(fields []string) bool {
	goesUp, goesDown := true, true
	previous := math.NaN()
	for i, field := range fields {
		v, isNumber, _ := parseNumber(field)
		if !isNumber {
			return false
		}
		if i > 0 {
			goesUp = goesUp && v > previous
			goesDown = goesDown && v < previous
		}
		previous = v
	}
	return goesUp || goesDown
}

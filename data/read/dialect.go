package read

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// dialect says how delimited text is divided into rows and fields.
type dialect struct {
	delimiter rune
	columns   int // number of fields of most rows; 0 if it is not known, and no line is a comment
}

// anyColumns is a number of columns that no line has, so that all lines that begin with # are comments.
const anyColumns = -1

// isComment reports whether a line of the file is a comment: it begins with #, has not as many fields as the rows, and does
// not end within a quoted field, as the first line of a row may. The number of rows, as databases print it, is a comment, and
// so are lines that are drawn with dashes in a table with vertical bars.
func (d dialect) isComment(line []byte) bool {
	switch {
	case d.columns == 0:
		return false
	case line[0] == '#':
		return d.countFields(line) != d.columns && !d.endsInQuotes(line)
	case line[0] == '(':
		return d.columns != 1 && rowCountLine.Match(line)
	}
	return d.delimiter == '|' && drawnLine.Match(line)
}

// drawnLine matches a line such as -----+----- or |:---|---:|.
var drawnLine = regexp.MustCompile(`^[-+=|: ]*(---|===)[-+=|: ]*\r?\n?$`)

// rowCountLine matches the last line of the tables that databases print, such as (150 rows).
var rowCountLine = regexp.MustCompile(`^\([0-9]+ rows?( affected)?\)\r?\n?$`)

// hasCells reports whether a line without quotes has the given cells, which are not blank.
func (d dialect) hasCells(line []byte, cells []string) bool {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte(cells[0])) { // nearly all lines
		return false
	}
	parts := bytes.Fields(line)
	if d.delimiter != ' ' {
		parts = bytes.Split(line, []byte{byte(d.delimiter)})
	}
	return slices.EqualFunc(parts, cells, func(part []byte, cell string) bool { return string(bytes.TrimSpace(part)) == cell })
}

// endsInQuotes reports whether the last field of a line begins with a quote and is not closed, so that the row goes on in
// the next line.
func (d dialect) endsInQuotes(line []byte) bool {
	inQuotes := false
	for i, b := range line {
		beginsField := i > 0 && line[i-1] == byte(d.delimiter)
		if b == '"' && (inQuotes || beginsField) {
			inQuotes = !inQuotes
		}
	}
	return inQuotes
}

// countFields returns the number of fields of a line. Delimiters between quotes divide no fields.
func (d dialect) countFields(line []byte) int {
	if d.delimiter == ' ' {
		return len(bytes.Fields(line))
	}
	fields := 1
	inQuotes := false
	for _, b := range line {
		switch {
		case b == '"':
			inQuotes = !inQuotes
		case b == byte(d.delimiter) && !inQuotes:
			fields++
		}
	}
	return fields
}

// delimiterNames are the names of delimiters in messages.
var delimiterNames = map[rune]string{
	',':  "commas",
	';':  "semicolons",
	'\t': "tabs",
	'|':  "vertical bars",
	' ':  "blanks",
}

// delimiterName returns the delimiter in words, such as "commas".
func (d dialect) delimiterName() string {
	if name := delimiterNames[d.delimiter]; name != "" {
		return name
	}
	return string(d.delimiter)
}

// separatorLine matches the first line by which Excel and others declare the delimiter, such as sep=;
var separatorLine = regexp.MustCompile(`^"?(?i:sep)=([!$%&*,/:;<=>?@\\^_|~\t ])"?[;,\t ]*\r?\n`)

// lineCount counts lines of a file.
type lineCount struct {
	first int // number of the first of them, from 1
	count int
}

// add adds n lines. first is the number of the first of them.
func (l *lineCount) add(first, n int) {
	if l.count == 0 && n > 0 {
		l.first = first
	}
	l.count += n
}

// remarks returns at most one line for the user, such as "t.csv: line 3 is a comment and is skipped". one and several are the
// predicates of one line and of several lines.
func (l lineCount) remarks(file, one, several string) []string {
	switch l.count {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("%s: line %d %s and is skipped", file, l.first, one)}
	}
	return []string{fmt.Sprintf("%s: %d lines %s and are skipped; the first is line %d", file, l.count, several, l.first)}
}

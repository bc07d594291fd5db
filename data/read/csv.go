package read

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// textReader reads the rows of delimited text one after the other. Blocks of lines may also be
// taken from its buffer (readLines, discard); the CSV reader does not see these.
type textReader struct {
	filePosition // of the last row's first line
	csv          *csv.Reader
	source       *sourceReader
	buffered     *bufio.Reader // reads source; csv reads from it

	linesRead    int   // number of lines that csv has read
	skippedLines int   // number of lines that were taken from the buffer in blocks
	skippedBytes int64 // number of bytes of these lines
}

// maxFirstRow is the number of bytes of the first row used to recognise the format.
const maxFirstRow = 1 << 16

// whitespace are the characters that may stand before the first row.
const whitespace = " \t\r\n"

const byteOrderMark = "\xef\xbb\xbf"

// hasByteOrderMark reports whether a byte order mark comes next. If there is none, it waits only
// for the first byte.
func (r *textReader) hasByteOrderMark() bool {
	return hasPrefix(r.buffered, byteOrderMark)
}

// peekFirstRow waits for the first row with text, but for no more than maxFirstRow bytes. It
// returns the row, perhaps with text after it, and leaves it in the buffer.
func peekFirstRow(r *bufio.Reader) []byte {
	for wantedBytes := 1; ; wantedBytes = r.Buffered() + 1 { // each time one byte more than before
		_, err := r.Peek(min(wantedBytes, maxFirstRow))
		head, _ := r.Peek(min(r.Buffered(), maxFirstRow))
		trimmed := bytes.TrimLeft(head, whitespace)
		hasRow := firstRowEnd(trimmed) >= 0 && !jsonUndecided.Match(trimmed) // a lone brace may begin JSON
		isOtherFormat := explainNonTable(trimmed) != "" || isJSON(trimmed)
		if err != nil || len(head) == maxFirstRow || hasRow || isOtherFormat {
			return head
		}
	}
}

// firstRowEnd returns the index of the line feed that ends the first row, or −1. Line feeds
// between quotes do not end it. A quote inside an unquoted field is a mistake and opens no quoted
// text.
func firstRowEnd(head []byte) int {
	inQuotes := false
	for i, b := range head {
		switch {
		case b == '"':
			const charactersBeforeField = ",;\t \n\""
			beginsField := i == 0 || strings.IndexByte(charactersBeforeField, head[i-1]) >= 0
			if inQuotes || beginsField {
				inQuotes = !inQuotes
			}
		case b == '\n' && !inQuotes:
			return i
		}
	}
	return -1
}

// findDelimiter returns the delimiter of the first row: the first of semicolon, tab, comma and blank
// that occurs outside of quotes, and a comma if none does. A semicolon goes before a comma, which may
// be a decimal comma; a blank comes last, as names have blanks.
func findDelimiter(head []byte) rune {
	head = bytes.TrimLeft(head, whitespace)
	if end := firstRowEnd(head); end >= 0 {
		head = head[:end]
	}
	var unquoted []byte
	for i, part := range bytes.Split(head, []byte{'"'}) {
		if i%2 == 0 { // every second part is between quotes
			unquoted = append(unquoted, part...)
		}
	}
	for _, delimiter := range ";\t, " {
		if bytes.ContainsRune(unquoted, delimiter) {
			return delimiter
		}
	}
	return ','
}

// delimiterName returns the delimiter in words, such as "commas".
func (r *textReader) delimiterName() string {
	switch r.csv.Comma {
	case ',':
		return "commas"
	case ';':
		return "semicolons"
	case '\t':
		return "tabs"
	}
	return "blanks"
}

func (r *textReader) useColumns([]bool) error { return nil }
func (r *textReader) hasNames() bool          { return false }
func (r *textReader) offset() (int64, bool)   { return r.nextRowOffset(), !r.source.converted.Load() }
func (r *textReader) close()                  { r.source.close() }

// isReady reports whether a whole line is buffered, or more text of the input has arrived.
func (r *textReader) isReady() bool {
	text, _ := r.buffered.Peek(r.buffered.Buffered())
	return bytes.IndexByte(text, '\n') >= 0 || r.source.hasMore()
}

// next returns the fields, without blanks around them, of the next row that is not blank. It
// returns io.EOF after the last row. The slice, but not its strings, is overwritten by the next
// call.
func (r *textReader) next() ([]string, error) {
	for {
		r.source.rowStart = r.nextRowOffset()
		fields, err := r.csv.Read()
		if err != nil {
			return nil, r.explainError(err)
		}
		r.countLines(fields)
		skipsEmpty := r.csv.Comma == ' ' || len(fields) == 1 // a run of blanks is one delimiter, and a blank line is no row
		trimmed := fields[:0]
		for i, field := range fields {
			text := strings.TrimSpace(field)
			if skipsEmpty && text == "" && r.isUnquotedBlank(i, len(fields), len(field)) {
				continue
			}
			trimmed = append(trimmed, text)
		}
		if len(trimmed) > 0 {
			return trimmed, nil
		}
	}
}

// countLines sets r.line to the first line of the row that csv read last, and r.linesRead to its last
// line as csv counts lines.
func (r *textReader) countLines(fields []string) {
	first, _ := r.csv.FieldPos(0)
	r.line = r.skippedLines + first
	last := len(fields) - 1
	lastFieldLine, _ := r.csv.FieldPos(last)
	r.linesRead = lastFieldLine + strings.Count(fields[last], "\n") // a quoted field may have several lines
}

// isUnquotedBlank reports whether field i of the row that csv read last, of n fields, has no quotes. The
// field consists of the given number of blanks. A field written as "" is a missing value, not a blank.
//
// The CSV reader does not tell whether a field has quotes. But it tells the column, counted in bytes,
// at which each field begins, and quotes take two more bytes.
func (r *textReader) isUnquotedBlank(i, n, blanks int) bool {
	_, column := r.csv.FieldPos(i)
	isLast := i+1 == n
	if isLast {
		return column > 1 || blanks > 0 // csv skips empty lines, so that a row of one empty field has quotes
	}
	_, nextColumn := r.csv.FieldPos(i + 1)
	return nextColumn == column+blanks+1
}

// explainError returns the error of the CSV reader with its position, and io.EOF unchanged. A mistake
// after which the next row can be found is a *rowError.
func (r *textReader) explainError(err error) error {
	var syntax *csv.ParseError
	var format *formatError
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &syntax):
		return r.quoteError(syntax)
	case errors.As(err, &format) && format.line > 0:
		r.line = format.line
		return r.failf("%w", err)
	case errors.As(err, &format), r.line == 0: // the error concerns the whole file
		return fmt.Errorf("%s: %w", r.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// quoteError returns the error for quotes that do not match, and sets the line numbers. If the row has
// one line, the next row begins in the next line, and the error is a *rowError. Otherwise the end of
// the row is not known, and the error ends the reading.
func (r *textReader) quoteError(syntax *csv.ParseError) error {
	r.line = r.skippedLines + syntax.StartLine
	r.linesRead = syntax.Line
	mistake := "a quote within a field that does not begin with one"
	if errors.Is(syntax.Err, csv.ErrQuote) {
		mistake = "a quote that is not closed, or text after a closing quote"
	}
	err := fmt.Errorf(`quotes do not match (%s, in line %d); a field with quotes in it is written "like ""this"""`, mistake, r.skippedLines+syntax.Line)
	if syntax.StartLine == syntax.Line {
		return r.rowError(-1, err)
	}
	return r.failf("%w", err)
}

// appendNumbers appends the numbers in the given columns of a row to dst. If a field is not a
// number, it returns an error and the field's column. A workbook may show a number as a percentage.
func (s *Stream) appendNumbers(dst []float64, fields []string, columns []int) (_ []float64, badColumn int, err error) {
	for _, i := range columns {
		v, ok, err := s.notation.parseNumber(fields[i])
		if !ok && s.isWorkbook {
			v, ok = s.notation.parsePercentage(fields[i])
		}
		if !ok {
			return dst, i, fmt.Errorf("column %s: %s", columnLabel(s.columns.names, i), s.notation.explainNonNumber(fields[i], err))
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

// appendRawCells appends the values of the given columns of a row to dst. raws has the reader of each
// of these columns. If a field has a mistake, it returns an error and the field's column.
func appendRawCells(dst []float64, fields []string, raws []*rawColumn, columns []int, line int) (_ []float64, badColumn int, err error) {
	for k, i := range columns {
		v, err := raws[k].value(fields[i], line)
		if err != nil {
			return dst, i, err
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

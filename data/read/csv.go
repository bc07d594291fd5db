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
	skippedLines int   // number of lines that were discarded
	skippedBytes int64 // bytes of these lines
}

// maxFirstRow is the number of bytes of the first row that are used to recognise the format.
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
	for n := 1; ; n = r.Buffered() + 1 {
		_, err := r.Peek(min(n, maxFirstRow))
		head, _ := r.Peek(min(r.Buffered(), maxFirstRow))
		trimmed := bytes.TrimLeft(head, whitespace)
		hasRow := firstRowEnd(trimmed) >= 0 && !jsonUndecided.Match(trimmed)
		isOther := explainNonTable(trimmed) != "" || isJSON(trimmed)
		if err != nil || len(head) == maxFirstRow || hasRow || isOther {
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
			beginsField := i == 0 || bytes.IndexByte([]byte(",;\t \n\""), head[i-1]) >= 0
			if inQuotes || beginsField {
				inQuotes = !inQuotes
			}
		case b == '\n' && !inQuotes:
			return i
		}
	}
	return -1
}

// findDelimiter returns the delimiter of the first row, and looks only outside of quotes. A
// semicolon goes before a comma, which may be a decimal comma; a blank comes last, as names
// have blanks.
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

// isReady reports whether a whole line is buffered, or the input has more text.
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
		kept := fields[:0]
		for i, f := range fields {
			text := strings.TrimSpace(f)
			mayBeNone := text == "" && (r.csv.Comma == ' ' || len(fields) == 1) // a run of blanks is one delimiter, and a blank line is no row
			if mayBeNone && r.isUnquotedBlank(i, len(fields), len(f)) {
				continue
			}
			kept = append(kept, text)
		}
		if len(kept) > 0 {
			return kept, nil
		}
	}
}

// countLines sets the numbers of the first and the last line of the row that csv read last.
func (r *textReader) countLines(fields []string) {
	first, _ := r.csv.FieldPos(0)
	r.line = r.skippedLines + first
	last := len(fields) - 1
	lastFieldLine, _ := r.csv.FieldPos(last)
	r.linesRead = lastFieldLine + strings.Count(fields[last], "\n") // a quoted field may have several lines
}

// isUnquotedBlank reports whether field i of n fields, which consists of the given number of
// blanks, has no quotes: a field written as "" is a missing value.
func (r *textReader) isUnquotedBlank(i, n, blanks int) bool {
	_, column := r.csv.FieldPos(i)
	if i+1 < n {
		_, nextColumn := r.csv.FieldPos(i + 1)
		return nextColumn == column+blanks+1
	}
	return column > 1 || blanks > 0 // csv skips empty lines, so that an empty row has quotes
}

// explainError returns the error of the CSV reader with its position. A mistake after which the
// next row can be found is a *rowError.
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
	case errors.As(err, &format), r.line == 0:
		return fmt.Errorf("%s: %w", r.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// quoteError returns the error for quotes that do not match. If they are in the row's first line,
// the next row begins in the next line.
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
// number, it returns an error and the field's column.
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

// appendRawCells appends the values of the given columns of a row, which raw reads, to dst. If a
// field has a mistake, it returns an error and the field's column.
func appendRawCells(dst []float64, fields []string, raw []*rawColumn, columns []int, line int) (_ []float64, badColumn int, err error) {
	for k, i := range columns {
		v, err := raw[k].value(fields[i], line)
		if err != nil {
			return dst, i, err
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

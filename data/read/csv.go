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

// records reads the rows of delimited text one after the other.
type textReader struct {
	filePosition // position of the last row's first line
	csv          *csv.Reader
	source       *sourceReader
	buffered     *bufio.Reader // reads in; csv reads from it

	linesRead    int   // number of lines that csv has read
	skippedLines int   // number of lines that skip discarded, which csv has not seen
	skippedBytes int64 // bytes of these lines
}

const (
	maxFirstRow = 1 << 16 // bytes of the first row for recognising the format
	whitespace  = " \t\r\n"
)

const byteOrderMark = "\xef\xbb\xbf"

// hasMark reports whether a byte order mark comes next. If there is none, it waits only for the
// first byte.
func (r *textReader) hasByteOrderMark() bool {
	if first, _ := r.buffered.Peek(1); string(first) != byteOrderMark[:1] {
		return false
	}
	mark, _ := r.buffered.Peek(len(byteOrderMark))
	return string(mark) == byteOrderMark
}

// firstRow waits for the first row with text, but for no more than textBuffer bytes. It returns
// the row and leaves it in the buffer.
func peekFirstRow(r *bufio.Reader) []byte {
	for n := 1; ; n = r.Buffered() + 1 {
		_, err := r.Peek(min(n, maxFirstRow))
		head, _ := r.Peek(min(r.Buffered(), maxFirstRow))
		trimmed := bytes.TrimLeft(head, whitespace)
		if err != nil || len(head) == maxFirstRow || firstRowEnd(trimmed) >= 0 && !jsonUndecided.Match(trimmed) || explainNonTable(trimmed) != "" || isJSON(trimmed) {
			return head
		}
	}
}

// endOfRow returns the index of the line feed that ends the first row, or −1. A quote inside an
// unquoted field is a mistake and opens no quoted text.
func firstRowEnd(head []byte) int {
	inQuotes := false
	for i, b := range head {
		switch {
		case b == '"' && (inQuotes || i == 0 || bytes.IndexByte([]byte(",;\t \n\""), head[i-1]) >= 0):
			inQuotes = !inQuotes
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
	var outside []byte
	for i, part := range bytes.Split(head, []byte{'"'}) {
		if i%2 == 0 {
			outside = append(outside, part...)
		}
	}
	for _, d := range ";\t, " {
		if bytes.ContainsRune(outside, d) {
			return d
		}
	}
	return ','
}

func (r *textReader) delimiterName() string {
	return map[rune]string{',': "commas", ';': "semicolons", '\t': "tabs", ' ': "blanks"}[r.csv.Comma]
}

func (r *textReader) useColumns([]bool) error { return nil }
func (r *textReader) hasNames() bool          { return false }
func (r *textReader) offset() (int64, bool)   { return r.nextRowOffset(), !r.source.converted.Load() }
func (r *textReader) close()                  { r.source.close() }

// ready reports whether a whole line is buffered, or the input has more text.
func (r *textReader) isReady() bool {
	buffered, _ := r.buffered.Peek(r.buffered.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0 || r.source.hasMore()
}

// next returns the fields of the next row that is not blank, or io.EOF. The
// slice, but not its strings, is overwritten by the following call.
func (r *textReader) next() ([]string, error) {
	for {
		r.source.rowStart = r.nextRowOffset()
		fields, err := r.csv.Read()
		if err != nil {
			return nil, r.explainError(err)
		}
		r.line, _ = r.csv.FieldPos(0)
		r.line += r.skippedLines
		last := len(fields) - 1
		r.linesRead, _ = r.csv.FieldPos(last)
		r.linesRead += strings.Count(fields[last], "\n")
		kept := fields[:0]
		for i, f := range fields {
			text := strings.TrimSpace(f)
			if text == "" && (r.csv.Comma == ' ' || len(fields) == 1) && r.isUnquotedBlank(i, len(fields), len(f)) {
				continue // a run of blanks is one delimiter, and a row of blanks none
			}
			kept = append(kept, text)
		}
		if len(kept) > 0 {
			return kept, nil
		}
	}
}

// isBare reports whether field i of n fields, which consists of the given number of blanks, has
// no quotes: a field written as "" is a missing value.
func (r *textReader) isUnquotedBlank(i, n, blanks int) bool {
	_, at := r.csv.FieldPos(i)
	if i+1 < n {
		_, next := r.csv.FieldPos(i + 1)
		return next == at+blanks+1
	}
	return at > 1 || blanks > 0 // the reader itself skips lines of nothing
}

// failure explains an error of the CSV reader.
func (r *textReader) explainError(err error) error {
	var bad *csv.ParseError
	var unread *formatError
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &bad):
		r.line = r.skippedLines + bad.StartLine
		r.linesRead = bad.Line
		says := "a quote within a field that does not begin with one"
		if errors.Is(bad.Err, csv.ErrQuote) {
			says = "a quote that is not closed, or text behind a closing quote"
		}
		err := fmt.Errorf(`quotes do not match (%s, in line %d); a field with quotes in it is written "like ""this"""`, says, r.skippedLines+bad.Line)
		if bad.StartLine == bad.Line {
			return r.rowError(-1, err)
		}
		return r.failf("%w", err) // it is not known where the next row begins
	case errors.As(err, &unread) && unread.line > 0:
		r.line = unread.line
		return r.failf("%w", err)
	case errors.As(err, &unread), r.line == 0:
		return fmt.Errorf("%s: %w", r.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// appendValues appends the numbers in the given columns of a row. With an error it returns the
// wrong column as bad.
func (s *Stream) appendNumbers(dst []float64, fields []string, columns []int) (_ []float64, bad int, err error) {
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

// appendCells is appendValues for columns that may hold texts.
func appendRawCells(dst []float64, fields []string, raw []*rawColumn, columns []int, line int) (_ []float64, bad int, err error) {
	for k, i := range columns {
		v, err := raw[k].value(fields[i], line)
		if err != nil {
			return dst, i, err
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

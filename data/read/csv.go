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
type records struct {
	position // position of the last row's first line
	csv      *csv.Reader
	in       *input
	text     *bufio.Reader // reads in; csv reads from it

	read    int   // number of lines that csv has read
	lines   int   // number of lines that skip discarded, which csv has not seen
	skipped int64 // bytes of these lines
}

const (
	textBuffer = 1 << 16 // bytes of the first row for recognising the format
	blank      = " \t\r\n"
)

const byteOrderMark = "\xef\xbb\xbf"

// hasMark reports whether a byte order mark comes next. If there is none, it waits only for the
// first byte.
func (r *records) hasMark() bool {
	if first, _ := r.text.Peek(1); string(first) != byteOrderMark[:1] {
		return false
	}
	mark, _ := r.text.Peek(len(byteOrderMark))
	return string(mark) == byteOrderMark
}

// firstRow waits for the first row with text, but for no more than textBuffer bytes. It returns
// the row and leaves it in the buffer.
func firstRow(r *bufio.Reader) []byte {
	for n := 1; ; n = r.Buffered() + 1 {
		_, err := r.Peek(min(n, textBuffer))
		head, _ := r.Peek(min(r.Buffered(), textBuffer))
		trimmed := bytes.TrimLeft(head, blank)
		if err != nil || len(head) == textBuffer || endOfRow(trimmed) >= 0 && !jsonPerhaps.Match(trimmed) || describeOtherText(trimmed) != "" || isJSON(trimmed) {
			return head
		}
	}
}

// endOfRow returns the index of the line feed that ends the first row, or −1. A quote inside an
// unquoted field is a mistake and opens no quoted text.
func endOfRow(head []byte) int {
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
	head = bytes.TrimLeft(head, blank)
	if end := endOfRow(head); end >= 0 {
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

func (r *records) delimiter() string {
	return map[rune]string{',': "commas", ';': "semicolons", '\t': "tabs", ' ': "blanks"}[r.csv.Comma]
}

func (r *records) use([]bool) error      { return nil }
func (r *records) hasNames() bool        { return false }
func (r *records) offset() (int64, bool) { return r.begin(), !r.in.converted.Load() }
func (r *records) close()                { r.in.close() }

// ready reports whether a whole line is buffered, or the input has more text.
func (r *records) ready() bool {
	buffered, _ := r.text.Peek(r.text.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0 || r.in.more()
}

// next returns the fields of the next row that is not blank, or io.EOF. The
// slice, but not its strings, is overwritten by the following call.
func (r *records) next() ([]string, error) {
	for {
		r.in.row = r.begin()
		fields, err := r.csv.Read()
		if err != nil {
			return nil, r.failure(err)
		}
		r.line, _ = r.csv.FieldPos(0)
		r.line += r.lines
		last := len(fields) - 1
		r.read, _ = r.csv.FieldPos(last)
		r.read += strings.Count(fields[last], "\n")
		kept := fields[:0]
		for i, f := range fields {
			text := strings.TrimSpace(f)
			if text == "" && (r.csv.Comma == ' ' || len(fields) == 1) && r.isBare(i, len(fields), len(f)) {
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
func (r *records) isBare(i, n, blanks int) bool {
	_, at := r.csv.FieldPos(i)
	if i+1 < n {
		_, next := r.csv.FieldPos(i + 1)
		return next == at+blanks+1
	}
	return at > 1 || blanks > 0 // the reader itself skips lines of nothing
}

// failure explains an error of the CSV reader.
func (r *records) failure(err error) error {
	var bad *csv.ParseError
	var unread *badText
	switch {
	case err == io.EOF:
		return err
	case errors.As(err, &bad):
		r.line = r.lines + bad.StartLine
		r.read = bad.Line
		says := "a quote within a field that does not begin with one"
		if errors.Is(bad.Err, csv.ErrQuote) {
			says = "a quote that is not closed, or text behind a closing quote"
		}
		err := fmt.Errorf(`quotes do not match (%s, in line %d); a field with quotes in it is written "like ""this"""`, says, r.lines+bad.Line)
		if bad.StartLine == bad.Line {
			return r.bad(-1, err)
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
func (s *Stream) appendValues(dst []float64, fields []string, columns []int) (_ []float64, bad int, err error) {
	for _, i := range columns {
		v, ok, err := s.notation.parse(fields[i])
		if !ok && s.workbook {
			v, ok = s.notation.parsePercentage(fields[i])
		}
		if !ok {
			return dst, i, fmt.Errorf("column %s: %s", label(s.choice.names, i), s.notation.whatIsWrong(fields[i], err))
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

// appendCells is appendValues for columns that may hold texts.
func appendCells(dst []float64, fields []string, raw []*rawColumn, columns []int, line int) (_ []float64, bad int, err error) {
	for k, i := range columns {
		v, err := raw[k].value(fields[i], line)
		if err != nil {
			return dst, i, err
		}
		dst = append(dst, v)
	}
	return dst, -1, nil
}

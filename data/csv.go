package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// ReadFile reads a table from a file, plain or gzipped. See Read.
func ReadFile(path string, o Options) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return read(f, size, path, o)
}

// Read reads a table from CSV text in UTF-8, plain or gzipped. The delimiter
// (semicolon, tab, comma or blanks) is found in the first row; quoted fields,
// CRLF, a byte order mark and blank lines are understood.
//
// Every value read must be a finite number. The error names file, line and
// column and says what would be right; name stands for the file in it, and is
// the table's name.
func Read(r io.Reader, name string, o Options) (*Table, error) {
	return read(r, 0, name, o)
}

// read is Read; size, where not 0, is the length of the input: the table is then
// allocated once, as growing it would hold it twice.
func read(r io.Reader, size int64, name string, o Options) (*Table, error) {
	rec, size, err := openRecords(r, size, name)
	if err != nil {
		return nil, err
	}
	first, err := rec.next()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: the file is empty; a row of numbers for each sample is needed", name)
	} else if err != nil {
		return nil, err
	}
	header, err := o.hasHeader(first)
	if err != nil {
		return nil, err
	}
	names, err := o.names(first, header)
	if err != nil {
		return nil, rec.failf("%w", err)
	}
	inputs, targets, err := o.choose(names)
	if err != nil {
		return nil, rec.failf("%w", err)
	}

	t := &Table{Name: name, Columns: pick(names, inputs), Targets: pick(names, targets)}
	fields := first
	for row := 0; ; row++ {
		if row > 0 || header {
			if fields, err = rec.next(); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
		}
		if len(fields) != len(names) {
			return nil, rec.failf("the row has %d fields, the first row has %d (separated by %s); every row needs the same number",
				len(fields), len(names), rec.delimiter())
		}
		if t.X, err = appendValues(t.X, fields, names, inputs); err == nil {
			t.Y, err = appendValues(t.Y, fields, names, targets)
		}
		if err != nil {
			return nil, rec.failf("%w", err)
		}
		if row == 1000 { // enough to tell how long the rows are
			more := int(float64(row) * (1.02*float64(size)/float64(rec.csv.InputOffset()) - 1))
			t.X = slices.Grow(t.X, max(more, 0)*len(inputs))
			t.Y = slices.Grow(t.Y, max(more, 0)*len(targets))
		}
	}
	if t.Rows() == 0 {
		return nil, fmt.Errorf("%s: there is a header but no row of numbers below it", name)
	}
	return t, nil
}

// records reads the rows of delimited text one after the other.
type records struct {
	csv  *csv.Reader
	file string
	line int // where the last row began, from 1
}

// openRecords also returns the size of the text, 0 where it is not known.
func openRecords(r io.Reader, size int64, file string) (*records, int64, error) {
	const buffer = 1 << 16 // the first row is judged by no more than this
	in := bufio.NewReaderSize(r, buffer)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: begins like a gzip file but is none: %w", file, err)
		}
		in, size = bufio.NewReaderSize(unzipped, buffer), 0
	}
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		in.Discard(3)
	}
	head, _ := in.Peek(buffer) // an error comes again with the first row
	c := csv.NewReader(in)
	c.Comma = findDelimiter(head)
	c.TrimLeadingSpace = c.Comma == ',' || c.Comma == ';'
	c.FieldsPerRecord = -1 // compared by the caller, who knows more to say
	c.ReuseRecord = true
	return &records{csv: c, file: file}, size, nil
}

// findDelimiter looks at the first row outside quotes. A semicolon goes before a
// comma, which may be a decimal comma; a blank comes last, as names have blanks.
func findDelimiter(head []byte) rune {
	head = bytes.TrimLeft(head, " \t\r\n")
	inQuotes := false
	end := bytes.IndexFunc(head, func(r rune) bool {
		inQuotes = inQuotes != (r == '"')
		return r == '\n' && !inQuotes
	})
	if end >= 0 {
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

func (r *records) failf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", r.file, r.line, fmt.Errorf(format, args...))
}

// next returns the fields of the next row that is not blank, valid until the
// following call, or io.EOF.
func (r *records) next() ([]string, error) {
	for {
		fields, err := r.csv.Read()
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			r.line = bad.StartLine
			return nil, r.failf(`quotes do not match (%w); a field with quotes in it is written "like ""this"""`, bad.Err)
		} else if err == io.EOF {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
		}
		r.line, _ = r.csv.FieldPos(0)
		for i, f := range fields {
			fields[i] = strings.TrimSpace(f)
		}
		if r.csv.Comma == ' ' { // a run of blanks is one delimiter
			fields = slices.DeleteFunc(fields, func(f string) bool { return f == "" })
		}
		if len(fields) > 1 || len(fields) == 1 && fields[0] != "" {
			return fields, nil
		}
	}
}

// appendValues appends the numbers that stand in the given columns of a row.
func appendValues(dst []float64, fields, names []string, columns []int) ([]float64, error) {
	for _, i := range columns {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return dst, fmt.Errorf("column %s: %s", label(names, i), whatIsWrong(fields[i], err))
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// whatIsWrong explains a field that is not a finite number, err being what ParseFloat said.
func whatIsWrong(field string, err error) string {
	const most = 40
	shown := field
	if len(shown) > most {
		shown = shown[:most] + "…"
	}
	point := strings.Replace(field, ",", ".", 1)
	switch _, pointErr := strconv.ParseFloat(point, 64); {
	case missing(field):
		return fmt.Sprintf("the value is missing (%q); fill it in, delete the row or drop the column", field)
	case err == nil:
		return fmt.Sprintf("%q is not finite; a finite number is needed", shown)
	case errors.Is(err, strconv.ErrRange):
		return fmt.Sprintf("%q is too large for a 64-bit float (about 1.8e308)", shown)
	case pointErr == nil:
		return fmt.Sprintf("%q has a decimal comma; write it with a point, %s", shown, point)
	}
	return fmt.Sprintf("%q is not a number; a text column can be dropped", shown)
}

// missing knows the usual ways to write that a value is not there.
func missing(field string) bool {
	switch strings.ToLower(field) {
	case "", "?", "na", "n/a", "null":
		return true
	}
	return false
}

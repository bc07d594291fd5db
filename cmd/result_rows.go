package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// cellKind is what a column of a result's rows holds.
type cellKind int

const (
	numberCell    cellKind = iota // NaN: the row has none
	wholeCell                     // a whole number
	textCell                      // any text
	maybeTextCell                 // "": the row has none
)

// resultColumn is a column of a result's rows.
type resultColumn struct {
	name string
	kind cellKind
}

// cell is a value of such a row: its text, or its number.
type cell struct {
	text   string
	number float64
}

// resultForm is how rows of a result are written.
type resultForm struct {
	columns []resultColumn
	format  string // of resultFormats
	digits  int    // significant ones of numbers; −1: as many as it takes to read back the same
	nulls   bool   // in JSON, numbers that a row does not have are null, and not absent
	keys    [][]byte
}

var resultFormats = []string{"csv", "jsonl", "parquet"}

// formatFor is the format that is asked for, or else the one that the ending of a
// file's name says.
func formatFor(asked, path string) string {
	if asked != "" {
		return asked
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet":
		return "parquet"
	case ".jsonl", ".ndjson":
		return "jsonl"
	}
	return "csv"
}

func precisionFlag() cli.Flag {
	return &cli.IntFlag{Name: "precision", Usage: "round numbers to this many significant `DIGITS`, 1 to 17", DefaultText: "as many as are needed to read the same number back",
		Action: func(_ *cli.Context, n int) error {
			if n < 1 || n > 17 {
				return usage("--precision %d: want 1 to 17 digits", n)
			}
			return nil
		},
	}
}

// newResultForm is the form of rows with these columns. digits 0 are as many as it takes.
func newResultForm(columns []resultColumn, format string, digits int) (*resultForm, error) {
	f := &resultForm{columns: columns, format: format, digits: digits}
	if digits == 0 {
		f.digits = -1
	}
	seen := make(map[string]bool, len(columns))
	for _, c := range columns {
		if seen[c.name] {
			return nil, fmt.Errorf("the result would have two columns named %q; keep the columns that are needed, without that one, or rename it in the file", c.name)
		}
		seen[c.name] = true
		f.keys = append(f.keys, append(mustJSON(c.name), ':'))
	}
	if format == "parquet" {
		return f, checkParquetColumns(len(columns))
	}
	return f, nil
}

// encodedRows are rows as they are written: text, or values of Parquet.
type encodedRows struct {
	text    []byte
	parquet parquetRows
}

func (e *encodedRows) reset() {
	e.text = e.text[:0]
	e.parquet.reset()
}

// append appends a row.
func (f *resultForm) append(e *encodedRows, row []cell) {
	switch f.format {
	case "parquet":
		e.parquet.append(f, row)
	case "jsonl":
		e.text = append(e.text, '{')
		first := len(e.text)
		for i, c := range row {
			kind := f.columns[i].kind
			absent := kind.absent(c)
			if absent && kind == numberCell && !f.nulls {
				continue
			}
			if len(e.text) > first {
				e.text = append(e.text, ',')
			}
			e.text = append(e.text, f.keys[i]...)
			switch {
			case absent:
				e.text = append(e.text, "null"...)
			case kind == textCell || kind == maybeTextCell:
				e.text = appendJSON(e.text, c.text)
			default:
				e.text = f.appendNumber(e.text, kind, c.number)
			}
		}
		e.text = append(e.text, "}\n"...)
	default:
		for i, c := range row {
			if i > 0 {
				e.text = append(e.text, ',')
			}
			switch kind := f.columns[i].kind; {
			case kind.absent(c):
			case kind == textCell || kind == maybeTextCell:
				e.text = appendField(e.text, c.text)
			default:
				e.text = f.appendNumber(e.text, kind, c.number)
			}
		}
		e.text = append(e.text, '\n')
	}
}

// absent tells whether a row has no such cell.
func (k cellKind) absent(c cell) bool {
	return k == numberCell && math.IsNaN(c.number) || k == maybeTextCell && c.text == ""
}

func (f *resultForm) appendNumber(dst []byte, kind cellKind, v float64) []byte {
	if kind == wholeCell {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return strconv.AppendFloat(dst, v, 'g', f.digits, 64)
}

// appendField appends a field of CSV, in quotes where it needs them.
func appendField(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\r\n") && strings.TrimSpace(text) == text {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

// appendJSON appends a text as JSON has it.
func appendJSON(dst []byte, text string) []byte {
	plain := func(b byte) bool { return b >= ' ' && b < 0x7f && b != '"' && b != '\\' }
	for i := range len(text) {
		if !plain(text[i]) {
			var out bytes.Buffer
			to := json.NewEncoder(&out)
			to.SetEscapeHTML(false)
			to.Encode(text) // of a text without an error
			return append(dst, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"')
}

// resultFile is where rows are written.
type resultFile struct {
	*resultForm
	out     io.Writer
	begun   bool
	parquet parquetFile
}

// put writes rows, a header before the first of them.
func (w *resultFile) put(e *encodedRows) error {
	if w.format == "parquet" {
		return w.parquet.put(w, e.parquet)
	}
	if len(e.text) == 0 {
		return nil
	}
	if !w.begun && w.format == "csv" {
		var header []byte
		for i, c := range w.columns {
			if i > 0 {
				header = append(header, ',')
			}
			if strings.ContainsAny(c.name, ";\t") { // which a reader could take for the delimiter
				header = append(header, `"`+strings.ReplaceAll(c.name, `"`, `""`)+`"`...)
			} else {
				header = appendField(header, c.name)
			}
		}
		if _, err := w.out.Write(append(header, '\n')); err != nil {
			return err
		}
	}
	w.begun = true
	_, err := w.out.Write(e.text)
	return err
}

// close writes what stands behind the last row.
func (w *resultFile) close() error {
	if w.format == "parquet" {
		return w.parquet.close(w)
	}
	return nil
}

func checkFormat(format string) error {
	if format != "" && !slices.Contains(resultFormats, format) {
		return usage("--format %q: there is %s", format, strings.Join(resultFormats, ", "))
	}
	return nil
}

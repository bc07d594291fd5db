package rowio

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Writer writes rows of a table as CSV, JSON lines or Parquet.
type Writer struct {
	columns []Column
	format  string   // one of Formats
	digits  int      // significant digits of numbers, as strconv counts them: -1 for as many as reading the same number back takes
	nulls   bool     // whether absent numbers are null in JSON instead of left out
	keys    [][]byte // for JSON: the quoted name of each column and a colon

	out           io.Writer
	wroteHeader   bool                        // for CSV
	parquet       *parquet.GenericWriter[any] // nil for the other formats
	rowGroupBytes int                         // for Parquet: size in memory of the current row group
}

// Options are the options of a Writer.
type Options struct {
	Format string // one of Formats
	Digits int    // significant digits of numbers; 0 for as many as reading the same number back takes
	Nulls  bool   // write absent numbers as null in JSON, so that all rows have the same keys
}

// NewWriter returns a writer of rows to out. It returns an error if two columns have the same
// name, or if the format cannot hold that number of columns.
func NewWriter(out io.Writer, columns []Column, o Options) (*Writer, error) {
	w := &Writer{out: out, columns: columns, format: o.Format, digits: o.Digits, nulls: o.Nulls}
	if o.Digits == 0 {
		w.digits = -1
	}
	if err := w.setKeys(); err != nil {
		return nil, err
	}
	if o.Format != parquetFormat {
		return w, nil
	}
	var err error
	w.parquet, err = newParquet(out, columns)
	return w, err
}

// setKeys sets w.keys. It returns an error if two columns have the same name.
func (w *Writer) setKeys() error {
	seen := make(map[string]bool, len(w.columns))
	for _, c := range w.columns {
		if seen[c.Name] {
			return fmt.Errorf("the result would have two columns named %q; keep the columns that are needed, without that one, or rename it in the file", c.Name)
		}
		seen[c.Name] = true
		key, err := json.Marshal(c.Name)
		if err != nil {
			return err
		}
		w.keys = append(w.keys, append(key, ':'))
	}
	return nil
}

// Block is a sequence of rows that a Writer has encoded. Its memory is reused after Reset.
type Block struct {
	text      []byte          // the rows in CSV or JSON lines
	values    []parquet.Value // the rows in Parquet: their cells, row by row
	textBytes int             // total length of the texts in values
}

// Reset removes all rows.
func (b *Block) Reset() {
	b.text = b.text[:0]
	b.values = b.values[:0]
	b.textBytes = 0
}

// Append encodes a row, which has a cell for each column, and appends it to a block.
// Goroutines may append to different blocks at the same time.
func (w *Writer) Append(b *Block, row []Cell) {
	switch w.format {
	case parquetFormat:
		w.appendParquet(b, row)
	case jsonFormat:
		b.text = w.appendObject(b.text, row)
	default:
		b.text = w.appendCSV(b.text, row)
	}
}

// Write writes the rows of a block. In CSV it writes the header before the first row, so that a file
// without rows is empty.
func (w *Writer) Write(b *Block) error {
	if w.parquet != nil {
		return w.writeParquet(b)
	}
	if len(b.text) == 0 {
		return nil
	}
	if w.format == csvFormat && !w.wroteHeader {
		if _, err := w.out.Write(w.appendHeader(nil)); err != nil {
			return err
		}
		w.wroteHeader = true
	}
	_, err := w.out.Write(b.text)
	return err
}

// Close writes the end of the file, which only Parquet has. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.parquet != nil {
		return w.parquet.Close()
	}
	return nil
}

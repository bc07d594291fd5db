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
	format  string
	digits  int      // significant digits of numbers; -1 for as many as the same number needs to be read back
	nulls   bool     // whether absent numbers are null in JSON instead of left out
	keys    [][]byte // names of the columns in JSON, each with a colon

	out         io.Writer
	wroteHeader bool
	parquet     *parquet.GenericWriter[any] // nil for the other formats
	groupBytes  int                         // size of the current row group of Parquet
}

// Options are the options of a Writer.
type Options struct {
	Format string
	Digits int  // significant digits of numbers; 0 for as many as the same number needs to be read back
	Nulls  bool // write absent numbers as null in JSON, so that all rows have the same keys
}

// NewWriter returns a writer of rows to out. It returns an error if two columns have the same
// name, or if the format cannot hold that number of columns.
func NewWriter(out io.Writer, columns []Column, o Options) (*Writer, error) {
	w := &Writer{out: out, columns: columns, format: o.Format, digits: o.Digits, nulls: o.Nulls}
	if o.Digits == 0 {
		w.digits = -1
	}
	seen := make(map[string]bool, len(columns))
	for _, c := range columns {
		if seen[c.Name] {
			return nil, fmt.Errorf("the result would have two columns named %q; keep the columns that are needed, without that one, or rename it in the file", c.Name)
		}
		seen[c.Name] = true
		key, err := json.Marshal(c.Name)
		if err != nil {
			return nil, err
		}
		w.keys = append(w.keys, append(key, ':'))
	}
	if o.Format != parquetFormat {
		return w, nil
	}
	var err error
	w.parquet, err = newParquet(out, columns)
	return w, err
}

// Block is a sequence of encoded rows. Its memory is reused after Reset.
type Block struct {
	text    []byte          // of CSV and JSON lines
	values  []parquet.Value // of Parquet, row by row
	textLen int             // bytes of the texts in values
}

// Reset removes all rows.
func (b *Block) Reset() { b.text, b.values, b.textLen = b.text[:0], b.values[:0], 0 }

// Append encodes a row, which has a cell for each column, and appends it to a block.
// Goroutines may append to different blocks at the same time.
func (w *Writer) Append(b *Block, row []Cell) {
	switch w.format {
	case parquetFormat:
		w.appendValues(b, row)
	case jsonFormat:
		b.text = w.appendObject(b.text, row)
	default:
		b.text = w.appendCSV(b.text, row)
	}
}

// Write writes the rows of a block, and the header of CSV before the first row.
func (w *Writer) Write(b *Block) error {
	if w.parquet != nil {
		return w.writeValues(b)
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

// Close writes the end of the file.
func (w *Writer) Close() error {
	if w.parquet != nil {
		return w.parquet.Close()
	}
	return nil
}

// Package rowio reads the rows that commands work on, and writes rows with predictions as
// CSV, JSON lines or Parquet. Start with Prediction, which predicts a stream of rows, or with
// Writer, which writes any rows. It does not parse files: package data/read does.
package rowio

import (
	"math"
	"path/filepath"
	"strings"
)

// Kind is the kind of the cells of a column. Cells of Number and OptionalText can be absent.
type Kind int

const (
	Number       Kind = iota // a number; NaN if the row has no value
	Whole                    // a whole number, in Cell.Number
	Text                     // any text, also an empty one
	OptionalText             // a text; "" if the row has no value
)

// Column is a column of the rows that a Writer writes.
type Column struct {
	Name string
	Kind Kind
}

// Cell is the value of a column in one row.
type Cell struct {
	Text   string  // for Text and OptionalText
	Number float64 // for Number and Whole
}

// isAbsent reports whether a row has no value in a column of this kind.
func (k Kind) isAbsent(c Cell) bool {
	switch k {
	case Number:
		return math.IsNaN(c.Number)
	case OptionalText:
		return c.Text == ""
	}
	return false
}

// isText reports whether cells of this kind are texts.
func (k Kind) isText() bool { return k == Text || k == OptionalText }

// Names of the formats that a Writer writes.
const (
	csvFormat     = "csv"
	jsonFormat    = "jsonl"
	parquetFormat = "parquet"
)

// Formats lists the formats that a Writer writes.
func Formats() []string { return []string{csvFormat, jsonFormat, parquetFormat} }

// FormatOf returns the format that the name of a file ends in: .parquet, .jsonl or .ndjson;
// CSV for all other names.
func FormatOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet":
		return parquetFormat
	case ".jsonl", ".ndjson":
		return jsonFormat
	}
	return csvFormat
}

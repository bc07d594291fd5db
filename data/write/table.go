package write

import (
	"context"
	"io"
	"math"
	"strings"

	"github.com/parquet-go/parquet-go"

	"sml/data"
)

// tableBatch is the number of rows of a table that are encoded at a time.
const tableBatch = 4096

// Table writes inputs, targets, extra columns and the weight of a table, in this order, in one of Formats. Numbers are
// numbers, categories and dates are texts, and missing values are empty fields or nulls. It reports progress to the function that
// data.WithProgress set, in bytes of values. It returns an error if out does, if ctx ends, or if columns share a name.
func Table(ctx context.Context, out io.Writer, t *data.Table, format string) error {
	columns := columnsOf(t)
	w := &Writer{out: out, format: format, digits: shortestDigits, nulls: true}
	for _, c := range columns {
		w.columns = append(w.columns, c.Column)
	}
	if err := w.begin("table"); err != nil {
		return err
	}
	const valueBytes = 8 // of a float64
	rowBytes := int64(len(columns)) * valueBytes
	progress := data.ProgressFrom(ctx)
	for start := 0; start < t.Rows(); start += tableBatch {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(start+tableBatch, t.Rows())
		if err := w.writeRows(columns, start, end); err != nil {
			return err
		}
		progress(int64(end)*rowBytes, int64(t.Rows())*rowBytes)
	}
	return w.Close()
}

// tableColumn is a column of a table.
type tableColumn struct {
	Column
	field  data.Field
	values []float64 // values of all columns of the column's group, row-major
	width  int       // number of columns of the group
	index  int       // index of the column in the group
}

// columnsOf returns all columns of a table in the order of Groups, except for the column that rows are split by.
func columnsOf(t *data.Table) []*tableColumn {
	var columns []*tableColumn
	groups := t.Groups()
	for g, group := range groups[:len(groups)-1] {
		for i, name := range group.Names {
			c := &tableColumn{
				Column: Column{Name: name},
				field:  data.Field{Kind: data.Number},
				values: *group.Values,
				width:  len(group.Names),
				index:  i,
			}
			isInput := g == 0
			if isInput && t.Fields != nil {
				c.field = t.Fields[i]
				c.field.Layout = fractionalLayout(c.field.Layout)
			}
			c.setKind()
			columns = append(columns, c)
		}
	}
	return columns
}

// fractionalLayout returns a date layout with fractions of seconds, if it has seconds, so that no fraction is lost.
// Package time also reads these texts with the given layout.
func fractionalLayout(layout string) string { return strings.Replace(layout, "05", "05.999999999", 1) }

// setKind sets the kind of the column. Only a column with missing values has an optional kind, since others are read faster.
func (c *tableColumn) setKind() {
	hasMissing := false
	for i := c.index; i < len(c.values); i += c.width {
		hasMissing = hasMissing || math.IsNaN(c.values[i])
	}
	isNumber := c.field.Kind == data.Number
	switch {
	case isNumber && hasMissing:
		c.Kind = Number
	case isNumber:
		c.Kind = knownNumber
	case hasMissing:
		c.Kind = optionalCategory
	default:
		c.Kind = category
	}
}

// cell returns the cell of a row.
func (c *tableColumn) cell(row int) Cell {
	v := c.values[row*c.width+c.index]
	if c.Kind.isText() && !math.IsNaN(v) {
		return Cell{Text: c.field.Show(v)}
	}
	return Cell{Number: v}
}

// writeRows writes the rows from start to end−1. To Parquet it writes one column after the other, which is faster.
func (w *Writer) writeRows(columns []*tableColumn, start, end int) error {
	if w.parquet != nil {
		return w.writeColumns(columns, start, end)
	}
	var block Block
	row := make([]Cell, len(columns))
	for r := start; r < end; r++ {
		for i, c := range columns {
			row[i] = c.cell(r)
		}
		w.Append(&block, row)
	}
	return w.Write(&block)
}

// writeColumns writes the rows from start to end−1 to Parquet, and ends the row group if it is large enough.
func (w *Writer) writeColumns(columns []*tableColumn, start, end int) error {
	var values []parquet.Value
	textBytes := 0
	for i, c := range columns {
		values = values[:0]
		for row := start; row < end; row++ {
			cell := c.cell(row)
			values = append(values, w.parquetValue(i, cell))
			textBytes += len(cell.Text)
		}
		if _, err := w.parquet.ColumnWriters()[i].WriteRowValues(values); err != nil {
			return err
		}
	}
	return w.endRowGroup((end-start)*len(columns), textBytes)
}

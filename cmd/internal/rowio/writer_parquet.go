package rowio

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// maxRowGroupBytes is the size in memory at which a row group ends, in bytes. The writer holds one
// row group at a time, as Parquet stores each column of a row group in one piece.
const maxRowGroupBytes = 32 << 20

// newParquet returns a writer of a Parquet file with the given columns. It returns an error if there
// are more columns than the format allows.
func newParquet(out io.Writer, columns []Column) (*parquet.GenericWriter[any], error) {
	if n := len(columns); n > parquet.MaxColumnIndex {
		return nil, fmt.Errorf("the result would have %d columns, and Parquet has no more than %d; keep fewer", n, parquet.MaxColumnIndex)
	}
	return parquet.NewGenericWriter[any](
		out,
		parquetSchema(columns),
		parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(math.MaxInt64), // writeParquet ends row groups by their size in bytes
	), nil
}

// orderedGroup is a parquet.Group whose columns keep their order. A plain parquet.Group sorts its
// columns by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the columns in their order.
func (g orderedGroup) Fields() []parquet.Field { return g.fields }

// orderedField is a column of an orderedGroup. It implements parquet.Field.
type orderedField struct {
	parquet.Node
	name string
}

// Name returns the column's name.
func (f orderedField) Name() string { return f.name }

// Value returns the column's value in a row that is a map. Package parquet requires the method; rows
// of a Writer are slices of values instead.
func (f orderedField) Value(row reflect.Value) reflect.Value {
	return row.MapIndex(reflect.ValueOf(f.name))
}

// parquetSchema returns the schema of a file with the given columns. Columns whose values can be absent
// are optional.
func parquetSchema(columns []Column) *parquet.Schema {
	group := orderedGroup{Group: parquet.Group{}}
	for _, c := range columns {
		var node parquet.Node
		switch c.Kind {
		case Whole:
			node = parquet.Leaf(parquet.Int64Type)
		case Text:
			node = parquet.String()
		case OptionalText:
			node = parquet.Optional(parquet.String())
		default:
			node = parquet.Optional(parquet.Leaf(parquet.DoubleType))
		}
		group.Group[c.Name] = node
		group.fields = append(group.fields, orderedField{Node: node, name: c.Name})
	}
	return parquet.NewSchema("rows", group)
}

// appendParquet appends the cells of a row to a block.
func (w *Writer) appendParquet(b *Block, row []Cell) {
	for i, c := range row {
		kind := w.columns[i].Kind
		value := w.parquetValue(kind, c)
		// Parquet's levels: no column is nested (repetition level 0), and the definition level is 1
		// for a present value of an optional column, otherwise 0.
		definition := 0
		if (kind == Number || kind == OptionalText) && !kind.isAbsent(c) {
			definition = 1
		}
		b.textBytes += len(c.Text)
		b.values = append(b.values, value.Level(0, definition, i))
	}
}

// parquetValue returns a cell of a column of the given kind. An absent cell is null, the zero Value.
func (w *Writer) parquetValue(kind Kind, c Cell) parquet.Value {
	switch {
	case kind.isAbsent(c):
		return parquet.Value{}
	case kind.isText():
		return parquet.ByteArrayValue([]byte(c.Text))
	case kind == Whole:
		return parquet.Int64Value(int64(c.Number))
	}
	return parquet.DoubleValue(w.round(c.Number))
}

// round returns a number rounded to the writer's digits.
func (w *Writer) round(v float64) float64 {
	if w.digits < 0 {
		return v
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', w.digits, 64), 64) // Go can read what it has formatted
	return v
}

// writeParquet writes the rows of a block, and ends the row group if it is large enough.
func (w *Writer) writeParquet(b *Block) error {
	var rows []parquet.Row
	for row := range slices.Chunk(b.values, len(w.columns)) {
		rows = append(rows, row)
	}
	if _, err := w.parquet.WriteRows(rows); err != nil {
		return err
	}
	const numberBytes = 8
	w.rowGroupBytes += numberBytes*len(b.values) + b.textBytes
	if w.rowGroupBytes < maxRowGroupBytes {
		return nil
	}
	w.rowGroupBytes = 0
	return w.parquet.Flush()
}

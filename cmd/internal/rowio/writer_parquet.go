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

// groupSize is the size of a row group in memory, in bytes. One group is held at a time.
const groupSize = 32 << 20

// newParquet returns a writer of a Parquet file with these columns.
func newParquet(out io.Writer, columns []Column) (*parquet.GenericWriter[any], error) {
	if n := len(columns); n > parquet.MaxColumnIndex {
		return nil, fmt.Errorf("the result would have %d columns, and Parquet has no more than %d; keep fewer", n, parquet.MaxColumnIndex)
	}
	return parquet.NewGenericWriter[any](out, parquetSchema(columns), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(math.MaxInt64)), nil
}

// orderedGroup is a group whose columns keep their order. A parquet.Group sorts its columns by
// name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g orderedGroup) Fields() []parquet.Field { return g.fields }

// orderedField is a column of an orderedGroup.
type orderedField struct {
	parquet.Node
	name string
}

func (f orderedField) Name() string { return f.name }

func (f orderedField) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}

func parquetSchema(columns []Column) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
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
		g.Group[c.Name] = node
		g.fields = append(g.fields, orderedField{node, c.Name})
	}
	return parquet.NewSchema("rows", g)
}

// appendValues appends the values of a row to a block. The definition level is 1 for a present
// value of an optional column, otherwise 0.
func (w *Writer) appendValues(b *Block, row []Cell) {
	for i, c := range row {
		var v parquet.Value
		defined := 0
		switch kind := w.columns[i].Kind; {
		case kind.isAbsent(c):
		case kind == Whole:
			v = parquet.Int64Value(int64(c.Number))
		case kind == Text:
			v = parquet.ByteArrayValue([]byte(c.Text))
		case kind == OptionalText:
			v, defined = parquet.ByteArrayValue([]byte(c.Text)), 1
		default:
			v, defined = parquet.DoubleValue(w.round(c.Number)), 1
		}
		b.textLen += len(c.Text)
		b.values = append(b.values, v.Level(0, defined, i))
	}
}

// round returns a number rounded to the writer's digits.
func (w *Writer) round(v float64) float64 {
	if w.digits < 0 {
		return v
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', w.digits, 64), 64)
	return v
}

// writeValues writes the rows of a block, and ends the row group when it is large enough.
func (w *Writer) writeValues(b *Block) error {
	var rows []parquet.Row
	for row := range slices.Chunk(b.values, len(w.columns)) {
		rows = append(rows, row)
	}
	if _, err := w.parquet.WriteRows(rows); err != nil {
		return err
	}
	w.groupBytes += 8*len(b.values) + b.textLen
	if w.groupBytes < groupSize {
		return nil
	}
	w.groupBytes = 0
	return w.parquet.Flush()
}

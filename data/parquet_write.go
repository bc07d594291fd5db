package data

import (
	"context"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A Parquet file consists of row groups, which a writer holds in memory, and which store one column
// after the other. See https://parquet.apache.org/docs/file-format/.
const (
	rowGroupBytes = 64 << 20 // bytes of values after which a row group is written
	batchRows     = 4096     // rows of a batch; the writer gets one column of a batch at a time
)

// WriteParquet writes the table as a Parquet file: inputs, targets, extra columns and the
// weight, in this order. Numbers are doubles, categories and dates are strings, and missing
// values are nulls. It reports progress to the function that WithProgress set, in bytes of values. It
// returns an error if w does or if ctx ends.
func (t *Table) WriteParquet(ctx context.Context, w io.Writer) error {
	columns := t.parquetColumns()
	writer := parquet.NewGenericWriter[any](w, parquetSchema(columns), parquet.Compression(&parquet.Snappy))
	progress := ProgressFrom(ctx)
	rowBytes := int64(len(columns)) * valueBytes
	groupBytes := 0 // bytes of values in the open row group
	var values []parquet.Value
	for start := 0; start < t.Rows(); start += batchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(start+batchRows, t.Rows())
		for i, c := range columns {
			size := 0
			values, size = c.appendValues(values[:0], i, start, end)
			groupBytes += size
			_, err := writer.ColumnWriters()[i].WriteRowValues(values)
			if err != nil {
				return err
			}
		}
		if groupBytes >= rowGroupBytes {
			if err := writer.Flush(); err != nil {
				return err
			}
			groupBytes = 0
		}
		progress(int64(end)*rowBytes, int64(t.Rows())*rowBytes)
	}
	return writer.Close()
}

// valueBytes is the size of a float64.
const valueBytes = 8

// parquetColumn is a column of a table for writing as Parquet.
type parquetColumn struct {
	name   string
	field  Field
	values []float64 // values of all columns of the column's group, row-major
	width  int       // number of columns of the group
	index  int       // index of the column in the group
	layout string    // layout of its dates, as package time defines it; "" if it has none

	optional bool // whether some values are missing, which Parquet has to know before
}

// parquetColumns returns all columns of the table in the order of Groups, except for the column
// that rows are split by.
func (t *Table) parquetColumns() []*parquetColumn {
	var columns []*parquetColumn
	groups := t.Groups()
	for g, group := range groups[:len(groups)-1] { // the last group is the column that rows are split by
		for i, name := range group.Names {
			c := &parquetColumn{
				name:   name,
				field:  Field{Kind: Number},
				values: *group.Values,
				width:  len(group.Names),
				index:  i,
			}
			isInput := g == 0
			if isInput && t.Fields != nil {
				c.field = t.Fields[i]
				c.layout = fractionalLayout(c.field.Layout)
			}
			c.optional = c.hasMissing()
			columns = append(columns, c)
		}
	}
	return columns
}

// fractionalLayout returns a date layout with fractions of seconds, if it has seconds, so that no
// fraction is lost. Package time also reads these texts with the given layout.
func fractionalLayout(layout string) string {
	return strings.Replace(layout, "05", "05.999999999", 1)
}

// hasMissing reports whether a value of the column is missing.
func (c *parquetColumn) hasMissing() bool {
	for i := c.index; i < len(c.values); i += c.width {
		if math.IsNaN(c.values[i]) {
			return true
		}
	}
	return false
}

// appendValues appends the values of the rows in [start, end), and returns values and the size of the
// new ones in bytes. column is the index of the column in the file.
func (c *parquetColumn) appendValues(values []parquet.Value, column, start, end int) ([]parquet.Value, int) {
	size := 0
	for row := start; row < end; row++ {
		v := c.value(row)
		size += valueBytes
		if v.Kind() == parquet.ByteArray {
			size += len(v.ByteArray())
		}
		values = append(values, v.Level(0, c.definitionLevel(v), column))
	}
	return values, size
}

// definitionLevel returns the definition level that Parquet stores with a value: 1 for a value of
// an optional column, 0 for a missing value and for columns that are not optional.
func (c *parquetColumn) definitionLevel(v parquet.Value) int {
	if c.optional && !v.IsNull() {
		return 1
	}
	return 0
}

// value returns the value of a row in its Parquet type, or a null if the value is missing.
func (c *parquetColumn) value(row int) parquet.Value {
	v := c.values[row*c.width+c.index]
	switch {
	case math.IsNaN(v):
		return parquet.NullValue()
	case c.field.Kind == Category:
		return parquet.ByteArrayValue([]byte(c.field.Show(v)))
	case c.field.Kind == Date:
		return parquet.ByteArrayValue([]byte(timeFromSeconds(v).Format(c.layout)))
	}
	return parquet.DoubleValue(v)
}

// node returns the Parquet type of the column: a number is a double, and texts are stored in a
// dictionary. Only a column with missing values is optional, since others are read faster.
func (c *parquetColumn) node() parquet.Node {
	node := parquet.Leaf(parquet.DoubleType)
	if c.field.Kind == Category || c.field.Kind == Date {
		node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	if c.optional {
		node = parquet.Optional(node)
	}
	return node
}

// orderedGroup is a group of columns in the order of the table. The library's own Group sorts
// columns by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the columns in the order of the table.
func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

// GoType returns the Go type of a row. It is not used: values are written by column.
func (g *orderedGroup) GoType() reflect.Type { return reflect.TypeFor[map[string]any]() }

// namedNode is a column of an orderedGroup.
type namedNode struct {
	parquet.Node
	name string
}

// Name returns the column's name.
func (n *namedNode) Name() string { return n.name }

// Value returns no value. It is not used: values are written by column.
func (n *namedNode) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// parquetSchema returns the schema of a file with the given columns.
func parquetSchema(columns []*parquetColumn) *parquet.Schema {
	group := new(orderedGroup)
	for _, c := range columns {
		group.fields = append(group.fields, &namedNode{c.node(), c.name})
	}
	return parquet.NewSchema("table", group)
}

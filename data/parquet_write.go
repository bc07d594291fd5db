package data

import (
	"context"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

const (
	groupBytes = 64 << 20 // bytes of values in a row group, which the writer holds in memory
	groupPart  = 4096     // rows of a batch; the writer gets one column of a batch at a time
)

// WriteParquet writes the table as a Parquet file: inputs, targets, extra columns and the
// weight, in this order. Numbers are doubles, categories and dates are strings, and missing
// values are nulls. It reports progress to ctx in bytes of values.
func (t *Table) WriteParquet(ctx context.Context, w io.Writer) error {
	columns := t.parquetColumns()
	out := parquet.NewGenericWriter[any](w, parquetSchema(columns), parquet.Compression(&parquet.Snappy))
	progress := ProgressFrom(ctx)
	written := 0 // bytes of the row group
	var values []parquet.Value
	for row := 0; row < t.Rows(); row += groupPart {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(row+groupPart, t.Rows())
		for i, c := range columns {
			values = values[:0]
			for r := row; r < end; r++ {
				v := c.value(r)
				written += 8
				if v.Kind() == parquet.ByteArray {
					written += len(v.ByteArray())
				}
				values = append(values, v.Level(0, c.level(v), i))
			}
			if _, err := out.ColumnWriters()[i].WriteRowValues(values); err != nil {
				return err
			}
		}
		if written >= groupBytes {
			if err := out.Flush(); err != nil {
				return err
			}
			written = 0
		}
		progress(int64(end)*int64(len(columns))*8, int64(t.Rows())*int64(len(columns))*8)
	}
	return out.Close()
}

// parquetColumn is a column of a table for writing as Parquet.
type parquetColumn struct {
	name   string
	field  Field
	values []float64 // row-major values of the column's group
	width  int       // columns of the group
	index  int       // place of the column in the group
	layout string    // layout of its dates; "" if it has none

	optional bool // whether some values are missing
}

func (t *Table) parquetColumns() []*parquetColumn {
	var columns []*parquetColumn
	groups := t.Groups()
	for g, group := range groups[:4] { // without the column that rows are split by
		for i, name := range group.Names {
			c := &parquetColumn{
				name:   name,
				field:  Field{Kind: Number},
				values: *group.Values,
				width:  len(group.Names),
				index:  i,
			}
			if g == 0 && t.Fields != nil {
				c.field = t.Fields[i]
				c.layout = fractionalLayout(c.field.Layout)
			}
			c.optional = c.hasMissing()
			columns = append(columns, c)
		}
	}
	return columns
}

// fractionalLayout returns the layout with fractions of seconds, so that none is lost. Package
// time reads them with the given layout, too.
func fractionalLayout(layout string) string {
	return strings.Replace(layout, "05", "05.999999999", 1)
}

func (c *parquetColumn) at(row int) float64 { return c.values[row*c.width+c.index] }

// hasMissing reports whether a value of the column is missing.
func (c *parquetColumn) hasMissing() bool {
	for i := c.index; i < len(c.values); i += c.width {
		if math.IsNaN(c.values[i]) {
			return true
		}
	}
	return false
}

// level returns the definition level of a value: 1 if it is not missing, but could be.
func (c *parquetColumn) level(v parquet.Value) int {
	if c.optional && !v.IsNull() {
		return 1
	}
	return 0
}

// value returns the value of a row, a null if it is missing.
func (c *parquetColumn) value(row int) parquet.Value {
	v := c.at(row)
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

// node returns the type of the column. Only a column with missing values is optional, as
// values without gaps are read faster.
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

// orderedGroup is a group of columns in the order of the table. (The library's own group
// sorts columns by name.)
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

// GoType returns the type of a row, which nothing reads or writes as a whole.
func (g *orderedGroup) GoType() reflect.Type { return reflect.TypeFor[map[string]any]() }

// namedNode is a column of an orderedGroup.
type namedNode struct {
	parquet.Node
	name string
}

func (n *namedNode) Name() string { return n.name }

// Value returns no value: rows are never written as Go values.
func (n *namedNode) Value(reflect.Value) reflect.Value { return reflect.Value{} }

func parquetSchema(columns []*parquetColumn) *parquet.Schema {
	group := new(orderedGroup)
	for _, c := range columns {
		group.fields = append(group.fields, &namedNode{c.node(), c.name})
	}
	return parquet.NewSchema("table", group)
}

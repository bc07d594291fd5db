package cmd

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetRows are rows as values, one row behind the other.
type parquetRows struct {
	values []parquet.Value
	rows   []parquet.Row
	size   int // of texts, in bytes
}

func (p *parquetRows) reset() { p.values, p.rows, p.size = p.values[:0], p.rows[:0], 0 }

func (p *parquetRows) append(f *resultForm, row []cell) {
	for i, c := range row {
		kind := f.columns[i].kind
		var v parquet.Value
		defined := 0
		switch kind {
		case wholeCell:
			v = parquet.Int64Value(int64(c.number))
		case textCell:
			v = parquet.ByteArrayValue([]byte(c.text))
		default:
			if kind.absent(c) {
				break
			}
			defined = 1
			if kind == maybeTextCell {
				v = parquet.ByteArrayValue([]byte(c.text))
			} else {
				v = parquet.DoubleValue(rounded(c.number, f.digits))
			}
		}
		p.size += len(c.text)
		p.values = append(p.values, v.Level(0, defined, i))
	}
}

// rounded is a number to so many digits; −1 are all.
func rounded(v float64, digits int) float64 {
	if digits < 0 {
		return v
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return v
}

// inOrder is a group whose columns stand in an order of their own.
type inOrder struct {
	parquet.Group
	fields []parquet.Field
}

func (g inOrder) Fields() []parquet.Field { return g.fields }

// ordered is a column of it.
type ordered struct {
	parquet.Node
	name string
}

func (f ordered) Name() string { return f.name }
func (f ordered) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}

func (f *resultForm) schema() *parquet.Schema {
	g := inOrder{Group: parquet.Group{}}
	for _, c := range f.columns {
		var node parquet.Node
		switch c.kind {
		case wholeCell:
			node = parquet.Leaf(parquet.Int64Type)
		case textCell:
			node = parquet.String()
		case maybeTextCell:
			node = parquet.Optional(parquet.String())
		default:
			node = parquet.Optional(parquet.Leaf(parquet.DoubleType))
		}
		g.Group[c.name] = node
		g.fields = append(g.fields, ordered{node, c.name})
	}
	return parquet.NewSchema("rows", g)
}

func checkParquetColumns(n int) error {
	if n > parquet.MaxColumnIndex {
		return fmt.Errorf("the result would have %d columns, and Parquet has no more than %d; keep fewer", n, parquet.MaxColumnIndex)
	}
	return nil
}

// parquetFile writes rows in groups, of which one is held at a time.
type parquetFile struct {
	to   *parquet.GenericWriter[any]
	size int // of the group so far, in bytes
}

// groupSize is the size of a group, in bytes, as values are held.
const groupSize = 32 << 20

func (p *parquetFile) open(w *resultFile) {
	if p.to == nil {
		p.to = parquet.NewGenericWriter[any](w.out, w.schema(), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(math.MaxInt64))
	}
}

func (p *parquetFile) put(w *resultFile, rows parquetRows) error {
	p.open(w)
	list := rows.rows[:0]
	for row := range slices.Chunk(rows.values, len(w.columns)) {
		list = append(list, row)
	}
	if _, err := p.to.WriteRows(list); err != nil {
		return err
	}
	if p.size += 8*len(rows.values) + rows.size; p.size < groupSize {
		return nil
	}
	p.size = 0
	return p.to.Flush()
}

func (p *parquetFile) close(w *resultFile) error {
	p.open(w)
	return p.to.Close()
}

package read

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/data"
	"sml/data/write"
	"sml/internal/expect"
	"sml/internal/texts"
)

// numbersRow has a column of every type of number, and a column that may have missing values.
type numbersRow struct {
	Double float64  `parquet:"double"`
	Maybe  *float64 `parquet:"maybe"`
	Float  float32  `parquet:"float"`
	Int32  int32    `parquet:"int32,delta"`
	Int64  int64    `parquet:"int64"`
	Coded  float64  `parquet:"coded,dict"`
	Weight float64  `parquet:"weight"`
	Y      float64  `parquet:"y"`
}

// numbersRows returns n rows of numbers. About odd of a thousand rows have a missing value, and
// as many have a NaN; fewer have an infinite value.
func numbersRows(n, odd int) []numbersRow {
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([]numbersRow, n)
	for i := range rows {
		v := r.NormFloat64()
		rows[i] = numbersRow{
			Double: r.NormFloat64(), Maybe: &v, Float: float32(r.NormFloat64()), Int32: int32(r.Uint32()),
			Int64: int64(r.Uint64()), Coded: float64(r.IntN(5)), Weight: r.Float64(), Y: r.NormFloat64(),
		}
		if r.IntN(1000) < odd {
			rows[i].Maybe = nil
		}
		if r.IntN(1000) < odd {
			rows[i].Double = math.Float64frombits(0x7ff8<<48 | 2)
		}
		if r.IntN(10_000) < odd {
			rows[i].Float = float32(math.Inf(-1))
		}
	}
	return rows
}

// readOneByOne reads a table row by row as text, which it forces by keeping all texts.
func readOneByOne(content []byte, o Options) (*data.Table, error) {
	o.KeepAll = true
	t, err := All(context.Background(), bytes.NewReader(content), "t.parquet", o)
	if t != nil {
		t.KeptTexts = texts.Columns{}
	}
	return t, err
}

// sameTable reports whether two tables are equal to the bit, whatever their names.
func sameTable(a, b *data.Table) bool {
	if a == nil || b == nil {
		return a == b
	}
	for i, g := range a.Groups() {
		if !slices.EqualFunc(*g.Values, *b.Groups()[i].Values, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }) {
			return false
		}
	}
	rest := func(t *data.Table) any {
		return []any{t.Columns, t.Targets, t.Extras, t.Weight, t.Fields, t.SplitColumn, t.SplitField, t.UnlabelledRows, t.BlankRows, t.Remarks, t.Layout}
	}
	return reflect.DeepEqual(rest(a), rest(b))
}

// Decoding columns side by side gives the same table, or the same error, as reading row by row.
func TestParquetNumbers(t *testing.T) {
	options := map[string]Options{
		"strict":      {},
		"raw":         {Raw: true},
		"unlabelled":  {Raw: true, Targets: []string{"maybe"}},
		"weight":      {Raw: true, Weight: "weight", Extra: []string{"int64"}, Drop: []string{"maybe", "double", "float"}},
		"bad weight":  {Raw: true, Weight: "double"},
		"by an input": {Raw: true, SplitColumn: "coded"},
		"by missing":  {Raw: true, SplitColumn: "maybe"},
		"by alone":    {Raw: true, SplitColumn: "int32", SplitColumnIsNoInput: true},
		"categories":  {Raw: true, Categorical: []string{"coded"}},
		"in order":    {Inputs: []string{"y", "double", "int64"}, NoTarget: true},
		"no text":     {Inputs: []string{"maybe", "coded"}, NoTarget: true, Fields: []data.Field{{Kind: data.Number}, {Kind: data.Category, Categories: []string{"1", "3"}}}},
		"numbers":     {Inputs: []string{"maybe", "int32"}, NoTarget: true, Fields: []data.Field{{Kind: data.Number}, {Kind: data.Number}}},
	}
	for _, odd := range []int{0, 1, 100} {
		content := []byte(asParquet(t, numbersRows(5000, odd), parquet.PageBufferSize(1500), parquet.MaxRowsPerRowGroup(1700)))
		for name, o := range options {
			t.Run(fmt.Sprintf("%s, %d odd", name, odd), func(t *testing.T) {
				want, wantErr := readOneByOne(content, o)
				got, err := All(context.Background(), bytes.NewReader(content), "t.parquet", o)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("error %v, want %v", err, wantErr)
				}
				if !sameTable(got, want) {
					t.Errorf("another table than row by row")
				}
			})
		}
	}
}

// A damaged page is found in the same row.
func TestParquetNumbersDamaged(t *testing.T) {
	content := []byte(asParquet(t, numbersRows(3000, 0), parquet.PageBufferSize(1500), parquet.MaxRowsPerRowGroup(1700)))
	failures := 0
	for at := 10; at < len(content)*3/4; at += 997 {
		damaged := slices.Clone(content)
		damaged[at] ^= 0x55
		want, wantErr := readOneByOne(damaged, Options{Raw: true})
		got, err := All(context.Background(), bytes.NewReader(damaged), "t.parquet", Options{Raw: true})
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || !sameTable(got, want) {
			t.Errorf("byte %d: error %v, want %v", at, err, wantErr)
		}
		if err != nil {
			failures++
		}
	}
	if failures == 0 {
		t.Error("no damage was found")
	}
}

// AppendRows numbers the rows of every batch correctly.
func TestParquetNumbersLines(t *testing.T) {
	content := []byte(asParquet(t, numbersRows(3000, 0), parquet.MaxRowsPerRowGroup(1700)))
	s, err := Open(context.Background(), bytes.NewReader(content), "t.parquet", Options{})
	expect.NoError(t, err)
	defer s.Close()
	var x, y []float64
	var lines []int
	for err == nil {
		x, y, lines, err = s.AppendRows(x, y, lines, 700)
	}
	if err != io.EOF || len(lines) != 3000 {
		t.Fatalf("%d rows, %v", len(lines), err)
	}
	for i, line := range lines {
		if line != i+1 {
			t.Fatalf("row %d has line %d", i, line)
		}
	}
}

// BenchmarkReadParquet reads a table of the shape of the data set year from a file.
func BenchmarkReadParquet(b *testing.B) {
	const rows, columns = 515_345, 91
	table := &data.Table{X: make([]float64, rows*columns)}
	for i := range columns {
		table.Columns = append(table.Columns, fmt.Sprint("x", i))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range table.X {
		table.X[i] = r.NormFloat64()
	}
	path := filepath.Join(b.TempDir(), "t.parquet")
	f := expect.Must(os.Create(path))
	expect.NoError(b, write.Table(ctx, f, table, "parquet"))
	expect.NoError(b, f.Close())
	table = nil
	b.SetBytes(8 * rows * columns)
	for b.Loop() {
		t := expect.Must(File(context.Background(), path, Options{Raw: true}))
		if t.Rows() != rows {
			b.Fatalf("%d rows, want %d", t.Rows(), rows)
		}
	}
}

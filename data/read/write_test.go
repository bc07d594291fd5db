package read

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/data"
	"sml/data/write"
	"sml/internal/expect"
)

// The extremes of float64, and numbers whose shortest text has 17 digits.
func TestWriteCSVReadsBackExactly(t *testing.T) {
	values := []float64{
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), 0.1 + 0.2, 1.0 / 3, -math.Pi * 1e-300,
	}
	in := &data.Table{Columns: []string{"a", "b"}, Targets: []string{"y"}, X: values[:4], Y: values[4:]}
	sameAfterRoundTrip(t, in)
}

// sameAfterRoundTrip writes a table, reads it back and compares every bit.
func sameAfterRoundTrip(t *testing.T, in *data.Table) {
	t.Helper()
	var text strings.Builder
	expect.NoError(t, write.Table(ctx, &text, in, write.CSV))
	out, err := All(ctx, strings.NewReader(text.String()), in.Name, Options{
		Header: HeaderYes, Inputs: in.Columns, Targets: in.Targets, NoTarget: len(in.Targets) == 0,
		Extra: in.Extras, Weight: in.Weight,
	})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text.String())
	}
	sameBits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if !slices.Equal(in.Columns, out.Columns) || !slices.Equal(in.Targets, out.Targets) ||
		!slices.Equal(in.Extras, out.Extras) || in.Weight != out.Weight ||
		!slices.EqualFunc(in.X, out.X, sameBits) || !slices.EqualFunc(in.Y, out.Y, sameBits) ||
		!slices.EqualFunc(in.E, out.E, sameBits) || !slices.EqualFunc(in.W, out.W, sameBits) {
		t.Errorf("wrote\n%+v\nread back\n%+v\nby\n%s", in, out, text.String())
	}
}

// A Parquet file reads back as the table that was written: names in order, values, kinds, categories
// and missing values.
func TestWriteParquet(t *testing.T) {
	const text = "zip,when,Ünit price,clock,few,kind,target\n" +
		"01234,2024-03-01 10:00:00,1.5,10:00:00.25,1,a b,3\n" +
		"1234,2024-03-02 11:30:00.5,,10:00:00,2,NA,4\n" +
		"1.10,,-0,NA,none of it,c,1e-320\n" +
		"01234,2024-03-04 00:00:01,1e300,23:59:59,4,a b,0.1\n"
	o := Options{NoTarget: true, Raw: true, Header: HeaderYes, Categorical: []string{"zip"}}
	want := expect.Must(All(ctx, bytes.NewReader([]byte(text)), "t.csv", o))
	var file bytes.Buffer
	expect.NoError(t, write.Table(ctx, &file, want, "parquet"))
	got := expect.Must(All(ctx, bytes.NewReader(file.Bytes()), "t.parquet", o))
	if !slices.Equal(got.Columns, want.Columns) {
		t.Errorf("columns %q, want %q", got.Columns, want.Columns)
	}
	sameBits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if !slices.EqualFunc(got.X, want.X, sameBits) {
		t.Errorf("values %v, want %v", got.X, want.X)
	}
	for i, f := range want.Fields {
		g := got.Fields[i]
		if g.Kind != f.Kind || g.Layout != f.Layout || !slices.Equal(g.Categories, f.Categories) {
			t.Errorf("column %s is %+v, want %+v", want.Columns[i], g, f)
		}
	}
}

// Many rows come in several row groups, and their end is the end of the table.
func TestWriteParquetRowGroups(t *testing.T) {
	const rows = 4097                                // one more than a batch of WriteParquet
	long := strings.Repeat("long ", 64<<20/rows/5+2) // 4096 of them fill a row group of 64 MiB
	table := &data.Table{Columns: []string{"x"}, X: make([]float64, rows), Fields: []data.Field{{Kind: data.Category, Categories: []string{long + "x", long + "y"}}}}
	for i := range table.X {
		table.X[i] = float64(i % 2)
	}
	var file bytes.Buffer
	expect.NoError(t, write.Table(ctx, &file, table, "parquet"))
	f := expect.Must(parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))
	if n := len(f.RowGroups()); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
	got := expect.Must(All(ctx, bytes.NewReader(file.Bytes()), "t.parquet", Options{NoTarget: true, Raw: true}))
	if !slices.Equal(got.X, table.X) {
		t.Errorf("%d values differ from the %d that were written", len(got.X), len(table.X))
	}
}

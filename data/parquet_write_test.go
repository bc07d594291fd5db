package data

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A table that is written as Parquet is read back as the same table: names in their order,
// values, kinds, levels and missing values.
func TestWriteParquet(t *testing.T) {
	const text = "zip,when,Ünit price,clock,few,kind,target\n" +
		"01234,2024-03-01 10:00:00,1.5,10:00:00.25,1,a b,3\n" +
		"1234,2024-03-02 11:30:00.5,,10:00:00,2,NA,4\n" +
		"1.10,,-0,NA,none of it,c,1e-320\n" +
		"01234,2024-03-04 00:00:01,1e300,23:59:59,4,a b,0.1\n"
	o := Options{NoTarget: true, Raw: true, Header: HeaderYes, Categorical: []string{"zip"}}
	want, err := Read(context.Background(), bytes.NewReader([]byte(text)), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := want.WriteParquet(context.Background(), &file); err != nil {
		t.Fatal(err)
	}
	got, err := Read(context.Background(), bytes.NewReader(file.Bytes()), "t.parquet", o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Columns, want.Columns) {
		t.Errorf("columns %q, want %q", got.Columns, want.Columns)
	}
	sameBits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if !slices.EqualFunc(got.X, want.X, sameBits) {
		t.Errorf("values %v, want %v", got.X, want.X)
	}
	for i, f := range want.Fields {
		g := got.Fields[i]
		if g.Kind != f.Kind || g.Layout != f.Layout || !slices.Equal(g.Levels, f.Levels) {
			t.Errorf("column %s is %+v, want %+v", want.Columns[i], g, f)
		}
	}
}

// Other programs are told the types: doubles and UTF-8 strings, optional only where a value
// is missing.
func TestWriteParquetTypes(t *testing.T) {
	table := &Table{
		Columns: []string{"z", "a.b"},
		X:       []float64{1, 0, 2, 1, 3, math.NaN()},
		Fields:  []Field{{Kind: Number}, {Kind: Category, Levels: []string{"x", "y"}}},
		Targets: []string{"y"},
		Y:       []float64{7, 8, 9},
	}
	var file bytes.Buffer
	if err := table.WriteParquet(context.Background(), &file); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	const want = "message table {\n\trequired double z;\n\toptional binary a.b (STRING);\n\trequired double y;\n}"
	if got := f.Schema().String(); got != want {
		t.Errorf("schema %s, want %s", got, want)
	}
}

// Many rows come in several row groups, and their end is the end of the table.
func TestWriteParquetRowGroups(t *testing.T) {
	const rows = groupPart + 1
	long := strings.Repeat("long ", groupBytes/groupPart/5+1)
	table := &Table{Columns: []string{"x"}, X: make([]float64, rows), Fields: []Field{{Kind: Category, Levels: []string{long + "x", long + "y"}}}}
	for i := range table.X {
		table.X[i] = float64(i % 2)
	}
	var file bytes.Buffer
	if err := table.WriteParquet(context.Background(), &file); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.RowGroups()); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
	got, err := Read(context.Background(), bytes.NewReader(file.Bytes()), "t.parquet", Options{NoTarget: true, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.X, table.X) {
		t.Errorf("%d values differ from the %d that were written", len(got.X), len(table.X))
	}
}

func TestWriteParquetStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := &Table{Columns: []string{"x"}, X: []float64{1}}
	if err := table.WriteParquet(ctx, new(bytes.Buffer)); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

package data

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Other programs are told the types: doubles and UTF-8 strings, optional only where a value
// is missing.
func TestWriteParquetTypes(t *testing.T) {
	table := &Table{
		Columns: []string{"z", "a.b"},
		X:       []float64{1, 0, 2, 1, 3, math.NaN()},
		Fields:  []Field{{Kind: Number}, {Kind: Category, Categories: []string{"x", "y"}}},
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

func TestWriteParquetStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := &Table{Columns: []string{"x"}, X: []float64{1}}
	if err := table.WriteParquet(ctx, new(bytes.Buffer)); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

package write

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// mixedTable returns a table with columns of every kind, with and without missing values.
func mixedTable() *data.Table {
	return &data.Table{
		Columns: []string{"z", "a.b", "when", "quarter"},
		X: []float64{
			1, 0, 1704191400.5, 1704067200,
			2, 1, math.NaN(), 1696118400,
			3, math.NaN(), 1704191401, 1711929600,
		},
		Fields: []data.Field{
			{Kind: data.Number},
			{Kind: data.Category, Categories: []string{"x", `y "z"`}},
			{Kind: data.Date, Layout: "2006-01-02 15:04:05"},
			{Kind: data.Date, Layout: data.QuarterLayout},
		},
		Targets: []string{"p;q"},
		Y:       []float64{7, math.NaN(), 9},
		Weight:  "w",
		W:       []float64{1, 0, 0.1},
	}
}

// The same table as CSV and as JSON lines.
func TestTableAsText(t *testing.T) {
	for format, want := range map[string]string{
		CSV: "z,a.b,when,quarter,\"p;q\",w\n" +
			"1,x,2024-01-02 10:30:00.5,2024-Q1,7,1\n" +
			"2,\"y \"\"z\"\"\",,2023-Q4,,0\n" +
			"3,,2024-01-02 10:30:01,2024-Q2,9,0.1\n",
		jsonFormat: `{"z":1,"a.b":"x","when":"2024-01-02 10:30:00.5","quarter":"2024-Q1","p;q":7,"w":1}` + "\n" +
			`{"z":2,"a.b":"y \"z\"","when":null,"quarter":"2023-Q4","p;q":null,"w":0}` + "\n" +
			`{"z":3,"a.b":null,"when":"2024-01-02 10:30:01","quarter":"2024-Q2","p;q":9,"w":0.1}` + "\n",
	} {
		var out bytes.Buffer
		if err := Table(t.Context(), &out, mixedTable(), format); err != nil || out.String() != want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, out.String(), want)
		}
	}
}

// Other programs are told the types: doubles and UTF-8 strings, optional only where a value is missing.
func TestTypesOfParquet(t *testing.T) {
	var file bytes.Buffer
	expect.NoError(t, Table(t.Context(), &file, mixedTable(), parquetFormat))
	f := expect.Must(parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))
	const want = "message table {\n\trequired double z;\n\toptional binary a.b (STRING);\n\toptional binary when (STRING);\n" +
		"\trequired binary quarter (STRING);\n\toptional double p;q;\n\trequired double w;\n}"
	if got := f.Schema().String(); got != want {
		t.Errorf("schema %s, want %s", got, want)
	}
}

// A table reads back from every format.
func TestTableReadsBack(t *testing.T) {
	want := mixedTable()
	for _, format := range Formats() {
		var out bytes.Buffer
		expect.NoError(t, Table(t.Context(), &out, want, format))
		got, err := read.All(t.Context(), &out, "f", read.Options{Raw: true, NoTarget: true, Weight: "w", Drop: want.Targets, Categorical: []string{"a.b"}})
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if err != nil || !slices.EqualFunc(got.X, want.X, same) || !slices.Equal(got.W, want.W) {
			t.Errorf("%s: %v %+v", format, err, got)
		}
	}
}

func TestTableStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := &data.Table{Columns: []string{"x"}, X: []float64{1}}
	for _, format := range Formats() {
		if err := Table(ctx, new(bytes.Buffer), table, format); err != context.Canceled {
			t.Errorf("%s: %v, want %v", format, err, context.Canceled)
		}
		if err := Table(t.Context(), brokenWriter{}, table, format); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v, want the writer's error", format, err)
		}
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

package rowio

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/data/read"
)

// Rows read back from a file of each format are the rows that were written.
func TestResultRowsReadBack(t *testing.T) {
	columns := []Column{{"row", Whole}, {"the name, \"a\"", Text}, {"z", Number}, {"b;c", Number}, {"error", OptionalText}}
	rows := [][]Cell{
		{{Number: 1}, {Text: "plain"}, {Number: 0.1}, {Number: -1e300}, {}},
		{{Number: 2}, {Text: `a, "b" <&>` + "\u00e9\x01"}, {Number: math.NaN()}, {Number: 3}, {Text: "why; not"}},
		{{Number: 1 << 40}, {Text: ""}, {Number: 1.0 / 3}, {Number: 5e-324}, {}},
	}
	for _, format := range Formats() {
		var out bytes.Buffer
		file, err := NewWriter(&out, columns, Options{Format: format, Nulls: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			var part Block
			file.Append(&part, row)
			if err := file.Write(&part); err != nil {
				t.Fatal(err)
			}
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := read.All(t.Context(), &out, "f", read.Options{Targets: []string{"row"}, Keep: []string{"the name, \"a\""}, Drop: []string{"the name, \"a\"", "error"}, Raw: true})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		want := []float64{0.1, -1e300, math.NaN(), 3, 1.0 / 3, 5e-324}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.Equal(got.Columns, []string{"z", "b;c"}) || !slices.EqualFunc(got.X, want, same) || !slices.Equal(got.Y, []float64{1, 2, 1 << 40}) {
			t.Errorf("%s: %v %v %v", format, got.Columns, got.X, got.Y)
		}
		if texts := got.KeptTexts.Column("the name, \"a\""); !slices.Equal(texts, []string{"plain", rows[1][1].Text, ""}) {
			t.Errorf("%s: %q", format, texts)
		}
	}
}

// Columns of a Parquet file keep their order, whatever their names, and rows form row groups.
func TestResultParquet(t *testing.T) {
	var out bytes.Buffer
	file, err := NewWriter(&out, []Column{{"z", Number}, {"a", Text}}, Options{Format: "parquet", Digits: 2})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", maxRowGroupBytes/4000)
	for i := range 10 {
		var part Block
		for range 1000 {
			file.Append(&part, []Cell{{Number: 1.234 + float64(i)}, {Text: fmt.Sprint(i, long)}})
		}
		if err := file.Write(&part); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if names := p.Schema().Columns(); fmt.Sprint(names) != "[[z] [a]]" || len(p.RowGroups()) != 3 || p.NumRows() != 10_000 {
		t.Errorf("%v, %d groups, %d rows", names, len(p.RowGroups()), p.NumRows())
	}
	got, err := read.All(t.Context(), &out, "f", read.Options{Inputs: []string{"z"}, NoTarget: true})
	if err != nil || got.X[0] != 1.2 || got.X[9_999] != 10 {
		t.Errorf("%v, %v", got, err)
	}
}

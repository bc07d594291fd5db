package cmd

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/data"
)

// Rows that are written in a format are read from it as they were.
func TestResultRowsReadBack(t *testing.T) {
	columns := []resultColumn{{"row", wholeCell}, {"the name, \"a\"", textCell}, {"z", numberCell}, {"b;c", numberCell}, {"error", maybeTextCell}}
	rows := [][]cell{
		{{number: 1}, {text: "plain"}, {number: 0.1}, {number: -1e300}, {}},
		{{number: 2}, {text: `a, "b" <&>` + "\u00e9\x01"}, {number: math.NaN()}, {number: 3}, {text: "why; not"}},
		{{number: 1 << 40}, {text: ""}, {number: 1.0 / 3}, {number: 5e-324}, {}},
	}
	for _, format := range resultFormats {
		f, err := newResultForm(columns, format, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.nulls = true
		var out bytes.Buffer
		file := &resultFile{resultForm: f, out: &out}
		for _, row := range rows {
			var part encodedRows
			f.append(&part, row)
			if err := file.put(&part); err != nil {
				t.Fatal(err)
			}
		}
		if err := file.close(); err != nil {
			t.Fatal(err)
		}
		got, err := data.Read(t.Context(), &out, "f", data.Options{Targets: []string{"row"}, Keep: []string{"the name, \"a\""}, Drop: []string{"the name, \"a\"", "error"}, Raw: true})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		want := []float64{0.1, -1e300, math.NaN(), 3, 1.0 / 3, 5e-324}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.Equal(got.Columns, []string{"z", "b;c"}) || !slices.EqualFunc(got.X, want, same) || !slices.Equal(got.Y, []float64{1, 2, 1 << 40}) {
			t.Errorf("%s: %v %v %v", format, got.Columns, got.X, got.Y)
		}
		if texts := got.Kept.Column("the name, \"a\""); !slices.Equal(texts, []string{"plain", rows[1][1].text, ""}) {
			t.Errorf("%s: %q", format, texts)
		}
	}
}

// Columns of Parquet stand in their order, whatever their names, and rows in groups.
func TestResultParquet(t *testing.T) {
	f, err := newResultForm([]resultColumn{{"z", numberCell}, {"a", textCell}}, "parquet", 2)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	file := &resultFile{resultForm: f, out: &out}
	long := strings.Repeat("x", groupSize/4000)
	for i := range 10 {
		var part encodedRows
		for range 1000 {
			f.append(&part, []cell{{number: 1.234 + float64(i)}, {text: fmt.Sprint(i, long)}})
		}
		if err := file.put(&part); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.close(); err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if names := p.Schema().Columns(); fmt.Sprint(names) != "[[z] [a]]" || len(p.RowGroups()) != 3 || p.NumRows() != 10_000 {
		t.Errorf("%v, %d groups, %d rows", names, len(p.RowGroups()), p.NumRows())
	}
	got, err := data.Read(t.Context(), &out, "f", data.Options{Inputs: []string{"z"}, NoTarget: true})
	if err != nil || got.X[0] != 1.2 || got.X[9_999] != 10 {
		t.Errorf("%v, %v", got, err)
	}
}

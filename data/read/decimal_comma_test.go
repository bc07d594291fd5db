package read

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

func TestDecimalCommas(t *testing.T) {
	table, err := readRaw("a;b;y\n0,5;1.234,25;3\n1,234;2;-2,5\n", Options{})
	if err != nil || !slices.Equal(table.X, []float64{0.5, 1234.25, 1.234, 2}) || !slices.Equal(table.Y, []float64{3, -2.5}) || table.Fields != nil {
		t.Fatalf("%+v, %v", table, err)
	}
	if want := `numbers have decimal commas: "0,5" is read as 0.5`; !slices.Equal(table.Remarks, []string{want}) {
		t.Errorf("%q", table.Remarks)
	}
	layout := table.FileLayout() // as a model keeps it
	o := Options{Inputs: []string{"a"}, Fields: []data.Field{{Kind: data.Number}}, Layout: &layout, NoTarget: true}
	again, err := All(ctx, strings.NewReader("b;a\n1;0,25\n1;3\n"), "t.csv", o)
	if err != nil || !slices.Equal(again.X, []float64{0.25, 3}) {
		t.Errorf("%+v, %v", again, err)
	}
	_, err = All(ctx, strings.NewReader("b;a\n1;0,25\n1;1.234\n"), "t.csv", o)
	expect.Error(t, err, `t.csv:3: column 2 (a): "1.234" has a point, and numbers of this file have decimal commas; write 1,234`)
	lines, err := All(ctx, strings.NewReader(`{"a": 0.25}`), "t.json", o) // JSON always has points
	if err != nil || lines.X[0] != 0.25 {
		t.Errorf("%+v, %v", lines, err)
	}
	for _, text := range []string{
		"a;b;y\n1,234;1;3\n5,678;2;4\n", // thousands, perhaps
		"a;b;y\n0,5;1.5;3\n1,5;2.5;4\n", // points as well
	} {
		_, err := readRaw(text, Options{})
		expect.Error(t, err, "comma")
	}
}

// A file with both decimal commas and decimal points is refused in any order of its rows, but for an odd input with one meaning. The
// second notation may begin among the first rows, behind the rows searched for commas, or in a block of another worker.
func TestMixedDecimalSigns(t *testing.T) {
	// Plain rows make the file longer than two blocks.
	filler := strings.Repeat("17;18;19\n", 2*blockSize/9+1)
	for _, between := range []string{"", strings.Repeat("17;18;19\n", 2*lookAheadRows), filler} {
		for _, cells := range [][2]string{{"900,5", "1.234"}, {"1.234", "900,5"}, {"900,5", "0.5"}, {"0.5", "900,5"}} {
			for column, row := range []string{"%s;18;19\n", "17;18;%s\n"} {
				text := "a;b;y\n" + fmt.Sprintf(row, cells[0]) + between + fmt.Sprintf(row, cells[1])
				table, err := readRaw(text, Options{})
				place := fmt.Sprintf(": column %d (%s): \"", 1+2*column, []string{"a", "y"}[column])
				isOdd := between != "" && column == 0 && !slices.Contains(cells[:], "1.234")
				switch {
				case isOdd && (err != nil || table.X[0]+table.X[len(table.X)-2] != 901):
					t.Errorf("%q, %d bytes, %q: %v", cells[0], len(between), cells[1], err)
				case !isOdd && (err == nil || !strings.Contains(err.Error(), "decimal comma") || !strings.Contains(err.Error(), place)):
					t.Errorf("%q, %d bytes, %q in column %d: %v", cells[0], len(between), cells[1], column+1, err)
				}
			}
		}
	}
}

// A dropped column or a category may be written with points.
func TestDecimalCommasOfOtherColumns(t *testing.T) {
	const rows = "1.10;0,5;3\n1.1;1,5;4\n"
	for _, o := range []Options{{Drop: []string{"v"}}, {Categorical: []string{"v"}}} {
		table, err := readRaw("v;b;y\n"+rows+rows, o)
		if err != nil {
			t.Error(err)
			continue
		}
		if b, _ := columnOf(table, len(table.Columns)-1); !slices.Equal(b, []float64{0.5, 1.5, 0.5, 1.5}) {
			t.Errorf("b is %v", b)
		}
	}
	table, err := readRaw("v;b;y\n1.234,5;0,5;3\n1234,5;1,5;4\n", Options{Categorical: []string{"v"}})
	if err != nil || !slices.Equal(table.Fields[0].Categories, []string{"1.234,5", "1234,5"}) {
		t.Errorf("%+v, %v", table, err)
	}
}

// One number proves decimal commas, also after the first rows.
func TestLateDecimalComma(t *testing.T) {
	rows := strings.Repeat("1,234;1,5;7\n", 3*lookAheadRows) // the target's commas may be decimal signs or not
	for _, text := range []string{
		"a;b;y\n" + strings.ReplaceAll(rows, "1,5", "1") + "0,016;1;1,250\n",
		"a;b;y\n" + strings.ReplaceAll(rows, "1,5", "1") + "1,016;2;0,5\n",
		"a;b;y\n" + strings.ReplaceAll(rows, "1,5;7", "1;1,250") + "1,016;2;0,5\n",
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		table, err := File(ctx, path, Options{Raw: true})
		if err != nil {
			t.Error(err)
			continue
		}
		if table.X[0] != 1.234 || !table.Layout.DecimalComma || len(table.Remarks) != 1 {
			t.Errorf("%v, %+v, %q", table.X[0], table.Layout, table.Remarks)
		}
		if _, err := File(ctx, path, Options{Raw: true, Decimal: "."}); err == nil {
			t.Error("a decimal point is declared, and commas are accepted")
		}
	}
}

// The decimal sign of a file of rows for a model is its own, if the first rows prove it.
func TestDecimalSignOfRows(t *testing.T) {
	for _, c := range []struct {
		name, text string
		comma      bool    // the training table had decimal commas
		want       float64 // first value; 0 if the file is refused
	}{
		{"t.csv", "a;b\n0,25;1\n", false, 0.25},
		{"t.csv", "a;b\n0.25;1\n", true, 0.25},
		{"t.csv", "a;b\n1,234;1\n", true, 1.234},
		{"t.csv", "a;b\n1,234;1\n", false, 0},
		{"t.csv", "a;b\n1.234;1\n", true, 0},
		{"t.csv", "a;b\n1.234;1\n", false, 1.234},
		{"t.csv", "a;b\n0,25;0.5\n", false, 0.25}, // it can mean nothing else
		{"t.json", `{"a": 1.234, "b": "0,5"}`, true, 1.234},
		{"t.json", `{"a": "1,234", "b": 0.5}`, true, 1.234},
		{"t.json", `{"a": "0,25", "b": 0.5}`, false, 0.25},
		{"t.json", `{"a": 1.5e-7, "b": "0,5"}`, true, 1.5e-7},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		expect.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		number := data.Field{Kind: data.Number}
		o := Options{Inputs: []string{"a", "b"}, Fields: []data.Field{number, number}, NoTarget: true, Layout: &data.Layout{Header: true, DecimalComma: c.comma}}
		table, err := File(ctx, path, o)
		switch {
		case c.want == 0 && err == nil:
			t.Errorf("%s: %v", c.text, table.X)
		case c.want != 0 && (err != nil || table.X[0] != c.want):
			t.Errorf("%s: %+v, %v", c.text, table, err)
		}
	}
}

// Declared signs concern texts of all formats, and not the numbers that a file stores.
func TestDeclaredSignsOfStoredTexts(t *testing.T) {
	type row struct {
		A string  `parquet:"a"`
		B float64 `parquet:"b"`
		Y float64 `parquet:"y"`
	}
	files := map[string]string{
		"json":    `{"a": "1.234,5", "b": 0.25, "y": 1.5}{"a": "1.000", "b": 1e-7, "y": 2}`,
		"parquet": asParquet(t, []row{{"1.234,5", 0.25, 1.5}, {"1.000", 1e-7, 2}}),
		"xlsx":    asWorkbook(t, []string{"S"}, map[string][][]any{"S": {{"a", "b", "y"}, {"1.234,5", 0.25, 1.5}, {"1.000", 1e-7, 2}}}),
		"csv":     "a;b;y\n1.234,5;0,25;1,5\n1.000;0,0000001;2\n",
	}
	for format, text := range files {
		table, err := All(ctx, strings.NewReader(text), "t", Options{Raw: true, Decimal: ",", Thousands: "."})
		if err != nil || !slices.Equal(table.X, []float64{1234.5, 0.25, 1000, 1e-7}) || !slices.Equal(table.Y, []float64{1.5, 2}) {
			t.Errorf("%s: %+v, %v", format, table, err)
		}
	}
}

// A number that is a category is found in files with another decimal sign.
func TestCategoriesOfOtherSigns(t *testing.T) {
	table, err := readRaw("a;b;y\n2,0;0,5;1\n0,25;0,5;2\n1;0,75;3\n", Options{Categorical: []string{"a"}})
	if err != nil || !slices.Equal(table.Fields[0].Categories, []string{"0,25", "1", "2"}) {
		t.Fatalf("%+v, %v", table, err)
	}
	layout := table.FileLayout()
	for name, text := range map[string]string{"t.csv": "a,b\n2.0,0.5\n0.25,0.5\n1.0,0.75\n", "t.json": `{"a": 2.0, "b": 0.5}{"a": 0.25, "b": 0.5}{"a": "1,0", "b": 0.75}`} {
		path := filepath.Join(t.TempDir(), name)
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		got, err := File(ctx, path, Options{Inputs: table.Columns, Fields: table.Fields, NoTarget: true, Layout: &layout})
		if err != nil || !slices.Equal(got.X, table.X) {
			t.Errorf("%s: %+v, %v; want %v", name, got, err, table.X)
		}
	}
}

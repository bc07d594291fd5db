package read

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/texts"
)

// rowsOfTexts are the texts of each row, joined.
func rowsOfTexts(t texts.Columns) []string {
	var list []string
	for r := range t.Rows() {
		var row []string
		for k := range t.Names {
			row = append(row, t.At(r, k))
		}
		list = append(list, strings.Join(row, "|"))
	}
	return list
}

func TestKeep(t *testing.T) {
	const raw = "id; a;b ;y\n007;1,50;p q;\n 008 ;1.000,25;;2\n\"x;\n z\";0,5;NA;3\n"
	for _, c := range []struct {
		name, text string
		o          Options
		names      string
		want       []string
	}{
		{"an input, a target and a dropped column, by name and number", "id,a,y\nx 1,2.50,3\n,4,05\n", Options{Drop: []string{"id"}, Keep: []string{"y", "1", "a"}}, "y id a", []string{"3|x 1|2.50", "05||4"}},
		{"all", "a,y\n1,2\n", Options{KeepAll: true}, "a y", []string{"1|2"}},
		{"all, and one again", "a,y\n1,2\n", Options{KeepAll: true, Keep: []string{"1"}}, "a y a", []string{"1|2|1"}},
		{"a column without a name", "a,,y\n1,p,2\n", Options{Drop: []string{"2"}, Keep: []string{"2"}}, "column 2", []string{"p"}},
		{"as written, of rows that are left out none", raw, Options{Raw: true, Keep: []string{"b", "a", "id"}}, "b a id", []string{"|1.000,25|008", "NA|0,5|x;\n z"}},
		{"without a header", "1 2  3\n4 5 6\n", Options{Keep: []string{"x3", "1"}}, "x3 x1", []string{"3|1", "6|4"}},
		{"of a model's rows", "id,b,a\nu,1,2\nv,3,4\n", Options{Inputs: []string{"a"}, NoTarget: true, Keep: []string{"id", "b"}}, "id b", []string{"u|1", "v|3"}},
		{"of a model's rows without a header", "1,2\n", Options{Inputs: []string{"a", "b"}, NoTarget: true, Keep: []string{"2"}}, "x2", []string{"2"}},
		{"a name of the header that is kept alone", "1,2,flag\n3,4,5\n", Options{Keep: []string{"flag"}}, "flag", []string{"5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := expect.Must(readText(c.text, c.o))
			if names := strings.Join(got.KeptTexts.Names, " "); names != c.names || !slices.Equal(rowsOfTexts(got.KeptTexts), c.want) {
				t.Errorf("got %s %q, want %s %q", names, rowsOfTexts(got.KeptTexts), c.names, c.want)
			}
		})
	}
}

// Kept texts are the same in every format, on disk and from a pipe.
func TestKeepOfFormats(t *testing.T) {
	o := Options{Targets: []string{"age"}, Raw: true, Keep: []string{"weight kg", "name", "born", "age"}}
	want := []string{"0.30000000000000004|Ada, or \"A\"|1970-01-10|36", "-123456789.125||1969-12-31|70", "|Bo|1970-01-01|5"}
	same := strings.NewReplacer("-1.23456789125E8", "-123456789.125", " 00:00:00", "", "5.0", "5")
	for name, text := range peopleFiles(t) {
		eachWay(t, text, o, func(way string, got *data.Table, err error) {
			expect.NoError(t, err)
			rows := rowsOfTexts(got.KeptTexts)
			for i, r := range rows {
				rows[i] = same.Replace(r)
			}
			if !slices.Equal(rows, want) {
				t.Errorf("%s%s: %q, want %q", name, way, rows, want)
			}
		})
	}
}

// Kept texts go with their rows.
func TestKeptRows(t *testing.T) {
	own := expect.Must(readText("id,a,y\np,1,1\nq,,2\nr,3,3\n", Options{Raw: true, Drop: []string{"id"}, Keep: []string{"id"}}))
	test := expect.Must(readText("id,a,y\ns,4,4\n", TestOptions(own, true)))
	whole := own.Complete()
	both := expect.Must(whole.WithTest(test))
	first, second := both.SeparateTestRows()
	for name, got := range map[string]struct {
		t    *data.Table
		want string
	}{"complete": {whole, "[p r]"}, "with test rows": {both, "[p r s]"}, "own": {first, "[p r]"}, "test": {second, "[s]"}, "other inputs": {both.WithInputs([]string{"z"}, []float64{1, 2, 3}), "[p r s]"}} {
		if is := fmt.Sprint(got.t.KeptTexts.Column("id")); is != got.want || got.t.KeptTexts.Rows() != got.t.Rows() {
			t.Errorf("%s: %s of %d rows, want %s", name, is, got.t.Rows(), got.want)
		}
	}
	if own.KeptTexts.Column("a") != nil {
		t.Error("a column that was not kept is there")
	}
}

// A made table keeps its values as they would be written.
func TestKeepOfAMadeTable(t *testing.T) {
	plain := expect.Must(Dataset(ctx, "toy-hf", "", data.Sound, 1, Options{}))
	kept := expect.Must(Dataset(ctx, "toy-hf", "", data.Sound, 1, Options{KeepAll: true}))
	if got, want := rowsOfTexts(kept.KeptTexts)[3], formatNumber(plain.X[3])+"|"+formatNumber(plain.Y[3]); got != want || kept.KeptTexts.Rows() != plain.Rows() {
		t.Errorf("%s in %d rows, want %s", got, kept.KeptTexts.Rows(), want)
	}
}

// A batch of rows ends where much text is kept, so that a stream of any length is read
// in bounded memory.
func TestKeepIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	var text strings.Builder
	text.WriteString("id,a\n")
	for i := range 40 {
		fmt.Fprintf(&text, "%s,%d\n", long, i)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	s, err := OpenFile(ctx, path, Options{Inputs: []string{"a"}, NoTarget: true, Keep: []string{"id"}})
	expect.NoError(t, err)
	defer s.Close()
	var kept texts.Columns
	s.KeepIn(&kept)
	rows := 0
	for err == nil {
		kept.Clear()
		var lines []int
		_, _, lines, err = s.AppendRows(nil, nil, nil, 1000)
		if rows += len(lines); len(lines) > 18 || kept.Rows() != len(lines) {
			t.Fatalf("%d rows at once, and texts of %d", len(lines), kept.Rows())
		}
	}
	if err != io.EOF || rows != 40 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// The texts of a row with a mistake are kept, as far as they are known, and later rows are read.
func TestKeepPassed(t *testing.T) {
	const text = "id,a,kind\np,1,x\nq,wet,x\nr,2\n\"s\",\"\",x\nt,3\",x\nu,4,x\n"
	const plain = "id,a,kind\np,1,x\nq,wet,x\nr,2\n\nu,4,x\n"
	dated := Options{Inputs: []string{"a", "kind"}, Fields: []data.Field{{Kind: data.Date, Layout: "2"}, {Kind: data.Category, Categories: []string{"x"}}}, NoTarget: true}
	asJSON := "{\"id\": \"p\", \"a\": 1}\n{\"id\": \"q\", \"a\": \"wet\"}\n{\"id\": \"r\", \"b\": 2}\n{\"id\": \"s\"}\n{\"id\": \"t\", \"a\": [1]}\n{\"id\": \"u\", \"a\": 4}"
	for name, c := range map[string]struct {
		text string
		o    Options
		kept string
	}{
		"numbers":                     {text, Options{Inputs: []string{"a"}, NoTarget: true}, "[p q  s  u]"},
		"of any kind":                 {text, dated, "[p q  s  u]"},
		"of any kind, without quotes": {plain, dated, "[p q  u]"},
		"JSON":                        {asJSON, Options{Inputs: []string{"a"}, NoTarget: true}, "[p q r s t u]"},
	} {
		for _, size := range []int{1, 1000} {
			c.o.Keep = []string{"id"}
			c.o.pieceBytes = smallPieces
			s, err := Open(ctx, inPieces{strings.NewReader(c.text), size}, "f", c.o)
			expect.NoError(t, err)
			var kept texts.Columns
			s.KeepIn(&kept)
			s.KeepPassed()
			var lines, passed []int
			for err != io.EOF {
				var x []float64
				if x, _, lines, err = s.AppendRows(nil, nil, lines, 1000); IsRowError(err) {
					passed = append(passed, s.line())
				} else if err != nil && err != io.EOF {
					t.Fatalf("%s: %v %v", name, x, err)
				}
			}
			s.Close()
			wantLines := map[string]string{"numbers": "[2 7] [3 4 5 6]", "of any kind": "[2 5 7] [3 4 6]", "of any kind, without quotes": "[2 6] [3 4]", "JSON": "[1 6] [2 3 4 5]"}[name]
			if got := fmt.Sprint(lines, passed); got != wantLines || fmt.Sprint(kept.Column("id")) != c.kept {
				t.Errorf("%s: rows of lines %s, texts %q; want %s, %s", name, got, kept.Column("id"), wantLines, c.kept)
			}
		}
	}
}

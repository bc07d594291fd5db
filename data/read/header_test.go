package read

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// The cells of the first row, the rows below it and the options decide whether the first row is names or values.
func TestFirstRow(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		columns    string // of the table; "": an error
		want       string // a part of the note or error; "": there is none
	}{
		{"names", "a,b,y\n1,2,3\n", Options{}, "a b", ""},
		{"numbers", "1,5,3\n4,1,6\n", Options{}, "x1 x2", ""},
		{"a dash is a missing value", "-,2,3\n4,5,6\n", Options{}, "", `f.csv:1: column 1 (x1): the value is missing ("-")`},
		{"NULL and nothing", "NULL,,3\n4,5,6\n", Options{}, "", `f.csv:1: column 1 (x1): the value is missing ("NULL")`},
		{"infinite", "inf,2,3\n4,5,6\n", Options{}, "", `f.csv:1: column 1 (x1): "inf" is not finite`},
		{"decimal comma", "1,5;2\n3;4\n", Options{}, "", `f.csv:1: column 1 (x1): "1,5" has a decimal comma`},
		{"wavelengths alone", "400,410,420\n0.3,0.1,0.2\n", Options{}, "x1 x2", "is read as numbers, though it looks like names"},
		{"numbers that go up everywhere", "1,2,3\n4,5,6\n7,8,9\n", Options{}, "x1 x2", ""},
		{"as much text as numbers", "l.5,2.3\n1.5,2.5\n", Options{}, "", `"l.5" is not a number, and others are`},
		{"as much text as whole numbers", "site,2001\n4,5\n", Options{}, "site", "is read as names, though there are numbers"},
		{"more text than numbers", "a,b,2.5\n4,5,6\n", Options{}, "a b", "is read as names, though there are numbers"},
		{"another minus", "\u22125,3\n4,5\n", Options{}, "x1", ""},
		{"other digits", "\uff11\uff12,3\n4,5\n", Options{}, "x1", ""},
		{"exponents of Fortran", "1.0D+00 2.0D+00\n3 4\n", Options{}, "", "f.csv:1: column 1 (x1)"},
		{"a decimal comma in front", ",5;3\n1;2\n", Options{}, "", `f.csv:1: column 1 (x1): ",5" has a decimal comma`},
		{"text in a column of text", "M,0.5,3.5\nF,5,6\n", Options{}, "", `f.csv:1: column 1 (x1): "M" is not a number`},
		{"the same, dropped", "M,0.5,3.5\nF,5,6\n", Options{Drop: []string{"1"}}, "x2", ""},
		{"names above text, one asked for", "kind,1990,1991\nM,5,6\n", Options{Drop: []string{"kind"}}, "1990", ""},
		{"names above values that are missing at first", "a,b\nNA,NA\n?,\n1,2\n", Options{}, "", `f.csv:2: column 1 (a): the value is missing`},
		{"unnamed index", ",a,y\n0,1,2\n", Options{Drop: []string{"1"}}, "a", ""},
		{"a byte order mark and quotes", "\ufeff\"a\",\" b \",y\n1,2,3\n", Options{}, "a b", ""},
		{"percentages below names", "p,q\n10%,20%\n30%,40%\n", Options{Raw: true, NoTarget: true}, "p q", ""},
		{"percentages below one name and a target", "p,y\n10%,1\n", Options{Raw: true, NoTarget: true}, "p y", ""},
		{"percentages alone", "10%,20%\n30%,40%\n", Options{Raw: true, NoTarget: true}, "x1 x2", ""},
		{"percentages and numbers", "10%,1\n20%,2\n", Options{Raw: true, NoTarget: true}, "x1 x2", ""},
		{"a word above dates", "day,color,size\n2020-01-01,red,small\n2020-01-02,blue,large\n", Options{Raw: true, Classes: true}, "day color", ""},
		{"a date above dates", "2020-01-03,red,small\n2020-01-01,red,small\n", Options{Raw: true, Classes: true}, "x1 x2", ""},
		{"a word above words", "green,red,small\nblue,red,large\n", Options{Raw: true, Classes: true}, "x1 x2", ""},
		{"numbers, said to be names", "1,2,3\n4,5,6\n", Options{Header: HeaderYes}, "1 2", ""},
		{"numbers, said to be values", "1,2,3\n4,5,6\n", Options{Header: HeaderNo}, "x1 x2", ""},
		{"one name among numbers", "country,1990,1991\n1,2,3\n", Options{}, "country 1990", "is read as names, though there are numbers"},
		{"text in a column dropped by number", "M,2,3\nF,5,6\n", Options{Drop: []string{"1"}}, "x2", ""},
		{"too large for a number", "1,1e999\n", Options{Drop: []string{"1"}, NoTarget: true}, "", "f.csv:1: "},
		{"one name twice, of a column dropped by number", "a,b,a,y\n1,2,3,4\n", Options{Drop: []string{"3"}}, "a b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readText(c.text, c.o)
			if c.columns == "" {
				expect.Error(t, err, c.want)
				return
			}
			expect.NoError(t, err)
			if strings.Join(got.Columns, " ") != c.columns || (got.Note == "") != (c.want == "") || !strings.Contains(got.Note, c.want) {
				t.Errorf("columns %v, note %q", got.Columns, got.Note)
			}
		})
	}
	if _, err := readText("wet,0.5,3.5\n4,5,6\n", Options{}); !errors.Is(err, ErrHeader) {
		t.Errorf("got %v, want ErrHeader", err)
	}
}

// A model finds its columns in another file by name if the file has a header, and by place if
// neither the file nor the training table has one.
func TestMatch(t *testing.T) {
	inputs, target := []string{"x2", "x4"}, []string{"x1"} // x3 was dropped
	bare := &data.Layout{Columns: 4, Inputs: []int{2, 4}, Targets: []int{1}}
	named := &data.Layout{Header: true, Columns: 4, Inputs: []int{2, 4}, Targets: []int{1}}
	unknown := &data.Layout{}
	for _, c := range []struct {
		name, text string
		layout     *data.Layout
		header     Header
		x, y       []float64 // nil: an error
		want       string    // a part of it
	}{
		{"all columns", "1,2,3,4\n", bare, "", []float64{2, 4}, []float64{1}, ""},
		{"text in a column that is not read", "1,2,wet,4\n", bare, "", []float64{2, 4}, []float64{1}, ""},
		{"a header with the names", "x4,note,x1,x2\n4,3,1,2\n", bare, "", []float64{2, 4}, []float64{1}, ""},
		{"too many columns", "1,2,3,4,5\n", bare, "", nil, nil, "the 4 columns"},
		{"missing value", "1,-,3,4\n", bare, "", nil, nil, `f.csv:1: column 2 (x2): the value is missing ("-")`},

		{"no header, as was said", "1,2,3,4\n", named, HeaderNo, []float64{2, 4}, []float64{1}, ""},
		{"reordered", "x1,x4,x2\n1,4,2\n", named, "", []float64{2, 4}, []float64{1}, ""},
		{"quoted and with blanks", "\ufeff\" x2 \", x1 ,\"x4\"\n2,1,4\n", named, "", []float64{2, 4}, []float64{1}, ""},
		{"other case", "X2,x4,x1\n2,4,1\n", named, "", nil, nil, `the input "x2" is missing; the columns are X2, x4, x1; names must match letter by letter, and the file has "X2" for "x2"`},
		{"one that is needed twice", "x2,x4,x2,x1\n1,2,3,4\n", named, "", nil, nil, `columns 1 and 3 are both named "x2"`},
		{"another twice", "n,n,x2,x4,x1\na,b,2,4,1\n", named, "", []float64{2, 4}, []float64{1}, ""},
		{"no target", "x2,x4\n2,4\n", named, "", nil, nil, `the target "x1" is missing`},

		{"nothing known, names", "x1,x2,x4\n1,2,4\n", unknown, "", []float64{2, 4}, []float64{1}, ""},
		{"nothing known, numbers", "1,2,3\n", unknown, "", nil, nil, "the places of the targets are not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readText(c.text, Options{Inputs: inputs, Targets: target, Layout: c.layout, Header: c.header})
			if c.x == nil {
				expect.Error(t, err, c.want)
				return
			}
			expect.NoError(t, err)
			if !slices.Equal(got.X, c.x) || !slices.Equal(got.Y, c.y) {
				t.Errorf("got %v, %v", got.X, got.Y)
			}
		})
	}
}

// A note says if a first row looks like names but is read as values, or the other way round.
func TestDoubtedMatch(t *testing.T) {
	three, two := []string{"x1", "x2", "x3"}, []string{"0", "1"}
	for _, c := range []struct {
		text   string
		inputs []string
		header Header
		noted  bool
	}{
		{"400,410,420\n1,5,3\n", three, "", true},
		{"400,410,420\n1,5,3\n", three, HeaderNo, false},
		{"4,1,4\n1,5,3\n", three, "", false},
		{"x2,x1,x3\n1,5,3\n", three, "", false},
		{"1,0\n1,5\n", two, "", true},
		{"1,0\n1,5\n", two, HeaderYes, false},
		{"b,0,1\n1,5,3\n", two, "", false},
	} {
		got, err := readText(c.text, Options{Inputs: c.inputs, NoTarget: true, Header: c.header})
		if err != nil || (got.Note != "") != c.noted {
			t.Errorf("%q, header %q: %v, note %q", c.text, c.header, err, got.Note)
		}
	}
}

// Where only inputs are read, a file without a header may have them alone.
func TestMatchInputsAlone(t *testing.T) {
	inputs := []string{"400", "410"}
	bare := &data.Layout{Columns: 3, Inputs: []int{2, 3}, Targets: []int{1}}
	named := &data.Layout{Header: true, Columns: 3, Inputs: []int{2, 3}, Targets: []int{1}}
	for _, c := range []struct {
		text   string
		layout *data.Layout
		header Header
		x      []float64
	}{
		{"7,8\n", bare, "", []float64{7, 8}},
		{"6,7,8\n", bare, "", []float64{7, 8}},
		{"7,8\n", nil, "", []float64{7, 8}},
		{"410,400\n7,8\n", named, "", []float64{8, 7}}, // a header, though of numbers
		{"7,8\n", named, HeaderNo, []float64{7, 8}},
		{"7,8\n", named, "", nil},
		{"410,7\n7,8\n", named, "", nil},
		{"6,7,8\n", nil, "", nil},
		{"6,7,8,9\n", bare, "", nil},
	} {
		got, err := readText(c.text, Options{Inputs: inputs, Targets: []string{"y"}, NoTarget: true, Layout: c.layout, Header: c.header})
		switch {
		case c.x == nil && err == nil:
			t.Errorf("%q is accepted as %v", c.text, got.X)
		case c.x != nil && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.x != nil && !slices.Equal(got.X, c.x):
			t.Errorf("%q: %v, want %v", c.text, got.X, c.x)
		}
	}
}

// A model that keeps no layout is not said to be trained without a header.
func TestMatchOfALayoutNotKnown(t *testing.T) {
	for _, layout := range []*data.Layout{{}, {Columns: 3, Inputs: []int{1, 2}, Targets: []int{3}}} {
		_, err := readText("a,b,c\n1,2,3\n", Options{Inputs: []string{"age", "size"}, NoTarget: true, Layout: layout})
		if err == nil || !strings.HasSuffix(err.Error(), "the columns are a, b, c") {
			t.Errorf("got %v", err)
		}
	}
}

// Names that look alike are equal, with composed letters or without: programs write both.
func TestNamesThatLookAlike(t *testing.T) {
	text := "Gro\u0308\u00dfe,y\n1,2\n"
	got, err := readText(text, Options{Inputs: []string{"Gr\u00f6\u00dfe"}, NoTarget: true, Layout: &data.Layout{Header: true}})
	if err != nil || !slices.Equal(got.Columns, []string{"Gr\u00f6\u00dfe"}) || !slices.Equal(got.X, []float64{1}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err = readText(text, Options{Targets: []string{"Gr\u00f6\u00dfe"}}); err != nil || !slices.Equal(got.Columns, []string{"y"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = readText("Gro\u0308\u00dfe,Gr\u00f6\u00dfe,y\n1,2,3\n", Options{})
	expect.Error(t, err, "columns 1 and 2 are both named")
	_, err = readText(text, Options{Inputs: []string{"gr\u00f6\u00dfe"}, NoTarget: true, Layout: &data.Layout{Header: true}})
	expect.Error(t, err, `"Gro\u0308\u00dfe" for "gr\u00f6\u00dfe"`)
}

func TestLayoutOfATable(t *testing.T) {
	got := expect.Must(readText("1,a,2,3\n4,b,5,6\n", Options{Targets: []string{"1"}, Drop: []string{"2"}}))
	if l := got.FileLayout(); l.Header || l.Columns != 4 || !slices.Equal(l.Inputs, []int{3, 4}) || !slices.Equal(l.Targets, []int{1}) {
		t.Errorf("got %+v", l)
	}
	made := data.Friedman(5, 1)
	if l := made.FileLayout(); !l.Header || l.Columns != 11 || l.Inputs[9] != 10 || !slices.Equal(l.Targets, []int{11}) {
		t.Errorf("a made table: %+v", l)
	}
	made.Extras, made.Weight = []string{"flag"}, "w"
	if l := made.FileLayout(); l.Columns != 13 || !slices.Equal(l.Extra, []int{12}) || l.Weight != 13 {
		t.Errorf("a made table with an extra column and a weight: %+v", l)
	}
}

// 100,000 columns are found in a time that grows with their number alone: with
// every name compared to every other it would take ten seconds.
func TestManyColumns(t *testing.T) {
	var names []string
	for i := range maxColumns {
		names = append(names, "c"+strings.Repeat("z", i%7)+strconv.Itoa(i))
	}
	row := strings.Repeat("1,", maxColumns-1) + "1\n"
	text := strings.Join(names, ",") + "\n" + row
	if _, err := readText(text, Options{Drop: names[:500], Targets: names[500:600]}); err != nil {
		t.Error(err)
	}
	if _, err := readText(text, Options{Inputs: names[1:], Targets: names[:1]}); err != nil {
		t.Error(err)
	}
	_, err := readText("1,"+row, Options{})
	expect.Error(t, err, "at most 100000 columns")
}

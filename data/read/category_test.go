package read

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// Categories are the texts, but for other spellings of one number or one truth value.
func TestCategoryNames(t *testing.T) {
	for cells, want := range map[string]string{
		"1 1.0 1e0 2":                      "1 2",
		"3 3.0 03":                         "03 3 3.0", // a leading zero: texts such as postal codes
		"007 7":                            "007 7",
		"1.10 1.1 2":                       "1.1 1.10 2", // versions; 2.0 is 2
		"True TRUE false":                  "false true",
		"True False":                       "False True",
		"yes no":                           "no yes",
		"yes true no":                      "false true",
		"t x":                              "t x",
		"True TRUE False maybe":            "false maybe true", // as in JSON
		"TRUE 1":                           "1 true",
		"True 1 False 0 true":              "false true",
		"TRUE 0.0":                         "false true",
		"True 1 0 2":                       "0 1 2 true",
		"n 1 0":                            "0 1 n",
		"Gr\u00f6\u00dfe Gro\u0308\u00dfe": "Gr\u00f6\u00dfe",
	} {
		table, err := readRaw(oneColumn(strings.Fields(cells)), Options{Categorical: []string{"x"}})
		if err != nil {
			t.Errorf("%s: %v", cells, err)
			continue
		}
		got := slices.Clone(table.Fields[0].Categories)
		slices.Sort(got)
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: categories %q; want %q", cells, got, wanted)
		}
	}
}

// A category of the training table is found in another spelling of the same value.
func TestCategoryOfAnotherProgram(t *testing.T) {
	for _, c := range []struct {
		categories string
		text, want string
	}{
		{"False True", "true", "True"},
		{"False True", "FALSE", "False"},
		{"no yes", "True", "yes"},
		{"f t", "yes", "t"},
		{"f t x", "yes", ""},
		{"False True", "1", "True"},
		{"False True", "0.0", "False"},
		{"no yes", "on", "yes"},
		{"off on", "0", "off"},
		{"0 1", "TRUE", "1"},
		{"0 1 2", "TRUE", ""},
		{"False True maybe", "1", ""},
		{"1 2", "1.0", "1"},
		{"007 7", "7.0", ""},
		{"1.0 2.5 many", "1", "1.0"},
		{"1.0 1 many", "1e0", "1"},
		{"1.10 many", "1.1", ""},
		{"True many", "true", "True"},
		{"007 8", "7", ""},
		{"Gr\u00f6\u00dfe", "Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"},
	} {
		categories := strings.Fields(c.categories)
		got := ""
		if i, ok := newCategoryFinder(categories, notation{}).find(c.text, notation{}); ok {
			got = categories[i]
		}
		if got != c.want {
			t.Errorf("%q among %s is %q; want %q", c.text, c.categories, got, c.want)
		}
	}
}

// A text that means a missing value in the training table does so in another spelling.
func TestMissingTextOfAnotherProgram(t *testing.T) {
	fields := []data.Field{{Kind: data.Number, MissingTexts: []string{"TRUE", "gro\u00df", "-999"}}}
	rows := "x\ntrue\ngroß\n-999.0\n7\n"
	table, err := All(ctx, strings.NewReader(rows), "f.csv", Options{Inputs: []string{"x"}, Fields: fields, NoTarget: true})
	if err != nil || !slices.Equal(table.X, []float64{7}) || table.BlankRows != 3 {
		t.Errorf("%+v, %v", table, err)
	}
}

// Dates of the training table are read in other spellings, unless these have two meanings.
func TestDateOfAnotherProgram(t *testing.T) {
	for _, c := range []struct {
		layout, text string
		want         string // as layout 2006-01-02; "" for no date
	}{
		{"2006-01-02 15:04:05-07", "2024-03-30T20:00:00Z", "2024-03-30"},
		{"2006-01-02", "30 Mar 2024", "2024-03-30"},
		{"2006-01-02", "3/4/2024", ""},
		{"2006-01-02", "13/4/2024", "2024-04-13"},
		{"2.1.2006", "03/04/2024", "2024-04-03"},
		{"1/2/2006", "3-4-2024", "2024-03-04"},
		{"2006-01-02", "soon", ""},
		{"2006-01-02", "2024-03-30 00:00:00", "2024-03-30"},
		{"2.1.2006", "2024-03-30T20:00Z", "2024-03-30"},
		{"Mon, 2 Jan 2006 15:04:05 MST", "2024-03-30 20:00:00+00", "2024-03-30"},
		{"2Jan2006:15:04:05", "30/Mar/2024:20:00:00 +0200", "2024-03-30"},
		{"2006-01-02", "1/1000", ""},
	} {
		seconds, ok := parseOtherDate(c.layout, c.text)
		got := ""
		if ok {
			got, _, _ = strings.Cut(data.Field{Kind: data.Date, Layout: "2006-01-02"}.Show(seconds), " ")
		}
		if got != c.want {
			t.Errorf("%s beside dates such as %s is %q; want %q", c.text, c.layout, got, c.want)
		}
	}
}

// The first rows of a file for a model prove whether the day or the month comes first, if its training table does not say so.
func TestDateOrderOfAnotherFile(t *testing.T) {
	for _, c := range []struct{ layout, first, want string }{
		{"2006-01-02", "1/13/2024", "2024-03-04"},
		{"2006-01-02", "13/1/2024", "2024-04-03"},
		{"2.1.2006", "1/13/2024 8:00 AM", "2024-03-04"},
		{"2006-01-02", "5/5/2024", "is 3 April 2024 as dd/mm/yyyy or 4 March 2024 as mm/dd/yyyy"},
	} {
		text := "x\n03/04/2024\n" + c.first + "\n"
		fields := []data.Field{{Kind: data.Date, Layout: c.layout}}
		path := filepath.Join(t.TempDir(), "f.csv")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		table, err := File(ctx, path, Options{Inputs: []string{"x"}, Fields: fields, NoTarget: true})
		if err != nil {
			expect.Error(t, err, c.want)
			continue
		}
		got := data.Field{Kind: data.Date, Layout: "2006-01-02"}.Show(table.X[0])
		if got != c.want || len(table.Remarks) != 1 {
			t.Errorf("%s beside %s is %s, want %s; %q", text, c.layout, got, c.want, table.Remarks)
		}
	}
}

// A decimal sign and a separator that are declared, and commas that one number or the delimiter explains.
func TestDeclaredNotation(t *testing.T) {
	for _, c := range []struct {
		text    string
		o       Options
		want    float64 // the first number
		mistake string
	}{
		{"x;y\n1,288;1\n0,016;2\n", Options{}, 1.288, ""},
		{"x\ty\n1,288\t1\n2,016\t2\n", Options{}, 0, "separates thousands"},
		{"x\ty\n1,288\t1\n2,016\t2\n", Options{Decimal: ","}, 1.288, ""},
		{"x\ty\n1,288\t1\n2,016\t2\n", Options{Thousands: ","}, 1288, ""},
		{"x\ty\n1.288\t1\n2.016\t2\n", Options{Thousands: "."}, 1288, ""},
		{"x\ty\n1.288,5\t1\n2.016\t2\n", Options{Decimal: ",", Thousands: "."}, 1288.5, ""},
		{"x\ty\n1'288.5\t1\n-2'000'016\t2\n", Options{Thousands: "'"}, 1288.5, ""},
		{"x;y\n1 288;1\n2 016;2\n", Options{Thousands: " "}, 1288, ""},
		{"x,y\n1,2\n", Options{Decimal: ";"}, 0, "want a point or a comma"},
		{"x,y\n1,2\n", Options{Decimal: ",", Thousands: ","}, 0, "choose one of the two"},
	} {
		c.o.Raw = true
		table, err := All(ctx, strings.NewReader(c.text), "f.csv", c.o)
		switch {
		case c.mistake != "":
			expect.Error(t, err, c.mistake)
		case err != nil:
			t.Errorf("%q: %v", c.text, err)
		case table.X[0] != c.want || table.Fields != nil && table.Fields[0].Kind != data.Number:
			t.Errorf("%q, %+v: %v; want %v", c.text, c.o, table.X, c.want)
		}
	}
}

// Whole numbers that float64 does not have are names: as numbers, different ones would be equal.
func TestLongNumbersAreNames(t *testing.T) {
	for _, c := range []struct {
		cells      string
		kind       data.Kind
		categories int
	}{
		{"1234567890123456701 1234567890123456713 1234567890123456726", data.Category, 3},
		{"9007199254740993 9007199254740995", data.Category, 2},
		{"9007199254740992 4503599627370496", data.Number, 0},      // exact
		{"123456789012345678901234567890.5 1e300", data.Number, 0}, // no whole numbers, or none in digits
		{"0.12345678901234567890 3", data.Number, 0},
	} {
		cells := slices.Repeat(strings.Fields(c.cells), 20)
		table, err := readRaw(oneColumn(cells), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.cells, err)
			continue
		}
		if f := table.Fields[0]; f.Kind != c.kind || len(f.Categories) != c.categories {
			t.Errorf("%s: %+v", c.cells, f)
		}
	}
	table, err := readRaw(oneColumn([]string{"1234567890123456701", "2"}), Options{Numeric: []string{"x"}})
	if err != nil || table.Fields[0].Kind != data.Number {
		t.Errorf("a declared number: %v, %v", table, err)
	}
}

// A long whole number in a column of other numbers is a value, at training and later.
func TestLongNumberAmongNumbers(t *testing.T) {
	var cells []string
	for i := range 40 {
		cells = append(cells, strconv.Itoa(i))
	}
	text := oneColumn(append(cells, "9007199254740993"))
	table := expect.Must(readRaw(text, Options{}))
	f := table.Fields
	if f != nil && f[0].Kind != data.Number || table.X[2*40] != 1<<53 || !strings.Contains(strings.Join(table.Remarks, "\n"), `"9007199254740993" (line 42) has more digits than a 64-bit float, and is read as 9007199254740992`) {
		t.Errorf("%v, %v, %q", f, table.X, table.Remarks)
	}
	again, err := All(ctx, strings.NewReader(text), "f.csv", Options{Inputs: table.Columns, Targets: table.Targets, Fields: f})
	if err != nil || !slices.Equal(again.X, table.X) {
		t.Errorf("read again: %v, %v", again, err)
	}
}

// A day among days with times is its midnight, as programs write it that leave out this time.
func TestMidnightsWithoutTheirTimes(t *testing.T) {
	for _, days := range [][]string{
		{"2024-01-05", "2024-01-05 10:00:00"}, {"2024-01-05T10:00:00Z", "2024-01-05"}, {"5.1.2024 10:00", "5.1.2024", "30.1.2024 0:15"}, {"5 January 2024 10:00", "5 May 2024"},
	} {
		table, err := readRaw("day,y\n"+strings.Join(days, ",1\n")+",1\n", Options{})
		if err != nil {
			t.Errorf("%s: %v", days, err)
			continue
		}
		for i, text := range days {
			want, ok := parseOtherDate("2.1.2006", text)
			if table.Fields[0].Kind != data.Date || table.X[i] != want || !ok {
				t.Errorf("%s: %s is %v as %+v; want %v", days, text, table.X[i], table.Fields[0], want)
			}
		}
		if remarks := strings.Join(table.Remarks, "\n"); !strings.Contains(remarks, "in 1 rows have no time, and count as midnight") {
			t.Errorf("%s: remarks %q", days, remarks)
		}
	}
	table, err := readRaw("day,y\n2024-01-05,1\n2024-01-06,1\n", Options{})
	if err != nil || table.Fields[0].Layout != "2006-01-02" || table.Remarks != nil {
		t.Errorf("days alone: %+v, %v", table, err)
	}
}

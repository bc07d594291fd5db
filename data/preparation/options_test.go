package preparation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/strict"
)

const shirts = "size,colour,weight,day,y\n" +
	"S,red,1,2024-01-01,1\nM,red,,2024-01-02,4\nL,blue,3,2024-01-03,9\nS,blue,8,,16\nM,,2,2024-01-05,25\nL,red,4,2024-01-06,36\n"

// Each option changes the features as documented, and saving and reading a preparation changes nothing.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		o       Options
		feature string
		want    []float64
	}{
		{"the median is what stands for missing values", Options{}, "weight", []float64{1, 3, 3, 8, 2, 4}},
		{"the mean", Options{Missing: Mean}, "weight", []float64{1, 3.6, 3, 8, 2, 4}},
		{"they are marked", Options{}, "weight is missing", []float64{0, 1, 0, 0, 0, 0}},
		{"an order", Options{Ordinal: []Order{{Column: "size", Categories: []string{"S", "M", "L"}}}}, "size", []float64{0, 1, 2, 0, 1, 2}},
		{"an order by number", Options{Ordinal: []Order{{Column: "1", Categories: []string{"S", "M", "L"}}}}, "size", []float64{0, 1, 2, 0, 1, 2}},
		{"an order has levels that do not occur", Options{Ordinal: []Order{{Column: "size", Categories: []string{"XS", "S", "M", "L"}}}}, "size", []float64{1, 2, 3, 1, 2, 3}},
	} {
		table := readTable(t, shirts)
		p, err := Fit(table, nil, c.o)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		text := expect.Must(json.Marshal(p))
		var again Preparation
		if err := strict.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if second, _ := json.Marshal(again); !bytes.Equal(text, second) {
			t.Errorf("%s: %s\nis read as %s", c.name, text, second)
		}
		prepared, _, err := again.Table(table)
		if err != nil {
			t.Fatal(err)
		}
		j := slices.Index(prepared.Columns, c.feature)
		if j < 0 {
			t.Errorf("%s: there are %q", c.name, prepared.Columns)
			continue
		}
		for r, want := range c.want {
			if got := prepared.X[r*len(prepared.Columns)+j]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: row %d is %v, want %v", c.name, r, got, want)
			}
		}
	}
	p, err := Fit(readTable(t, shirts), nil, Options{Transform: "sqrt"})
	if err != nil || len(p.Targets) != 1 || p.Targets[0].Name != "sqrt" {
		t.Errorf("%+v, %v", p, err)
	}
}

// If rows with missing values were dropped or refused when the preparation was fitted, an encoder
// refuses missing values, too.
func TestMissingValuesAreRefused(t *testing.T) {
	table := readTable(t, shirts)
	if _, err := Fit(table, nil, Options{Missing: Refuse}); err == nil || strings.Count(err.Error(), "values are missing") != 3 {
		t.Errorf("%v", err)
	}
	whole := table.Complete()
	for _, missing := range []Missing{Drop, Refuse} {
		p := expect.Must(Fit(whole, nil, Options{Missing: missing}))
		e := expect.Must(p.Encoder(table.Columns, table.Fields))
		for r, column := range map[int]string{1: "weight", 3: "day", 4: "colour"} {
			expect.Error(t, expect.ErrorOf(e.Append(nil, table.X[r*4:][:4])), `column "`+column+`": the value is missing`)
		}
		if _, err := e.Append(nil, table.X[:4]); err != nil {
			t.Error(err)
		}
	}
}

// A saved preparation keeps the texts that stand for a missing number.
func TestMissingValueTextsAreKept(t *testing.T) {
	table := readTable(t, "x,z,y\nunknown,0,1\n"+strings.Repeat("1,2,2\n2,1,3\n", 20))
	p := expect.Must(Fit(table, nil, Options{}))
	text, _ := json.Marshal(p)
	var again Preparation
	if err := strict.Unmarshal(text, &again); err != nil || !slices.Equal(again.Columns[0].MissingTexts, []string{"unknown"}) || again.Columns[0].MissingRows != 1 {
		t.Errorf("%+v, %v", again.Columns, err)
	}
}

func TestFitReportsAllMistakes(t *testing.T) {
	err := Options{Missing: "zero", Transform: "cube", Ordinal: []Order{{Column: "a", Categories: []string{"x"}}, {Column: "b", Categories: []string{"x", "x", ""}}, {Column: "a", Categories: []string{"x", "y"}}}}.Check()
	want := `unknown handling of missing values "zero"; want median, mean, drop or error
unknown transform "cube"; want auto, none or one of log, log1p, sqrt, quantile-normal
the order of column "a" has 1 category; want at least 2
the order of column "b" repeats the category "x"
the order of column "b" has an empty category
the order of column "a" is repeated; give it once`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = Fit(readTable(t, "a,b,x,y\nu,1,1,-1\nv,2,3,2\nu,4,3,3\n"), nil, Options{Transform: "log", Ordinal: []Order{{Column: "a", Categories: []string{"v", "w"}}, {Column: "b", Categories: []string{"1", "2"}}, {Column: "c", Categories: []string{"1", "2"}}}})
	want = `the order of column "b" cannot be used: the column is not categorical; declare it as categorical
the order of column "c" cannot be used: there is no such input
the target "y" is -1 in a training row; the transform log needs numbers above 0; choose another transform
column "a": the order of its categories lacks u`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// A column that numbers the rows is left out by its name and its values, unless it is kept.
func TestNumbersOfRows(t *testing.T) {
	for _, c := range []struct {
		name, numbers string
		left          bool
	}{
		{"id", "1 2 3 4 5 6", true},
		{"Unnamed: 0", "0 1 2 3 4 5", true},
		{"", "1 2 3 4 5 6", true},
		{"rownames", "3 1 5 6 2 4", true},
		{"customer_id", "1 2 3 5 6 9", true},
		{"passengerId", "1 2 3 5 6 9", true},
		{"id", "1 2 3 3 5 6", false},
		{"id", "1 20 300 4000 5 6", false},
		{"humid", "1 2 3 4 5 6", false},
		{"x", "1 2 3 4 5 6", false},
		{"index", "1 1.5 2 2.5 3 3.5", false},
	} {
		text := c.name + ",z,y\n"
		for i, n := range strings.Fields(c.numbers) {
			text += fmt.Sprintf("%s,%d,%d\n", n, i*i%5, i)
		}
		table := readTable(t, text)
		p := expect.Must(Fit(table, nil, Options{}))
		if left := p.Columns[0].Dropped == "the number of the row"; left != c.left {
			t.Errorf("%q of %s is left out: %v", c.name, c.numbers, left)
		}
		keep := []string{table.Columns[0]}
		if c.name != "" {
			keep = []string{"1"}
		}
		if p, err := Fit(table, nil, Options{Keep: keep}); err != nil || p.Columns[0].Dropped != "" {
			t.Errorf("%q is kept as %+v, %v", c.name, p.Columns[0], err)
		}
	}
	if p, err := Fit(readTable(t, "index,y\n1,2\n2,3\n3,5\n4,5\n5,6\n"), nil, Options{}); err != nil || p.Columns[0].Dropped != "" {
		t.Errorf("the only input is %+v, %v", p, err)
	}
}

// A dropped column tells the kind to declare, and declaring it keeps the column. Images have
// constant columns at their borders.
func TestDroppedColumnsAreKept(t *testing.T) {
	text := "border,name,void,y\n"
	for i := range 30 {
		text += fmt.Sprintf("0,n%dx,NA,%d\n", i, i*i%7)
	}
	table := readTable(t, text+"0,n30x,1,5\n")
	train := make([]int, 30)
	for i := range train {
		train[i] = i
	}
	p, err := Fit(table, train, Options{Keep: []string{"name"}})
	if err == nil {
		t.Fatalf("%+v: nothing is left", p)
	}
	p = expect.Must(Fit(table, train, Options{Keep: []string{"border"}}))
	for i, want := range []struct {
		dropped string
		kind    data.Kind
	}{{"", ""}, {"an identifier", data.Category}, {"empty", ""}} {
		c := &p.Columns[i]
		if kind, ok := c.KindToKeep(); c.Dropped != want.dropped || kind != want.kind || ok != (want.kind != "") {
			t.Errorf("%s: dropped as %q, kept as %q", c.Name, c.Dropped, kind)
		}
	}
	if p, err = Fit(table, train, Options{Keep: []string{"border"}}); err != nil || len(p.Features()) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// In a table with many categorical columns, only the most frequent categories have indicators.
func TestManyCategoricalColumns(t *testing.T) {
	const texts, levels, rows = maxIndicators / 4, 20, 100
	table := &data.Table{Name: "wide", Targets: []string{"y"}, Y: make([]float64, rows)}
	for j := range texts {
		f := data.Field{Kind: data.Category}
		for l := range levels {
			f.Categories = append(f.Categories, fmt.Sprintf("%02d", l))
		}
		table.Columns, table.Fields = append(table.Columns, fmt.Sprint("t", j)), append(table.Fields, f)
	}
	for r := range rows {
		for range texts {
			table.X = append(table.X, float64(r*r%levels)) // 0, 1, 4, 5, 9 and 16
		}
	}
	p := expect.Must(Fit(table, nil, Options{}))
	if n := len(p.Features()); p.CategoryLimit != 3 || n > maxIndicators || n < maxIndicators/2 {
		t.Errorf("%d features of %d levels", n, p.CategoryLimit)
	}
	if c := p.Columns[7]; !slices.Equal(c.Categories, []string{"01", "04", "09"}) || c.OtherRows != 40 {
		t.Errorf("%q and %d others", c.Categories, c.OtherRows)
	}
}

// Describe uses the singular and the plural of each noun.
func TestDescribe(t *testing.T) {
	fill := 2.5
	for _, c := range []struct {
		column Column
		want   string
	}{
		{Column{Field: data.Field{Kind: data.Number}}, ""},
		{Column{Field: data.Field{Kind: data.Number}, Fill: &fill, Indicator: true, MissingRows: 1}, "1 missing: 2.5, marked"},
		{Column{Field: data.Field{Kind: data.Category, Categories: []string{"a"}}, OtherRows: 1}, "one-hot, 1 category and others (1 row)"},
		{Column{Field: data.Field{Kind: data.Category, Categories: []string{"a", "b"}}, Ordered: true}, "ordinal, 2 categories"},
		{Column{Field: data.Field{Kind: data.Category, Categories: []string{"a", "b"}}, Indicator: true, MissingRows: 4}, "one-hot, 2 categories; 4 missing, marked"},
		{Column{Field: data.Field{Kind: data.Date}, DateParts: []string{"seconds", "day of year, sine", "day of year, cosine", "hour"}}, "as seconds, day of year, hour"},
		{Column{Dropped: "constant"}, "constant, left out"},
	} {
		if got := c.column.Describe(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

package read

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// readBy reads a table of the columns x, by and y.
func readBy(t *testing.T, o Options, rows ...string) (*data.Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte("x,by,y\n"+strings.Join(rows, "\n")+"\n"), 0o666))
	if o.SplitColumn == "" {
		o.SplitColumn = "by"
	}
	o.Raw = true
	return File(ctx, path, o)
}

func TestReadByErrors(t *testing.T) {
	for _, c := range []struct {
		o      Options
		values string // of the column by
		want   string
	}{
		{Options{SplitColumnIsNoInput: true}, "a NA ?", "t.csv:3: column 2 (by): the value is missing; every row needs one, as rows are split by this column (and 1 more rows like it)"},
		{Options{SplitColumnIsNoInput: true}, "0  1", `t.csv:3: column 2 (by): the value is missing`},
		{Options{}, "2024-01-01 NA 2024-01-02", "t.csv:3: column 2 (by): the value is missing"},
		{Options{}, "1 2 3 4 5 6 7 8 9 10 11 soon", "t.csv:13: column 2 (by): \"soon\" is not a number, and 11 other values are"},
		{Options{SplitColumn: "group", SplitColumnIsNoInput: true}, "a b", `there is no column "group"; the columns are x, by, y`},
		{Options{SplitColumn: "y", SplitColumnIsNoInput: true}, "a b", `column 3 (y) cannot be both the column that rows are split by and a target; name it once; the last column was taken as the target, as none was named`},
		{Options{SplitColumn: "y"}, "a b", `column 3 (y) is the target, and rows cannot be split by it; the last column was taken as the target, as none was named`},
		{Options{SplitColumn: "x", Targets: []string{"x"}}, "a b", `column 1 (x) is a target, and rows cannot be split by it`},
		{Options{Dates: []string{"by=dd.mm.yyyy"}}, "01.02.2024 2.3.2024", `column 2 (by): "2.3.2024" is not a date as dd.mm.yyyy`},
	} {
		var rows []string
		for i, v := range strings.Split(c.values, " ") {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, v, i*i))
		}
		_, err := readBy(t, c.o, rows...)
		expect.Error(t, err, c.want)
	}
}

// A row without any input is left out, as in other tables, and needs no value of the column that rows are split by.
func TestBlankRowsNeedNoSplitValue(t *testing.T) {
	table, err := readBy(t, Options{}, "1,2024-01-01,1", ",,2", "3,2024-01-03,3", "?,,4")
	if err != nil || table.Rows() != 2 || table.BlankRows != 2 {
		t.Errorf("%+v, %v; want 2 rows, and 2 blank ones", table, err)
	}
}

// A column of dates that rows are split by is an input, too; dropped, it is none.
func TestTimeIsAnInput(t *testing.T) {
	rows := []string{"1,2024-01-01,1", "2,2024-01-02,2"}
	for _, c := range []struct {
		o    Options
		want []string
	}{{Options{}, []string{"x", "by"}}, {Options{Drop: []string{"by"}}, []string{"x"}}, {Options{Drop: []string{"by"}, Dates: []string{"by=yyyy-mm-dd"}}, []string{"x"}}} {
		table, err := readBy(t, c.o, rows...)
		if err != nil || !slices.Equal(table.Columns, c.want) || table.SplitField.Kind != data.Date || !slices.Equal(table.SplitValues, []float64{1704067200, 1704153600}) {
			t.Errorf("%+v: %v, %v, %v", c.o, table, c.want, err)
		}
	}
}

// Rows are split by the instants of their dates if these have several offsets, while an input is the hour that is written.
func TestSplitByInstants(t *testing.T) {
	const midnight = 1704067200 // 2024-01-01T00:00:00Z
	for _, c := range []struct {
		dates          []string
		inputs, splits []float64 // hours since midnight
		shown          string    // second date
	}{
		{[]string{"2024-01-01T09:00:00+09:00", "2024-01-01T09:30:00+09:00"}, []float64{9, 9.5}, []float64{9, 9.5}, "2024-01-01T09:30:00"},
		{[]string{"2024-01-01T09:00:00+09:00", "2023-12-31T16:15:00-08:00", "2024-01-01 00:30:00"}, []float64{9, -7.75, 0.5}, []float64{0, 0.25, 0.5}, "2024-01-01 00:15:00 UTC"},
		{[]string{"2024-01-01 01:00:00 GMT+1", "2023-12-31 16:15:00 UTC-8"}, []float64{1, -7.75}, []float64{0, 0.25}, "2024-01-01 00:15:00 UTC"},
	} {
		var rows []string
		for i, date := range c.dates {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, date, i))
		}
		table, err := readBy(t, Options{}, rows...)
		if err != nil {
			t.Errorf("%s: %v", c.dates, err)
			continue
		}
		for i := range rows {
			input, split := (table.X[2*i+1]-midnight)/3600, (table.SplitValues[i]-midnight)/3600
			if input != c.inputs[i] || split != c.splits[i] {
				t.Errorf("%s is the input %v and the split value %v; want %v and %v", c.dates[i], input, split, c.inputs[i], c.splits[i])
			}
		}
		if shown := table.SplitField.Show(table.SplitValues[1]); shown != c.shown {
			t.Errorf("%s is shown as %s; want %s", c.dates[1], shown, c.shown)
		}
	}
}

// Test rows do not change the categories, the fields or the values of the table's own rows.
func TestWithTest(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	train := expect.Must(File(ctx, write("train.csv", "c,n,w,y\nred,1,1,1\nblue,2,2,2\nred,3,1,3\n"), Options{Raw: true, Weight: "w"}))
	test := expect.Must(File(ctx, write("test.csv", "y,w,n,c,more\n4,1,,green,7\n5,2,9,blue,7\n"), TestOptions(train, true)))
	both := expect.Must(train.WithTest(test))
	if !slices.Equal(both.Y, []float64{1, 2, 3, 4, 5}) || !slices.Equal(both.W, []float64{1, 2, 1, 1, 2}) || both.TestRows != 2 || !math.IsNaN(both.X[7]) {
		t.Errorf("%+v", both)
	}
	if got := both.X[6]; got != data.UnseenCategory {
		t.Errorf("a category of the test rows alone is %v", got)
	}
	own, held := both.SeparateTestRows()
	for _, c := range [][2]*data.Table{{own, train}, {held, test}} {
		got, _ := c[0].Checksum(ctx)
		if want, _ := c[1].Checksum(ctx); got != want {
			t.Errorf("%+v became %+v", c[1], c[0])
		}
	}
	for text, want := range map[string]string{
		"c,y,w\nred,1,1\n":          `the input "n" is missing`,
		"c,n,y\nred,1,1\n":          `the weight "w" is missing; test rows need the columns of`,
		"c,n,w\nred,1,1\n":          `the target "y" is missing`,
		"c,n,w,y\nred,three,1,1\n":  `column 2 (n): `,
		"c,n,w,y\n":                 "the file has a header but no row",
		"c,n,w,y\nred,1,1,\n,,1,\n": "all 2 rows lack a target",
	} {
		var test *data.Table
		test, err := File(ctx, write("bad.csv", text), TestOptions(train, true))
		if err == nil {
			_, err = train.WithTest(test)
		}
		expect.Error(t, err, want)
	}
}

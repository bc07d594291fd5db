package read

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/data"
	"sml/internal/expect"
)

func readRaw(text string, o Options) (*data.Table, error) {
	o.Raw = true
	return All(ctx, strings.NewReader(text), "t.csv", o)
}

func TestKinds(t *testing.T) {
	yearZero := float64(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()) // the day of a time without a day
	for _, c := range []struct {
		name, cells string // of one column
		o           Options
		field       data.Field
		values      []float64
	}{
		{"numbers", "1 2.5 -3", Options{}, data.Field{Kind: data.Number}, []float64{1, 2.5, -3}},
		{"a number is missing", "1 NA 3", Options{}, data.Field{Kind: data.Number}, []float64{1, math.NaN(), 3}},
		{"texts", "b a b ?", Options{}, data.Field{Kind: data.Category, Categories: []string{"a", "b"}}, []float64{1, 0, 1, math.NaN()}},
		{"numbers among categories", "10 9 A 9.0", Options{}, data.Field{Kind: data.Category, Categories: []string{"9", "9.0", "10", "A"}}, []float64{2, 0, 3, 1}},
		{"numbers that are names", "2 1 02", Options{Categorical: []string{"x"}}, data.Field{Kind: data.Category, Categories: []string{"1", "02", "2"}}, []float64{2, 0, 1}},
		{"days", "1970-01-02 1970-01-01", Options{}, data.Field{Kind: data.Date, Layout: "2006-01-02"}, []float64{86400, 0}},
		{"days before months", "01/02/1970 31/01/1970", Options{}, data.Field{Kind: data.Date, Layout: "02/01/2006"}, []float64{31 * 86400, 30 * 86400}},
		{"years of two digits first", "24/05/09 24/12/31 23/01/05", Options{}, data.Field{Kind: data.Date, Layout: "06/01/02"}, []float64{1715212800, 1735603200, 1672876800}},
		{"years of two digits last", "09/05/24 31/12/24 05/01/23", Options{}, data.Field{Kind: data.Date, Layout: "2/1/06"}, []float64{1715212800, 1735603200, 1672876800}},
		{"years first, with times", "24.05.09_00:00 24.12.31_06:30", Options{}, data.Field{Kind: data.Date, Layout: "06.01.02 15:04"}, []float64{1715212800, 1735626600}},
		{"a layout", "19700102 19700101", Options{Dates: []string{"x=yyyymmdd"}}, data.Field{Kind: data.Date, Layout: "20060102"}, []float64{86400, 0}},
		{"numbers of days", "19700102 19700101 NA" + strings.Repeat(" 19700201", 8), Options{}, data.Field{Kind: data.Date, Layout: "20060102"}, []float64{86400, 0, math.NaN(), 31 * 86400}},
		{"numbers of a day in several years", "20200131 20210131" + strings.Repeat(" 20220131", 8), Options{}, data.Field{Kind: data.Date, Layout: "20060102"}, []float64{1580428800, 1612051200}},
		{"numbers of hours", "1970010201 1970010100" + strings.Repeat(" 1970020100", 8), Options{Dates: []string{"x"}}, data.Field{Kind: data.Date, Layout: "2006010215"}, []float64{90000, 0}},
		{"numbers of days that are declared numbers", "19700102" + strings.Repeat(" 19700201", 9), Options{Numeric: []string{"x"}}, data.Field{Kind: data.Number}, []float64{19700102, 19700201}},
		{"seconds since 1970", "1709251200 1709254800.0" + strings.Repeat(" 1711929600", 8), Options{}, data.Field{Kind: data.Date, Layout: data.UnixSeconds}, []float64{1709251200, 1709254800}},
		{"milliseconds since 1970", "1709251200500 NA" + strings.Repeat(" 1711929600000", 9), Options{}, data.Field{Kind: data.Date, Layout: data.UnixMillis}, []float64{1709251200.5, math.NaN(), 1711929600}},
		{"a few milliseconds since 1970", "1709251200000 1709251200001", Options{Dates: []string{"x=unix ms"}}, data.Field{Kind: data.Date, Layout: data.UnixMillis}, []float64{1709251200, 1709251200.001}},
		{"an odd cell among seconds since 1970", "1709251200 soon" + strings.Repeat(" 1711929600 1711929601", 8), Options{}, data.Field{Kind: data.Date, Layout: data.UnixSeconds, MissingTexts: []string{"soon"}}, []float64{1709251200, math.NaN(), 1711929600}},
		{"an odd length among numbers of days", "20240131 5_km" + strings.Repeat(" 20240201", 15), Options{}, data.Field{Kind: data.Date, Layout: "20060102", MissingTexts: []string{"5 km"}}, []float64{1706659200, math.NaN(), 1706745600}},
		{"a date in another notation among numbers of days", "20240131 2024-03-02" + strings.Repeat(" 20240201", 15), Options{}, data.Field{Kind: data.Date, Layout: "20060102"}, []float64{1706659200, 1709337600, 1706745600}},
		{"phone numbers", "1709251200 2099251200" + strings.Repeat(" 1711929600", 8), Options{}, data.Field{Kind: data.Number}, []float64{1709251200, 2099251200}},
		{"bills of one month", "20240131" + strings.Repeat(" 20240102", 9), Options{}, data.Field{Kind: data.Number}, []float64{20240131, 20240102}},
		{"a bill that is no day", "20240200" + strings.Repeat(" 20240301 20240102", 9), Options{}, data.Field{Kind: data.Number}, []float64{20240200, 20240301}},
		{"texts in a numeric column", "1 wet 3", Options{Numeric: []string{"x"}}, data.Field{Kind: data.Number, MissingTexts: []string{"wet"}}, []float64{1, math.NaN(), 3}},
		{"percent", "12% 3.5% NA", Options{}, data.Field{Kind: data.Number, Suffix: "%"}, []float64{0.12, 0.035, math.NaN()}},
		{"money", "$12 -$3 4", Options{Numeric: []string{"x"}}, data.Field{Kind: data.Number, Prefix: "$"}, []float64{12, -3, 4}},
		{"accountants' money", "$12 ($3) +$4 -$5", Options{}, data.Field{Kind: data.Number, Prefix: "$"}, []float64{12, -3, 4, -5}},
		{"accountants' numbers", "1.5 (3) 4- -_5", Options{}, data.Field{Kind: data.Number}, []float64{1.5, -3, -4, -5}},
		{"accountants' percentages", "12% (3%) 4%", Options{}, data.Field{Kind: data.Number, Suffix: "%"}, []float64{0.12, -0.03, 0.04}},
		{"codes of currencies", "EUR_12 EUR_-3 EUR_4", Options{}, data.Field{Kind: data.Number, Prefix: "EUR"}, []float64{12, -3, 4}},
		{"names with one word", "Lot_12 Lot_3", Options{}, data.Field{Kind: data.Category, Categories: []string{"Lot 12", "Lot 3"}}, []float64{0, 1}},
		{"labels in brackets", "(1) (3) (2)", Options{}, data.Field{Kind: data.Category, Categories: []string{"(1)", "(2)", "(3)"}}, []float64{0, 2, 1}},
		{"marks", "2 2- 3+", Options{}, data.Field{Kind: data.Category, Categories: []string{"2", "2-", "3+"}}, []float64{0, 1, 2}},
		{"a word among units", "5km 6km free", Options{Numeric: []string{"x"}}, data.Field{Kind: data.Number, Suffix: "km", MissingTexts: []string{"free"}}, []float64{5, 6, math.NaN()}},
		{"zero among percentages", "5% 0 6%", Options{}, data.Field{Kind: data.Number, Suffix: "%"}, []float64{0.05, 0, 0.06}},
		{"a missing amount", "$5 -$99.90 $6", Options{MissingValues: []string{"-99.9"}}, data.Field{Kind: data.Number, Prefix: "$", MissingTexts: []string{"-99.9"}}, []float64{5, math.NaN(), 6}},
		{"a missing percentage", "5% -99.90% 6%", Options{MissingValues: []string{"-99,9%"}}, data.Field{Kind: data.Number, Suffix: "%", MissingTexts: []string{"-99,9%"}}, []float64{0.05, math.NaN(), 0.06}},
		{"names", "12 12a 14b 15", Options{}, data.Field{Kind: data.Category, Categories: []string{"12", "15", "12a", "14b"}}, []float64{0, 2, 3, 1}},
		{"NaN of Windows", "5 -1.#IND 1.#QNAN 1.#INF00 6", Options{}, data.Field{Kind: data.Number}, []float64{5, math.NaN(), math.NaN(), math.NaN(), 6}},
		{"a number among dates", "1970-01-02 0 1970-01-01 1970-01-01 1970-01-01 1970-01-01 1970-01-01 1970-01-01 1970-01-01 1970-01-01 1970-01-01", Options{}, data.Field{Kind: data.Date, Layout: "2006-01-02", MissingTexts: []string{"0"}}, []float64{86400, math.NaN(), 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"times", "1/31/2020_3:04_PM 2/1/2020_11:00_AM", Options{}, data.Field{Kind: data.Date, Layout: "1/2/2006 3:04 PM"}, []float64{1580483040, 1580554800}},
		{"times with points", "18.00.00 09.30.15", Options{}, data.Field{Kind: data.Date, Layout: "15.04.05"}, []float64{18*3600 + yearZero, 9*3600 + 30*60 + 15 + yearZero}},
		{"letters", "1970-01-02_05:06", Options{Dates: []string{"x=yyyy-mm-dd hh:mm"}}, data.Field{Kind: data.Date, Layout: "2006-01-02 15:04"}, []float64{86400 + 5*3600 + 6*60}},
		{"nothing", "NA - ?", Options{}, data.Field{Kind: data.Number}, []float64{math.NaN(), math.NaN(), math.NaN()}},
	} {
		text := "x,z,y\n"
		for cell := range strings.SplitSeq(c.cells, " ") {
			text += strings.ReplaceAll(cell, "_", " ") + ",q,5\n"
		}
		table, err := readRaw(text, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := table.Fields[0]
		if f.Kind != c.field.Kind || !slices.Equal(f.Categories, c.field.Categories) || !slices.Equal(f.MissingTexts, c.field.MissingTexts) || f.Layout != c.field.Layout || f.Suffix != c.field.Suffix {
			t.Errorf("%s: %+v", c.name, f)
		}
		for r, want := range c.values {
			if got := table.X[2*r]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: row %d is %v, want %v", c.name, r, got, want)
			}
		}
	}
}

// A category is the text in the file, even if another text is the same number.
func TestCategoriesAreTexts(t *testing.T) {
	zips := []string{"01234", "1234", "1.234e3", "1.1", "1.10", "9007199254740993", "9007199254740992", "+1", "1"}
	type row struct {
		Zip string  `parquet:"zip"`
		X   float64 `parquet:"x"`
		Y   float64 `parquet:"y"`
	}
	csvText, lines := "zip,x,y\n", ""
	var rows []row
	sheet := [][]any{{"zip", "x", "y"}}
	for i, zip := range zips {
		v := float64(i)
		csvText += fmt.Sprintf("%s,%d,%d\n", zip, i, i)
		lines += fmt.Sprintf("{\"zip\": %q, \"x\": %d, \"y\": %d}\n", zip, i, i)
		rows = append(rows, row{zip, v, v})
		sheet = append(sheet, []any{zip, i, i})
	}
	files := map[string]string{
		"csv": csvText, "json": lines, "parquet": asParquet(t, rows), "xlsx": asWorkbook(t, []string{"S"}, map[string][][]any{"S": sheet}),
	}
	for format, text := range files {
		for use, o := range map[string]Options{
			"--categorical": {Raw: true, Categorical: []string{"zip"}},
			"--group":       {Raw: true, SplitColumn: "zip", SplitColumnIsNoInput: true},
		} {
			table, err := All(ctx, strings.NewReader(text), "t", o)
			if err != nil {
				t.Fatal(format, use, err)
			}
			field, values := table.SplitField, table.SplitValues
			if use == "--categorical" {
				field = table.Fields[0]
				values, _ = columnOf(table, 0)
			}
			for i, v := range values {
				if got := field.Show(v); got != zips[i] {
					t.Errorf("%s, %s: row %d has %s, want %s", format, use, i, got, zips[i])
				}
			}
		}
	}
}

// columnOf returns the values of input j.
func columnOf(t *data.Table, j int) (values []float64, field data.Field) {
	if t.Fields != nil {
		field = t.Fields[j]
	}
	return columnValues(t, j), field
}

// A percentage is a fraction, also with a decimal comma. A column of percentages and plain numbers is refused, and an odd
// percentage is a missing value, in any order of the rows.
func TestPercentages(t *testing.T) {
	for text, want := range map[string][]float64{
		"p,y\n44.9%,1\n0.1 %,2\n-1e1%,3\n":                          {0.449, 0.001, -0.1},
		"p;y\n44,9%;1,5\n5 %;2\n":                                   {0.449, 0.05},
		"p;y\n44,9%;1\n5%;2\n":                                      {0.449, 0.05},
		"{\"p\": \"44.9%\", \"y\": 1}\n{\"p\": \"7%\", \"y\": 2}\n": {0.449, 0.07},
	} {
		table, err := readRaw(text, Options{})
		if err != nil || !slices.Equal(table.X, want) {
			t.Errorf("%q: %+v, %v", text, table, err)
		}
	}
	for _, text := range []string{"p,y\n44.9%,1\n0.234,2\n", "p,y\n0.234,1\n44.9%,2\n", "{\"p\": \"44.9%\", \"y\": 1}\n{\"p\": 0.234, \"y\": 2}\n"} {
		_, err := readRaw(text, Options{})
		expect.Error(t, err, `column 1 (p): "44.9%" has the unit %, and `, "write all of them in one unit")
	}
	many := strings.Repeat("0.5,1\n", 2*blockSize/6)
	for _, text := range []string{"p,y\n44.9%,1\n" + many, "p,y\nn.k.,1\n44.9%,1\n" + many, "p,y\n" + many + "44.9%,1\n"} {
		table, err := readRaw(text, Options{})
		if err != nil || len(table.Remarks) != 1 || !strings.Contains(table.Remarks[0], "not plain numbers and count as missing") {
			t.Errorf("%.40q: %+v, %v", text, table.Remarks, err)
		}
	}
}

// Rows to predict have the unit of the training rows.
func TestPercentagesOfKnownFields(t *testing.T) {
	percent := Options{Inputs: []string{"p"}, Fields: []data.Field{{Kind: data.Number, Suffix: "%"}}, NoTarget: true}
	plain := Options{Inputs: []string{"p"}, Fields: []data.Field{{Kind: data.Number}}, NoTarget: true}
	for _, c := range []struct {
		text string
		o    Options
		want string // error; "" if 0.5 is read
	}{
		{"p\n50%\n", percent, ""},
		{"p\n50 %\n", percent, ""},
		{"{\"p\":0.5}\n", percent, ""}, // a number that JSON stores is a fraction
		{"p\n0.5\n", percent, `t.csv:2: column 1 (p): "0.5" has no percent sign, and the values of the training table have one; write 50% if it is a fraction`},
		{"p\n0.5\n", plain, ""},
		{"p\n50%\n", plain, `t.csv:2: column 1 (p): "50%" is a percentage, and not a plain number`},
		{"p\n$50\n", plain, `t.csv:2: column 1 (p): "$50" has the unit $, and a plain number is needed`},
	} {
		table, err := All(ctx, strings.NewReader(c.text), "t.csv", c.o)
		switch {
		case c.want != "":
			expect.ErrorText(t, err, c.want)
		case err != nil || table.X[0] != 0.5:
			t.Errorf("%q: %+v, %v", c.text, table, err)
		}
	}
}

// TestUnitsOfTargets checks that targets have units as inputs have.
func TestUnitsOfTargets(t *testing.T) {
	for text, want := range map[string][]float64{
		"x,y\n1,5%\n2,0\n3,7 %\n":  {0.05, 0, 0.07},
		"x,y\n1,$5\n2,-$6\n3,7\n":  {5, -6, 7},
		"x,y\n1,5 kg\n2,\n3,7kg\n": {5, 7},
		"x,y\n1,5k\n2,6M\n3,7\n":   {5000, 6e6, 7},
	} {
		table, err := All(t.Context(), strings.NewReader(text), "t.csv", Options{Raw: true, Targets: []string{"y"}})
		if err != nil || !slices.Equal(table.Y, want) {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	_, err := All(t.Context(), strings.NewReader("x,y\n1,5%\n2,6%\n3,7\n"), "t.csv", Options{Raw: true, Targets: []string{"y"}})
	expect.Error(t, err, `t.csv:4: column 2 (y): "7" has no percent sign, and the values of the training table have one; write 700% if it is a fraction`)
}

// TestMagnitudesAndSecondUnits checks that numbers with magnitudes are read in full, and that numbers in another unit than most
// are never read as if they had this one.
func TestMagnitudesAndSecondUnits(t *testing.T) {
	for _, c := range []struct {
		cells  string // with the number of the row
		odd    string
		want   float64 // of the odd cell
		remark string
	}{
		{"%d,0,1\n", "5.8k", 5800, `"5.8k" is read as 5800`},
		{"%d,0,1\n", "$5M", 5e6, `"$5M" is read as 5000000`},
		{"€%d.25K,0,1\n", "€1.1M", 1.1e6, `"€1.25K" is read as 1250`},
		{"%dM,0,1\n", "7 Mrd.", 7e9, `"1M" is read as 1000000`},
		{"%d,0,1\n", "12B", math.NaN(), `"12B" (line 52) in 1 rows are not numbers and count as missing`}, // perhaps a house
		{"%d kg,0,1\n", "5 lb", math.NaN(), `"1 kg" is read as 1; "5 lb" (line 52) in 1 rows are not numbers in kg and count as missing`},
		{"%d kg,0,1\n", "5.8 kt", math.NaN(), `"5.8 kt" (line 52) in 1 rows are not numbers in kg and count as missing`},
	} {
		table, err := readRaw("x,z,y\n"+countingRows(c.cells)+c.odd+",0,1\n", Options{})
		if err != nil || !sameNumber(table.X[100], c.want) || !strings.Contains(strings.Join(table.Remarks, "\n"), c.remark) {
			t.Errorf("%s: %v, %q, %v", c.odd, table.X, table.Remarks, err)
		}
	}
	many := countingRows("%d kg,1\n") + strings.Repeat("5 lb,1\n", 10)
	_, err := readRaw("x,y\n"+many, Options{})
	expect.Error(t, err, `t.csv:52: column 1 (x): "5 lb" has the unit lb, and 50 other values have the unit kg; write all of them in one unit`)
	table, err := readRaw("x,y\n"+countingRows("%d,1\n")+"160 mm,1\n", Options{})
	want := `column 1 (x): "160 mm" (line 52) in 1 rows have the unit mm, and 50 numbers have none: all are read as numbers in it`
	if err != nil || !slices.Equal(table.Remarks, []string{want}) {
		t.Errorf("%v, %v", table, err)
	}
}

// countingRows returns 50 rows of the given format, with the numbers from 1 to 50.
func countingRows(format string) string {
	var rows strings.Builder
	for i := range 50 {
		fmt.Fprintf(&rows, format, i+1)
	}
	return rows.String()
}

func TestCategoriesOfStoredNumbers(t *testing.T) {
	type row struct {
		Key int64   `parquet:"key"`
		F   float64 `parquet:"f"`
		D   int64   `parquet:"d,decimal(2:18)"`
		Y   float64 `parquet:"y"`
	}
	text := asParquet(t, []row{{1<<53 + 1, 3, 110, 1}, {1 << 53, 0.1, 100, 2}})
	o := Options{Raw: true, Categorical: []string{"key", "f", "d"}}
	table := expect.Must(All(ctx, strings.NewReader(text), "t", o))
	for j, want := range [][]string{{"9007199254740992", "9007199254740993"}, {"0.1", "3"}, {"1", "1.1"}} {
		if got := table.Fields[j].Categories; !slices.Equal(got, want) {
			t.Errorf("Parquet column %d has categories %q, want %q", j, got, want)
		}
	}
	table = expect.Must(All(ctx, strings.NewReader("{\"key\": 1.10, \"y\": 1}\n{\"key\": 1.1, \"y\": 2}\n"), "t", Options{Raw: true, Categorical: []string{"key"}}))
	if got := table.Fields[0].Categories; !slices.Equal(got, []string{"1.1", "1.10"}) {
		t.Errorf("JSON has categories %q", got)
	}
}

// A column that turns out to be a category keeps the texts of the numbers above its first
// text: a file is read again, and a stream is refused.
func TestLateCategories(t *testing.T) {
	text := "code,x,y\n" + strings.Repeat("1.10,1,2\n1.1,3,4\n", lookAheadRows) + strings.Repeat("A,1,2\nB,1,2\nC,1,2\n", lookAheadRows)
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	table := expect.Must(File(ctx, path, Options{Raw: true}))
	if got := table.Fields[0].Categories; !slices.Equal(got, []string{"1.1", "1.10", "A", "B", "C"}) {
		t.Errorf("categories %q", got)
	}
	if table.X[0] != 1 || table.X[2] != 0 {
		t.Errorf("the first rows are %v", table.X[:4])
	}
	_, err := readRaw(text, Options{})
	expect.Error(t, err, `t.csv:202: column 1 (code): "A" is the first text below 200 numbers`)
}

// Odd cells among many numbers are missing values. If they are many and different, they are mistakes.
func TestTextsAmongNumbers(t *testing.T) {
	numbers := strings.Repeat("1,2\n", 60)
	for texts, want := range map[string]string{
		"unknown,1\nunknown,1\n":              `"unknown" (line 2) in 2 rows`,
		"a,1\nb,1\nc,1\nd,1\n":                `"a" (line 2) and 3 other texts in 4 rows`,
		"1.2.3,1\n0x1F,1\nInfinity,1\n":       `"1.2.3" (line 2) and 2 other texts in 3 rows`,
		"10.0.1.1,1\n+49 30 1234,1\n1..2,1\n": `"10.0.1.1" (line 2) and 2 other texts in 3 rows`,
	} {
		table := expect.Must(readRaw("x,y\n"+texts+numbers, Options{}))
		if want := "column 1 (x): " + want + " are not numbers and count as missing"; !slices.Equal(table.Remarks, []string{want}) {
			t.Errorf("remarks %q", table.Remarks)
		}
	}
	_, err := readRaw("x,y\n"+strings.Repeat("1,2\n", 20)+"2020-01-01,1\n2020-01-02,1\n2020-01-03,1\n2020-01-04,1\n", Options{})
	expect.Error(t, err, `t.csv:22: column 1 (x): "2020-01-01" is not a number, and 20 other values are; correct it`)
}

// Odd numbers in another notation than the file's are read if they can have one value.
func TestRespelledNumbers(t *testing.T) {
	for odd, want := range map[string]float64{"1_000": 1000, "1.5D2": 150, "1.000.000": 1e6, "12 345": 12345, "-1,5": -1.5} {
		text := "x;y\n" + strings.Repeat("0.5;2\n", 60) + odd + ";1\n"
		table := expect.Must(readRaw(text, Options{}))
		remark := fmt.Sprintf("column 1 (x): %q (line 62) in 1 rows are read in another notation than the file's: the first is %s", odd, formatNumber(want))
		if table.X[60] != want || !slices.Equal(table.Remarks, []string{remark}) {
			t.Errorf("%v, %q", table.X[60], table.Remarks)
		}
		o := Options{Inputs: []string{"x"}, Fields: []data.Field{{Kind: data.Number}}, Targets: []string{"y"}}
		path := filepath.Join(t.TempDir(), "t.csv")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		if again := expect.Must(File(ctx, path, o)); again.X[60] != want {
			t.Errorf("for a model: %v", again.X[60])
		}
	}
}

// A report counts the values that are wrong for the same reason.
func TestMoreValuesLikeIt(t *testing.T) {
	numbers := strings.Repeat("1,2\n", 60)
	_, err := readRaw("x,y\n\"1,000\",1\n\"2,000\",1\nunknown,1\n"+numbers, Options{Decimal: "."})
	expect.ErrorText(t, err, `t.csv:2: column 1 (x): "1,000" has a comma; write 1000 if it separates thousands, 1.000 if it is a decimal comma; if it is no number, declare the value missing or the column categorical (and 1 more values like it)`)
	_, err = readRaw("x,y\n1,\"1,000\"\n2,many\n3,\"2,000\"\n4,\"3,000\"\n5,few\n"+numbers, Options{Targets: []string{"y"}})
	want := `t.csv:2: column 2 (y): "1,000" has a comma; write 1000 if it separates thousands, 1.000 if it is a decimal comma (and 2 more rows like it)
t.csv:3: column 2 (y): "many" is not a number; leave a target empty where it is not known (and 1 more rows like it)`
	expect.ErrorText(t, err, want)
	_, err = readRaw("x,y\n05/05/2020,1\n01/02/2020,1\n06/06/2020,1\n03/02/2020,1\n", Options{})
	expect.ErrorText(t, err, `t.csv:3: column 1 (x): "01/02/2020" is a date as dd/mm/yyyy and another as mm/dd/yyyy; declare the layout (and 1 more values like it)`)
}

func TestAllProblemsAtOnce(t *testing.T) {
	_, err := readRaw("a;b;day;y\n1;x;01/02/2020;2\n\"1,234\";x;02/03/2020;3\n5;x;03/04/2020;high\n6;x\n7;x;01/02/2020;low\n", Options{})
	want := `t.csv:2: column 3 (day): "01/02/2020" is a date as dd/mm/yyyy and another as mm/dd/yyyy; declare the layout (and 3 more values like it)
t.csv:3: column 1 (a): "1,234" has a comma; write 1234 if it separates thousands, 1.234 if it is a decimal comma; if it is no number, declare the value missing or the column categorical
t.csv:4: column 4 (y): "high" is not a number; leave a target empty where it is not known; the last column was taken as the target, as none was named (and 1 more rows like it)
t.csv:5: the row has 2 fields, the first row has 4 (separated by semicolons); every row needs the same number`
	expect.ErrorText(t, err, want)
}

// A row with a mistake counts when the kind of another column is decided, so that both mistakes are reported at once.
func TestRowsWithAMistakeAreCounted(t *testing.T) {
	_, err := readRaw("a,w,y\n5,1,1\n7,-1,2\n12%,1,3\n", Options{Weight: "w"})
	want := "t.csv:3: column 2 (w): the weight is -1; want 0 or more\n" +
		"t.csv:4: column 1 (a): \"12%\" has the unit %, and 2 other values are plain numbers; write all of them in one unit; if it is no number, declare the value missing or the column categorical"
	expect.ErrorText(t, err, want)
}

func TestRowsWithoutTarget(t *testing.T) {
	table, err := readRaw("x,y\n1,2\n2,\n3,NA\n4,5\n", Options{})
	if err != nil || table.Rows() != 2 || table.UnlabelledRows != 2 || !slices.Equal(table.X, []float64{1, 4}) {
		t.Errorf("%+v, %v", table, err)
	}
	if _, err = readRaw("x,y\n1,\n2,\n", Options{}); err == nil || !strings.Contains(err.Error(), "all 2 rows lack a target") {
		t.Errorf("%v", err)
	}
}

// A table of numbers is the same with Raw and without. A raw table is the same when it is read
// again with the fields that were found.
func FuzzRaw(f *testing.F) {
	for _, text := range []string{
		"a,b,y\n1,2,3\n4,5,6\n", "c,d,y\nred,2020-01-02,1\nblue,NA,2\n,2020-01-05,3\n", "a,y\n03,1\n3.0,2\nx,3\n", ",a,y\n1,x,2\n2,y,\n",
		"d;y\n01.02.2020;1\n31.01.2020;2\n", "a,y\n\"1,234\",2\n", "1,2\nx,3\n", "a,y\n1e400,1\n",
	} {
		f.Add([]byte(text), "", "", "", byte(0))
	}
	f.Add([]byte("a,b,y\n1,2,3\n4,5,6\n"), "a", "b", "y", byte(0))
	f.Add([]byte("0\n0,0"), "", "", "", byte(1)) // a header without the name of the rows
	f.Fuzz(func(t *testing.T, text []byte, categorical, date, target string, header byte) {
		o := Options{Raw: true, Header: []Header{HeaderAuto, HeaderYes, HeaderNo}[header%3]}
		for _, set := range []struct {
			name string
			to   *[]string
		}{{categorical, &o.Categorical}, {date, &o.Dates}, {target, &o.Targets}} {
			if set.name != "" {
				*set.to = []string{set.name}
			}
		}
		got, err := All(ctx, bytes.NewReader(text), "fuzz", o)
		if err != nil {
			return
		}
		rows := got.Rows()
		if rows == 0 || len(got.X) != rows*len(got.Columns) || len(got.Y) != rows {
			t.Fatalf("not rectangular: %+v", got)
		}
		for i, v := range got.X {
			f := data.Field{Kind: data.Number}
			if got.Fields != nil {
				f = got.Fields[i%len(got.Columns)]
			}
			if math.IsInf(v, 0) || got.Fields == nil && math.IsNaN(v) || f.Kind == data.Category && !math.IsNaN(v) && !(v >= 0 && int(v) < len(f.Categories)) {
				t.Fatalf("%v in a column of %+v", v, f)
			}
		}
		plain := o
		plain.Raw = false
		if strict, err := All(ctx, bytes.NewReader(text), "fuzz", plain); err == nil && len(o.Categorical)+len(o.Dates) == 0 {
			if got.Fields != nil || !slices.Equal(got.X, strict.X) || !slices.Equal(got.Y, strict.Y) {
				t.Fatalf("%+v raw, %+v as numbers", got, strict)
			}
		}
		hasOneName := len(got.Columns)+len(got.Targets) == 2 && slices.Contains(slices.Concat(got.Columns, got.Targets), "column 1")
		if hasOneName { // a header of one name shows no delimiter, and rows for a model are divided by that of the header
			return
		}
		layout := got.FileLayout()
		again, err := All(ctx, bytes.NewReader(text), "fuzz", Options{Inputs: got.Columns, Targets: got.Targets, Fields: fieldsOf(got), Header: o.Header, Layout: &layout})
		if err != nil {
			if strings.Contains(err.Error(), "header") || strings.Contains(err.Error(), "named") { // what is a header can be in doubt, and a name of a column that is not read can be that of another
				return
			}
			t.Fatalf("read again: %v", err)
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got.X, again.X, same) {
			t.Fatalf("%v, and read again %v", got.X, again.X)
		}
	})
}

// fieldsOf are the fields of a table's inputs, plain numbers where it has none.
func fieldsOf(t *data.Table) []data.Field {
	if t.Fields != nil {
		return t.Fields
	}
	fields := make([]data.Field, len(t.Columns))
	for i := range fields {
		fields[i].Kind = data.Number
	}
	return fields
}

// A word among numbers says that there is none if there are more numbers than could be
// names of categories; a footer is no row.
func TestWordsAndFooters(t *testing.T) {
	text := "x,z,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,1\n", i, i%7)
		if i%4 == 0 {
			text += "unknown,3,1\n"
		}
	}
	table := expect.Must(readRaw(text+"Total,,8000\n", Options{}))
	if f := table.Fields[0]; f.Kind != data.Number || !slices.Equal(f.MissingTexts, []string{"unknown", "Total"}) || table.BlankRows != 1 || table.Rows() != 75 {
		t.Errorf("%+v, %d rows, %d without inputs", f, table.Rows(), table.BlankRows)
	}
}

// Dates of one column may be written in several ways if each has one meaning.
func TestTwoDateLayoutsInAColumn(t *testing.T) {
	for _, c := range []struct {
		texts  string // the first three are the same date
		layout string // "" if the column is refused
		remark string // or the error
	}{
		{"2020-01-04 04.01.2020 4.1.2020 2020-01-03", "2.1.2006", `"2020-01-04" (line 2) and 1 other texts in 2 rows are dates that are written in another way than d.m.yyyy`},
		{"2020-01-04T10:00:00 2020-01-04T10:00:00Z 2020-01-04T10:00 2020-01-03T11:12:13.5", "2006-01-02T15:04:05", "written in another way"},
		{"2020-01-04 4/1/2020 04-01-2020 13/1/2020", "2/1/2006", "written in another way"},
		{"2020-01-04 1/4/2020 Jan_4,_2020 1/13/2020", "1/2/2006", "written in another way"},
		{"2020-01-04 2020-01-04 2020-01-04 04/03/2020", "", `t.csv:5: column 1 (x): "04/03/2020" is a date as dd/mm/yyyy and another as mm/dd/yyyy; declare the layout`},
		{"2020-01-04 2020-01-04 2020-01-04 2020-02-30", "", `"2020-02-30" is not a date as yyyy-mm-dd, as "2020-01-04" is`},
	} {
		text := "x;y\n" + strings.ReplaceAll(strings.ReplaceAll(c.texts, " ", ";1\n"), "_", " ") + ";1\n"
		table, err := readRaw(text, Options{})
		if c.layout == "" {
			expect.Error(t, err, c.remark)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.texts, err)
			continue
		}
		if f := table.Fields[0]; f.Layout != c.layout || table.X[0] != table.X[1] || table.X[0] != table.X[2] || !strings.Contains(strings.Join(table.Remarks, ""), c.remark) {
			t.Errorf("%s: %+v, %v, %q", c.texts, f, table.X, table.Remarks)
		}
		again, err := All(ctx, strings.NewReader(text), "t", Options{Inputs: table.Columns, Targets: table.Targets, Fields: table.Fields})
		if err != nil || !slices.Equal(again.X, table.X) {
			t.Errorf("%s, read again: %+v, %v", c.texts, again, err)
		}
	}
}

// A remark tells of codes among numbers, unless the column is declared.
func TestLeadingZeros(t *testing.T) {
	for _, c := range []struct {
		cells  string
		o      Options
		remark string
	}{
		{"90210 01234", Options{}, `t.csv: column 1 (x): "01234" begins with a zero, and is read as a number; declare the column categorical if its values are codes`},
		{"90210 01234", Options{Numeric: []string{"x"}}, ""},
		{"90210 01234", Options{Categorical: []string{"x"}}, ""},
		{"0.5 00.5 0", Options{}, ""},
	} {
		table := expect.Must(readRaw("x,y\n"+strings.ReplaceAll(c.cells, " ", ",1\n")+",1\n", c.o))
		if got := strings.Join(table.Remarks, "\n"); got != c.remark {
			t.Errorf("%s: %q", c.cells, got)
		}
	}
}

// Every known layout is among the layouts that a text of it may have, also with decimals of seconds and other zones. What is
// shown of a date, without its zone, is read as the same date.
func TestLayoutsLike(t *testing.T) {
	for _, layout := range dateLayouts() {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", -5*3600), time.FixedZone("CET", 3600), time.FixedZone("GMT-5", -5*3600)} {
			for _, day := range []int{1, 28} {
				text := data.Field{Kind: data.Date, Layout: layout}.Show(float64(time.Date(2031, 11, day, 23, 4, 59, 0, time.UTC).Unix()))
				if !strings.Contains(layout, "Q") && !strings.Contains(layout, "W") {
					text = time.Date(2031, 11, day, 23, 4, 59, 0, zone).Format(layout)
				}
				if _, ok := data.ParseDate(layout, text); ok && !slices.Contains(layoutsLike(text), layout) {
					t.Errorf("%s, as %s, is not found", text, layout)
				}
				if seconds, ok := data.ParseDate(layout, text); ok {
					shown := data.Field{Kind: data.Date, Layout: layout}.Show(seconds)
					if again, ok := parseOtherDate(layout, shown); !ok || again != seconds {
						t.Errorf("%s, as %s, is shown as %s, which is not read as the same", text, layout, shown)
					}
				}
				decimals := strings.Replace(text, ":59", ":59.123456", 1)
				if _, ok := data.ParseDate(layout, decimals); ok && !slices.Contains(layoutsLike(decimals), layout) {
					t.Errorf("%s, as %s, is not found", decimals, layout)
				}
			}
		}
	}
}

// Rows without any target stay in the table if the options say so, however the rows are parsed.
func TestKeptUnlabelledRows(t *testing.T) {
	for name, text := range map[string]string{
		"plain":   "a,y\n1,2\n3,\n4,NA\n5,6\n",
		"quoted":  "a,y\n1,2\n\"3\",\"\"\n4,NA\n5,6\n",
		"objects": `{"a":1,"y":2}{"a":3,"y":null}{"a":4}{"a":5,"y":6}`,
	} {
		path := filepath.Join(t.TempDir(), "table")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		for keep, want := range map[bool][]float64{false: {2, 6}, true: {2, math.NaN(), math.NaN(), 6}} {
			table, err := File(t.Context(), path, Options{Targets: []string{"y"}, Raw: true, KeepUnlabelled: keep})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if !slices.EqualFunc(table.Y, want, sameNumber) || table.UnlabelledRows != 4-len(want) {
				t.Errorf("%s: the targets are %v and %d rows are left out; want %v", name, table.Y, table.UnlabelledRows, want)
			}
		}
	}
}

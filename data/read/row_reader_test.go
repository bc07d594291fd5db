package read

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"sml/data"
	"sml/internal/expect"
)

// person is a row of the table that TestFormats reads in every format.
type person struct {
	Name   *string  `parquet:"name"`
	Age    *int32   `parquet:"age"`
	Born   int32    `parquet:"born,date"`
	Member bool     `parquet:"member"`
	Weight *float64 `parquet:"weight kg"`
}

var people = []person{
	{new("Ada, or \"A\""), new(int32(36)), 9, true, new(0.30000000000000004)},
	{new("Bo"), nil, 10, false, new(1e-7)},
	{nil, new(int32(70)), -1, true, new(-123456789.125)},
	{new("Bo"), new(int32(5)), 0, false, nil},
}

const peopleCSV = `name,age,born,member,weight kg
"Ada, or ""A""",36,1970-01-10,true,0.30000000000000004
Bo,,1970-01-11,false,1e-7
,70,1969-12-31,true,-123456789.125
Bo,5,1970-01-01,false,
`

const peopleJSON = `{"name": "Ada, or \"A\"", "age": 36, "born": "1970-01-10", "member": true, "weight kg": 0.30000000000000004}
{"born": "1970-01-11", "name": "Bo", "age": null, "member": false, "weight kg": 1e-7}

{"age": 70, "born": "1969-12-31", "member": true, "weight kg": -1.23456789125E8}
{"name": " Bo ", "age": 5.0, "born": "1970-01-01",
 "member": false}
`

func asParquet[T any](t testing.TB, rows []T, o ...parquet.WriterOption) string {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, o...)
	expect.Must(w.Write(rows))
	expect.NoError(t, w.Close())
	return out.String()
}

// asWorkbook writes sheets whose cells are as excelize has them, in the order of names.
func asWorkbook(t testing.TB, names []string, sheets map[string][][]any) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, name := range names {
		if i == 0 {
			f.SetSheetName("Sheet1", name)
		} else if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for r, row := range sheets[name] {
			expect.NoError(t, f.SetSheetRow(name, fmt.Sprintf("A%d", r+1), &row))
		}
	}
	text := expect.Must(f.WriteToBuffer())
	return text.String()
}

func peopleSheet() [][]any {
	rows := [][]any{{"name", "age", "born", "member", "weight kg"}}
	for _, p := range people {
		row := []any{nil, nil, time.Unix(0, 0).UTC().AddDate(0, 0, int(p.Born)), map[bool]string{true: "true", false: "false"}[p.Member], nil}
		if p.Name != nil {
			row[0] = *p.Name
		}
		if p.Age != nil {
			row[1] = *p.Age
		}
		if p.Weight != nil {
			row[4] = *p.Weight
		}
		rows = append(rows, row)
	}
	return rows
}

func asZip(t testing.TB, files ...string) string {
	t.Helper()
	parts := make(map[string]string)
	for i, text := range files {
		parts[fmt.Sprintf("folder/%d.csv", i)] = text
	}
	return zipParts(t, parts, func(*zip.Writer) {})
}

// peopleFiles returns files of people in every format.
func peopleFiles(t *testing.T) map[string]string {
	t.Helper()
	array := "[\n" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(peopleJSON), "\n\n", "\n"), "}\n", "},\n") + "]\n"
	small := parquet.PageBufferSize(1) // a row in each
	return map[string]string{
		"CSV": peopleCSV, "JSON lines": peopleJSON, "JSON array": array, "JSON array in a line": strings.ReplaceAll(array, "\n", ""),
		"marked JSON": "\ufeff" + peopleJSON,
		"Parquet":     asParquet(t, people), "Parquet in pages": asParquet(t, people, small, parquet.MaxRowsPerRowGroup(3)), "Parquet, Snappy": asParquet(t, people, parquet.Compression(&parquet.Snappy)),
		"workbook": asWorkbook(t, []string{"People"}, map[string][][]any{"People": peopleSheet()}),
		"UTF-16":   expect.Must(unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(peopleCSV)),
		"zip":      asZip(t, peopleCSV), "zipped JSON": asZip(t, peopleJSON),
	}
}

// eachWay reads a text as it is and gzipped, on disk and from a pipe, and calls check with each table.
func eachWay(t *testing.T, text string, o Options, check func(way string, got *data.Table, err error)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.txt")
	for form, content := range map[string]string{"": text, ", gzipped": string(zipped(t, text))} {
		expect.NoError(t, os.WriteFile(path, []byte(content), 0o666))
		onDisk, err := File(ctx, path, o)
		check(form+" on disk", onDisk, err)
		piped, err := All(ctx, strings.NewReader(content), "f", o)
		check(form, piped, err)
	}
}

// A table is the same in every format, whatever its file is called, and whether it is on
// disk or comes from a pipe.
func TestFormats(t *testing.T) {
	o := Options{Targets: []string{"age"}, Raw: true}
	want, err := readText(peopleCSV, o)
	if err != nil || want.Rows() != 3 || want.UnlabelledRows != 1 {
		t.Fatalf("%+v, %v", want, err)
	}
	for name, text := range peopleFiles(t) {
		eachWay(t, text, o, func(way string, got *data.Table, err error) { samePeople(t, name+way, got, want, err) })
	}
}

func sameNumber(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func samePeople(t *testing.T, name string, got, want *data.Table, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !slices.Equal(got.Columns, want.Columns) || !slices.EqualFunc(got.X, want.X, sameNumber) || !slices.Equal(got.Y, want.Y) || got.UnlabelledRows != want.UnlabelledRows {
		t.Errorf("%s: %v %v %v\nwant %v %v %v", name, got.Columns, got.X, got.Y, want.Columns, want.X, want.Y)
		return
	}
	for i, f := range got.Fields {
		if g := want.Fields[i]; f.Kind != g.Kind || !slices.Equal(f.Categories, g.Categories) || f.Layout != g.Layout && f.Layout != "2006-01-02 15:04:05" {
			t.Errorf("%s: column %d is %+v, want %+v", name, i, f, g)
		}
	}
}

// Every type of Parquet is written as a text that reads back as the same number.
func TestParquetTypes(t *testing.T) {
	type row struct {
		F32     float32          `parquet:"f32"`
		Float   float64          `parquet:"float"`
		U32     uint32           `parquet:"u32"`
		U64     uint64           `parquet:"u64"`
		I64     int64            `parquet:"i64"`
		Cents   int64            `parquet:"cents,decimal(2:18)"`
		Millis  int64            `parquet:"millis,timestamp(millisecond)"`
		Nanos   int64            `parquet:"nanos,timestamp(nanosecond)"`
		Noon    int32            `parquet:"noon,time(millisecond)"`
		Int96   deprecated.Int96 `parquet:"int96"`
		Bytes   []byte           `parquet:"bytes"`
		Yes     bool             `parquet:"yes"`
		Index   int64            `parquet:"__index_level_0__"`
		Missing *float64         `parquet:"missing"`
	}
	text := asParquet(t, []row{{0.1, math.MaxFloat64, math.MaxUint32, math.MaxUint64, math.MinInt64, -12345, -1500, 1_000_000_001, 43_200_500, deprecated.Int96{5, 0, 2440589}, []byte(" \u00e4 "), true, 7, nil}})
	s := expect.Must(Open(ctx, strings.NewReader(text), "f.parquet", Options{NoTarget: true, Raw: true}))
	defer s.Close()
	got := s.peekRow(0)
	want := []string{"0.10000000149011612", "1.7976931348623157e+308", "4294967295", "18446744073709551615", "-9223372036854775808", "-123.45", "1969-12-31 23:59:58.5", "1970-01-01 00:00:01.000000001",
		"12:00:00.5", "1970-01-02 00:00:00.000000005", "\u00e4", "true", ""}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.Place(s.line()) != "f.parquet, row 1" {
		t.Errorf("it stands in %s", s.Place(s.line()))
	}
	if got := decodeFloat16([]byte{0x01, 0xc0}); got != -2.001953125 { // by numpy.float16
		t.Errorf("half is %v", got)
	}
}

// What is wrong with a file is told with its place, and all of it at once.
func TestFormatMistakes(t *testing.T) {
	type nested struct {
		A    float64   `parquet:"a"`
		List []float64 `parquet:"list"`
		Y    float64   `parquet:"y"`
	}
	type bytesToo struct {
		A []byte  `parquet:"a"`
		Y float64 `parquet:"y"`
	}
	lists := asParquet(t, []nested{{1, []float64{1, 2}, 3}})
	two := asWorkbook(t, []string{"First", "No. 2"}, map[string][][]any{"First": {{"a", "y"}, {"x", 1}, {"z", "high", 3}}, "No. 2": {{"a", "y"}, {1, 2}}})
	fixed := Options{Inputs: []string{"a", "b"}, Fields: []data.Field{{Kind: data.Number}, {Kind: data.Number}}, NoTarget: true}
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"later keys", strings.Repeat("{\"a\":1,\"y\":2}\n", 100) + "{\"a\":1,\"y\":2,\"b\":3}\n{\"c\":1}\n{\"b\":1}\n", Options{},
			"f:101: the first objects, whose keys are the columns, lack the key \"b\"; they have a, y: give the key to the first object, with null where there is no value, or read the table from a file (and 1 more rows like it)\nf:102: the first objects, whose keys are the columns, lack the key \"c\""},
		{"values within values", "{\"a\":[1,[2]],\"y\":2}\n{\"a\":{\"b\":{}},\"y\":2}\n", Options{}, "f:1: column 1 (a): a list or an object ([…) in place of a value; a table has one number or text in each cell: give each value a key of its own, or leave the column out (and 1 more rows like it)"},
		{"a key twice", "{\"a\":1,\"y\":2}\n{\"a\":1,\"y\":2,\"a\":3}\n", Options{}, `f:2: the object has the key "a" twice`},
		{"a key twice in the first", "{\"a\":1,\"a\":2}\n", Options{}, `f:1: the object has the key "a" twice`},
		{"keys that differ in blanks", "{\"a\":1,\" a\":2,\"y\":2}\n", Options{}, `f:1: the object has the key "a" twice`},
		{"an input misspelt", "{\"a\":1,\"b\":2}\n{\"A\":1,\"b\":2}\n", fixed, `f:2: the object has the key "A" and lacks the input "a"; names must match letter by letter`},
		{"an input misspelt in the first", "{\"A\":1,\"b\":2}\n{\"a\":1,\"b\":2}\n", fixed, `f:1: the input "a" is missing; the columns are A, b; names must match letter by letter, and the file has "A" for "a"`},
		{"an input in no object", "{\"b\":2}\n{\"b\":1}\n", fixed, `f: no object has the key a; keys must match letter by letter`},
		{"no input in the first", "{\"c\":2}\n{\"b\":1}\n", fixed, `f:1: 2 inputs are missing: a, b`},
		{"no object", "[{\"a\":1,\"y\":2},\n3]", Options{}, "f:2: 3 is not an object"},
		{"lists behind objects", "{\"a\":1,\"y\":2}\n[1,2]\n", Options{}, "f:2: [ is not an object"},
		{"broken JSON", "{\"a\":1,\"y\":2}\n{\"a\":1,\n\"y\":None}\n", Options{}, "f:3: this is not JSON: invalid character 'N'"},
		{"cut off", "{\"a\":1,\"y\":2}\n{\"a\":1,", Options{}, "f:2: the file ends within this object"},
		{"an array cut off", "[{\"a\":1,\"y\":2}\n", Options{}, "f:1: the file ends within"},
		{"text behind the array", "[{\"a\":1,\"y\":2}]\nx", Options{}, "f:1: "},
		{"an empty object", "{}\n", Options{}, "f:1: the first object is empty"},
		{"an object for each column, as pandas writes", "{\"a\":{\"0\":1},\"y\":{\"0\":2}}\n", Options{}, "f:1: the first object holds only lists and objects; write an object for each row"},
		{"an empty array", "[]\n", Options{}, "f: the file is empty"},
		{"not UTF-8", "{\"a\":1,\"y\":\"\xe9\"}\n", Options{}, "f:1: the byte 0xe9 is not UTF-8"},
		{"no header", peopleJSON, Options{Header: HeaderNo}, "f: a file of this format always names its columns"},
		{"a sheet of Parquet", lists, Options{Sheet: "x"}, "f: a sheet x is given, but the file is not an .xlsx workbook"},
		{"lists in Parquet", lists, Options{}, "f: column 2 (list) holds lists, maps or groups"},
		{"bytes in Parquet", asParquet(t, []bytesToo{{[]byte("a"), 1}, {[]byte{0xff}, 1}}), Options{}, "f, row 2: column 1 (a): the bytes are not UTF-8 text"},
		{"Parquet cut off", lists[:len(lists)-10], Options{}, "f: the Parquet file is broken"},
		{"rows of a sheet", two, Options{}, "f, row 3: the row has 3 fields, the first row has 2; every row needs the same number"},
		{"an archive", asZip(t, peopleCSV, peopleCSV), Options{}, "f: this zip archive has 2 files and is not an .xlsx workbook"},
		{"an archive in an archive", asZip(t, asZip(t, peopleCSV)), Options{}, "f: the file in this archive is not CSV or JSON text"},
	} {
		o := c.o
		o.Raw = true
		if _, err := All(ctx, strings.NewReader(c.text), "f", o); err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	for name, text := range map[string]string{"Parquet": lists, "JSON": "{\"a\":1,\"list\":{\"x\":[]},\"y\":3}\n"} { // what is left out may be anything
		if table, err := All(ctx, strings.NewReader(text), "f", Options{Drop: []string{"list"}}); err != nil || !slices.Equal(table.X, []float64{1}) || !slices.Equal(table.Y, []float64{3}) {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
	}
	if table, err := All(ctx, strings.NewReader(two), "f", Options{Sheet: "No. 2"}); err != nil || !slices.Equal(table.X, []float64{1}) {
		t.Errorf("the second sheet: %+v, %v", table, err)
	}
}

// Python's json writes NaN for a missing number. Texts stay, and so do lines.
func TestNaNInJSON(t *testing.T) {
	text := `[{"a":NaN,"b":"NaN","c":"\\","y":1},{"a": NaN ,"b":"a \"NaN","c":"x","y":2}]`
	for _, size := range []int{16, 1 << 16} { // of the buffer, the smallest of package bufio
		chunks := iotest.OneByteReader(strings.NewReader(text))
		got := expect.Must(io.ReadAll(iotest.OneByteReader(&nanReader{r: bufio.NewReaderSize(chunks, size)})))
		if want := strings.NewReplacer(":NaN", `:"" `, " NaN ", ` ""  `).Replace(text); string(got) != want {
			t.Errorf("%s", got)
		}
	}
	table, err := All(ctx, strings.NewReader(text), "f", Options{Raw: true})
	if err != nil || !slices.EqualFunc(table.X, []float64{math.NaN(), math.NaN(), 0, math.NaN(), 0, 1}, sameNumber) {
		t.Errorf("%+v, %v", table, err)
	}
	_, err = All(ctx, strings.NewReader("{\"a\":NaN,\"y\":1}\n{\"a\":Na"), "f", Options{Raw: true})
	expect.Error(t, err, "f:2: this is not JSON: invalid character 'N'")
}

// Keys that only later objects have are columns, at the place that they have among the keys of their objects.
func TestLaterKeys(t *testing.T) {
	nan := math.NaN()
	rows := "{\"a\":1,\"y\":2}\n{\"a\":2,\"b\":3,\"y\":2}\n{\"gro\u00df\":5,\"y\":2}\n{\" b \":7,\"y\":2}\n"
	want := []float64{nan, 1, nan, nan, 2, 3, 5, nan, nan, nan, nan, 7}
	columns := []string{"gro\u00df", "a", "b"}
	o := Options{Raw: true}
	path := filepath.Join(t.TempDir(), "t.jsonl")
	for _, before := range []int{0, 99, 300} { // more than are read ahead
		text := strings.Repeat("{\"a\":0,\"y\":2}\n", before) + rows
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		table, err := File(ctx, path, o)
		if err != nil || !slices.Equal(table.Columns, columns) || !slices.EqualFunc(table.X[3*before:], want, sameNumber) {
			t.Errorf("after %d rows: %+v, %v", before, table, err)
		}
	}
	// At prediction the inputs are known: any object may lack some of them, and may have other keys.
	fixed := Options{Inputs: columns, Fields: slices.Repeat([]data.Field{{Kind: data.Number}}, 3), NoTarget: true}
	table, err := All(ctx, strings.NewReader(strings.ReplaceAll(rows, "{", "{\"note\":[1],")+"{\"a\":1,\"new\":{}}\n"), "f", fixed)
	if err != nil || !slices.EqualFunc(table.X, append(want, nan, 1, nan), sameNumber) {
		t.Errorf("%+v, %v", table, err)
	}
	s := expect.Must(Open(ctx, strings.NewReader("{\"a\":1}\n"), "f", fixed))
	defer s.Close()
	if x, _, _, err := s.AppendRows(nil, nil, nil, 9); len(x) != 3 || !slices.Equal(s.absentInputs(), []string{"gro\u00df", "b"}) {
		t.Errorf("%v, %v, absent %q", x, err, s.absentInputs())
	}
}

// A workbook stores numbers, and says by the format of a cell what is a date.
func TestDatesOfWorkbooks(t *testing.T) {
	formats := []string{"dd.mm.yyyy", `[$-409]d" of "mmm yyyy h:mm`, "YYYY-MM-DD HH:MM:SS", "0.00%", `#,##0.00" dollars a day";[Red]-#,##0.00`, "[h]:mm", `0.0\d`, "General", "h:mm AM/PM", "@"}
	rows := [][]any{
		{"day", "moment", "upper", "percent", "money", "hours", "days", "general", "clock", "y"}, {},
		{45296, 45296.541666666664, 45296.5, 0.123456789012345678, 1234.5, 0.75, 12.5, 0.30000000000000004, 0.4375, 1},
	}
	text := changedWorkbook(t, rows, func(f *excelize.File) error {
		var errs []error
		for i, format := range formats {
			cell := fmt.Sprintf("%c3", 'A'+i)
			errs = append(errs, setStyle(f, cell, cell, &excelize.Style{CustomNumFmt: &format}))
		}
		return errors.Join(errs...)
	})
	got := expect.Must(All(ctx, strings.NewReader(text), "f.xlsx", Options{Raw: true}))
	var cells []string
	for i, f := range got.Fields {
		cells = append(cells, f.Show(got.X[i]))
	}
	want := []string{"2024-01-05", "2024-01-05 13:00:00", "2024-01-05 12:00:00", "0.12345678901234568", "1234.5", "0.75", "12.5", "0.30000000000000004", "10:30:00"}
	if !slices.Equal(cells, want) {
		t.Errorf("got %q, want %q", cells, want)
	}
}

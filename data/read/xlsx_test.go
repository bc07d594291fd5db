package read

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sml/data"
	"sml/internal/expect"
)

// workbookOf writes a workbook whose first sheet has the given XML in place of its own, and
// whose shared texts are these.
func workbookOf(t testing.TB, sheet string, texts ...string) string {
	t.Helper()
	parts := workbookParts(t)
	parts["xl/worksheets/sheet1.xml"] = `<?xml version="1.0"?><worksheet><sheetData>` + sheet + `</sheetData></worksheet>`
	parts["xl/sharedStrings.xml"] = "<sst>" + strings.Join(texts, "") + "</sst>"
	return zipParts(t, parts, func(*zip.Writer) {})
}

// zipParts writes an archive of the given parts and of what add adds.
func zipParts(t testing.TB, parts map[string]string, add func(*zip.Writer)) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		io.WriteString(expect.Must(w.Create(name)), parts[name])
	}
	add(w)
	expect.NoError(t, w.Close())
	return out.String()
}

// workbookParts returns the parts of a workbook that Excel could have written, by their
// names.
func workbookParts(t testing.TB) map[string]string {
	t.Helper()
	book := asWorkbook(t, []string{"People"}, map[string][][]any{"People": peopleSheet()})
	archive := expect.Must(zip.NewReader(strings.NewReader(book), int64(len(book))))
	parts := make(map[string]string)
	for _, f := range archive.File {
		parts[f.Name] = string(expect.Must(io.ReadAll(expect.Must(f.Open()))))
	}
	return parts
}

// Cells of every type, and cells and rows that do not say where they stand.
func TestCellsOfWorkbooks(t *testing.T) {
	const names = `<row><c t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b_x0020_c</v></c><c t="s"><v>0</v></c><c t="s"><v> 1 </v></c><c t="inlineStr"><is><t>y</t></is></c></row>`
	const values = `<row r="5" ht="12"><c r="A5" t="b"><v>1</v></c><c r="B5"><f>1+1</f><v>2</v></c><c r="C5" t="e"><v>#N/A</v></c><c t="n" r="D5"><v>1E-3</v></c><c r="E5"><v>7</v></c></row>`
	text := workbookOf(t, names+values, `<si><r><rPr/><t>ri</t></r><r><t>ch</t></r><rPh><t>reading</t></rPh></si>`, `<si><t xml:space="preserve"> d </t></si>`)
	got := expect.Must(All(ctx, strings.NewReader(text), "f.xlsx", Options{Raw: true}))
	if want := []string{"a", "b c", "rich", "d"}; !slices.Equal(got.Columns, want) {
		t.Errorf("columns %q, want %q", got.Columns, want)
	}
	if got.Fields[0].Show(got.X[0]) != "true" || got.X[1] != 2 || got.X[2] == got.X[2] || got.X[3] != 0.001 || got.Y[0] != 7 {
		t.Errorf("values %v %v", got.X, got.Y)
	}
}

// Days before 1 March 1900 are the days shown by Excel, which counts 29 February 1900 although
// it never was. Counting from 1904 has no such day.
func TestEarlyDatesOfWorkbooks(t *testing.T) {
	for _, c := range []struct {
		serial   float64
		from1904 bool
		want     string // as Excel shows it
	}{
		{1, false, "1900-01-01"}, {59, false, "1900-02-28"}, {61, false, "1900-03-01"}, {367, false, "1901-01-01"}, {2958465, false, "9999-12-31"},
		{0, true, "1904-01-01"}, {60, true, "1904-03-01"},
		{61.5, false, "1900-03-01 12:00:00"}, // Excel shows the day alone
	} {
		got, err := All(ctx, strings.NewReader(datesOf(t, c.from1904, c.serial, c.serial)), "f.xlsx", Options{Raw: true})
		if err != nil {
			t.Errorf("%v: %v", c.serial, err)
			continue
		}
		if shown := got.Fields[0].Show(got.X[0]); shown != c.want {
			t.Errorf("day %v (from 1904: %v) is %s, want %s", c.serial, c.from1904, shown, c.want)
		}
	}
	_, err := All(ctx, strings.NewReader(datesOf(t, false, 59, 60)), "f.xlsx", Options{Raw: true})
	expect.Error(t, err, `f.xlsx, row 3: column 1 (day): "1900-02-29" is not a date`)
}

// datesOf writes a workbook with a column of dates, as numbers of days.
func datesOf(t *testing.T, from1904 bool, days ...float64) string {
	t.Helper()
	rows := [][]any{{"day", "y"}}
	for i, day := range days {
		rows = append(rows, []any{day, i})
	}
	return changedWorkbook(t, rows, func(f *excelize.File) error {
		return errors.Join(
			f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}),
			setStyle(f, "A2", fmt.Sprintf("A%d", len(rows)), &excelize.Style{NumFmt: 14}),
		)
	})
}

// setStyle sets the style of the cells from first to last.
func setStyle(f *excelize.File, first, last string, style *excelize.Style) error {
	id, err := f.NewStyle(style)
	return errors.Join(err, f.SetCellStyle("Sheet1", first, last, id))
}

// changedWorkbook writes a workbook with the given rows in its sheet Sheet1, after a change.
func changedWorkbook(t *testing.T, rows [][]any, change func(f *excelize.File) error) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range rows {
		expect.NoError(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row))
	}
	expect.NoError(t, change(f))
	return expect.Must(f.WriteToBuffer()).String()
}

// percentageSheet writes a workbook with the formats of percentages for the input and the
// target.
func percentageSheet(t *testing.T, values ...any) string {
	t.Helper()
	rows := [][]any{{"p", "y"}}
	for _, v := range values {
		rows = append(rows, []any{v, 0.07})
	}
	return changedWorkbook(t, rows, func(f *excelize.File) error {
		return setStyle(f, "A2", fmt.Sprintf("B%d", len(rows)), &excelize.Style{NumFmt: 10})
	})
}

// A percentage is the same fraction in a workbook and in text, after training on either.
func TestPercentagesOfWorkbooks(t *testing.T) {
	values := []any{0.449, 0.07, 1e-9, 1.5, 0.1234567890123456, 0.0, -0.25, 12345678.9}
	book := expect.Must(All(ctx, strings.NewReader(percentageSheet(t, values...)), "f.xlsx", Options{Raw: true}))
	for i, want := range values {
		if book.X[i] != want.(float64) || book.Y[i] != 0.07 {
			t.Errorf("row %d is %v and %v, want %v and 0.07", i, book.X[i], book.Y[i], want)
		}
	}
	lines := expect.Must(readRaw("p,y\n44.9%,1\n7%,2\n", Options{}))
	for _, trained := range []*data.Table{book, lines} {
		o := Options{Inputs: []string{"p"}, Fields: trained.Fields, NoTarget: true}
		for name, text := range map[string]string{"text": "p\n44.9%\n", "workbook": percentageSheet(t, 0.449)} {
			got, err := All(ctx, strings.NewReader(text), name, o)
			if err != nil || got.X[0] != 0.449 {
				t.Errorf("%s after %s: %+v, %v", name, trained.Name, got, err)
			}
		}
	}
	fractions := Options{Inputs: []string{"p"}, Fields: []data.Field{{Kind: data.Number}}, NoTarget: true}
	got, err := All(ctx, strings.NewReader(percentageSheet(t, 0.449)), "f.xlsx", fractions)
	if err != nil || got.X[0] != 0.449 {
		t.Errorf("after plain fractions: %+v, %v", got, err)
	}
	mixed := workbookOf(t, `<row><c t="inlineStr"><is><t>p</t></is></c><c t="inlineStr"><is><t>y</t></is></c></row>`+
		`<row><c t="inlineStr"><is><t>44.9%</t></is></c><c><v>1</v></c></row><row><c><v>0.234</v></c><c><v>2</v></c></row>`)
	_, err = All(ctx, strings.NewReader(mixed), "f.xlsx", Options{Raw: true})
	expect.Error(t, err, `f.xlsx, row 2: column 1 (p): "44.9%" has the unit %`)
}

// Fractions that a workbook shows as percentages are the same numbers beside fractions that it shows as they are, and in
// the CSV that a program makes of them.
func TestPercentagesBesideFractions(t *testing.T) {
	percent := "0.0%"
	text := changedWorkbook(t, [][]any{{"p", "y"}, {0.234, 0}, {0.449, 1}, {0.07, 2}}, func(f *excelize.File) error {
		return setStyle(f, "A3", "A4", &excelize.Style{CustomNumFmt: &percent})
	})
	mixed, err := All(ctx, strings.NewReader(text), "f.xlsx", Options{Raw: true})
	if err != nil || !slices.Equal(mixed.X, []float64{0.234, 0.449, 0.07}) {
		t.Fatalf("%+v, %v", mixed, err)
	}
	if want := `column 1 (p): 2 values such as 44.9% are shown as percentages and 1 are not: all are read as the fractions that the file stores`; !slices.Equal(mixed.Remarks, []string{want}) {
		t.Errorf("%q", mixed.Remarks)
	}
	all, err := All(ctx, strings.NewReader(percentageSheet(t, 0.449, 0.07)), "f.xlsx", Options{Raw: true})
	if err != nil || all.Remarks != nil {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, trained := range []*data.Table{mixed, all} {
		o := Options{Inputs: []string{"p"}, Fields: trained.Fields, NoTarget: true}
		for name, content := range map[string]string{"fractions": "p\n0.05\n", "percentages": "p\n5%\n", "workbook": percentageSheet(t, 0.05)} {
			got, err := All(ctx, strings.NewReader(content), name, o)
			if err != nil || got.X[0] != 0.05 {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
	}
}

// Of merged cells the first has the value, as it is stored; the others are empty.
func TestMergedCells(t *testing.T) {
	text := changedWorkbook(t, [][]any{{"group", "x", "y"}, {"a", 1, 2}, {nil, 3, 4}, {"b", 5, 6}}, func(f *excelize.File) error {
		return f.MergeCell("Sheet1", "A2", "A3")
	})
	got := expect.Must(All(ctx, strings.NewReader(text), "f.xlsx", Options{Raw: true}))
	var cells []string
	for r := range got.Rows() {
		cells = append(cells, got.Fields[0].Show(got.X[2*r]))
	}
	if want := []string{"a", "missing", "b"}; !slices.Equal(cells, want) {
		t.Errorf("got %q, want %q", cells, want)
	}
}

// Titles above the header and units below it are skipped, and rows are as wide as the header, not as the title.
func TestTitlesOfWorkbooks(t *testing.T) {
	text := asWorkbook(t, []string{"Report"}, map[string][][]any{"Report": {
		{"Report 2024"},
		{},
		{"a", "b", "y", "note"},
		{"m/s", "°C", "kg"},
		{1, 2.5, 3, "first"},
		{4, 5.5, 6},
	}})
	got := expect.Must(All(ctx, strings.NewReader(text), "f.xlsx", Options{Raw: true, Targets: []string{"y"}, Drop: []string{"note"}}))
	want := []string{
		"f.xlsx: the table begins in row 3 with the header a, b, y, note; the text above it is skipped: Report 2024",
		"f.xlsx: row 4 (m/s, °C, kg) stands between the header and the values, and is skipped",
	}
	if !slices.Equal(got.X, []float64{1, 2.5, 4, 5.5}) || !slices.Equal(got.Y, []float64{3, 6}) || !slices.Equal(got.Remarks, want) {
		t.Errorf("%v, %v, %q", got.X, got.Y, got.Remarks)
	}
}

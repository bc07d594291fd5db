package fetch

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// A spreadsheet whose parts claim more than a table has is refused, before they are
// held in memory many times their size.
func TestSpreadsheetBombs(t *testing.T) {
	o := expect.Must(Lookup("made-power"))
	d := expect.Must(data.Lookup(o.Name))
	f := o.Files[0]
	f.Named = false
	good := packTable(t, f, made["power"])
	archive := expect.Must(read.OpenZip(bytes.NewReader(good), int64(len(good))))
	var parts []member
	for _, m := range archive.File {
		r := expect.Must(m.Open())
		content := expect.Must(io.ReadAll(r))
		parts = append(parts, member{m.Name, content})
	}
	const space = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	for name, test := range map[string]struct{ part, head, unit, tail, why string }{
		"styles":    {"xl/styles.xml", "<styleSheet" + space + "><cellXfs>", "<xf/>", "</cellXfs></styleSheet>", "more than 32 MiB"},
		"texts":     {"xl/sharedStrings.xml", "<sst" + space + ">", "<si/>", "</sst>", "more than 32 MiB"},
		"far rows":  {"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1048577"><c><v>1</v></c></row>`, "", "</sheetData></worksheet>", "rows are numbered from 1 to 1048576"},
		"wide rows": {"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row/><row><c r="XFD1"><v>1</v></c></row>`, "", "</sheetData></worksheet>", "line 2 has 16384 fields; want 5"},
	} {
		changed := slices.DeleteFunc(slices.Clone(parts), func(m member) bool { return m.name == test.part })
		text := test.head + test.tail
		if test.unit != "" {
			text = test.head + strings.Repeat(test.unit, 33<<20/len(test.unit)) + test.tail
		}
		b := zipArchive(t, append(changed, member{test.part, []byte(text)})...)
		if _, err := f.convert(t.Context(), d, bytes.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Workbooks of Excel 97 that are cut off or hold something else end in an error.
func TestBrokenXLS(t *testing.T) {
	o := expect.Must(Lookup("made-concrete"))
	d := expect.Must(data.Lookup(o.Name))
	f := o.Files[0]
	good := packTable(t, f, made["concrete"])
	text := slices.Clone(good)
	at := bytes.Index(text, []byte{0x06, 0x00, 0x16, 0x00}) // a formula, which comes to a text
	copy(text[at+4+12:], "\xff\xff")
	for name, test := range map[string]struct {
		b   []byte
		why string
	}{
		"cut":         {good[:len(good)/2], "the .xls file is broken"},
		"its head":    {good[:512], "this is not an .xls file"},
		"other":       {[]byte("1,2,3\n"), "this is not an .xls file"},
		"no workbook": {bytes.Replace(good, []byte("W\x00o\x00r\x00k"), []byte("N\x00o\x00n\x00e"), 1), "it has no workbook"},
		"a text":      {text, `"NaN" is not a finite number`},
	} {
		if _, err := f.convert(t.Context(), d, bytes.NewReader(test.b), int64(len(test.b))); err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package read

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/parquet-go/parquet-go"

	"sml/data"
)

// rectangular fails where a table is not one.
func rectangular(t *testing.T, got *data.Table, err error) {
	t.Helper()
	if err != nil {
		return
	}
	if rows := got.Rows(); rows == 0 || len(got.X) != rows*len(got.Columns) || len(got.Y) != rows*len(got.Targets) {
		t.Fatalf("not rectangular: %+v", got)
	}
}

// JSON that comes byte by byte is the table of the whole text.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		peopleJSON, `[{"a":1,"y":2},{"y":3}]`, "{\"a\":[1,{\"b\":2}],\"y\":1}\n{\"a\":null,\"y\":true,\"z\":1}", "{\n\"a\": 1e400, \"a \": \"\\ud800\\u0000\"}", "[{\"a\":1}\n", "{}{}", "[ ]x", "{\"2\":NaN}",
	} {
		f.Add(text, "", byte(0))
	}
	f.Add(peopleJSON, "age", byte(1))
	f.Fuzz(func(t *testing.T, text, target string, raw byte) {
		if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") { // the readers of other formats have targets of their own
			text = "{" + text
		}
		o := Options{Raw: raw%2 == 0}
		if target != "" {
			o.Targets = []string{target}
		}
		whole, err := All(ctx, strings.NewReader(text), "fuzz", o)
		rectangular(t, whole, err)
		pieces, again := All(ctx, iotest.OneByteReader(strings.NewReader(text)), "fuzz", o)
		switch {
		case (err == nil) != (again == nil):
			t.Fatalf("%v as a whole, %v in pieces", err, again)
		case err == nil && (!slices.Equal(whole.Columns, pieces.Columns) || !slices.EqualFunc(whole.X, pieces.X, sameNumber) || !slices.Equal(whole.Y, pieces.Y)):
			t.Fatalf("%+v as a whole, %+v in pieces", whole, pieces)
		}
	})
}

func FuzzParquet(f *testing.F) {
	f.Add([]byte(asParquet(f, people)))
	f.Add([]byte(asParquet(f, numbersRows(20, 100), parquet.MaxRowsPerRowGroup(7))))
	f.Add([]byte(asParquet(f, []struct {
		A []float64
		B struct{ C int96 }
		Y float32
	}{{[]float64{1}, struct{ C int96 }{}, 2}})))
	for _, file := range append(falseClaims(f), expandingFiles(f, 17)...) { // one more MiB than a row may have
		if strings.HasPrefix(file.name, "Parquet") {
			f.Add([]byte(file.content))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		content := append([]byte(parquetMagic), file[min(len(file), len(parquetMagic)):]...)
		got, err := All(ctx, bytes.NewReader(content), "fuzz", Options{Raw: true})
		rectangular(t, got, err)
		want, wantErr := readOneByOne(content, Options{Raw: true})
		if err == nil && wantErr == nil && !sameTable(got, want) {
			t.Fatalf("%+v, and %+v row by row", got, want)
		}
	})
}

type int96 = [12]byte

// FuzzWorkbook changes parts of a workbook; the archive around them is sound.
func FuzzWorkbook(f *testing.F) {
	original := workbookParts(f)
	names := []string{"xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml", "xl/sharedStrings.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
	for i, name := range names {
		f.Add(byte(i), []byte(original[name]), "")
	}
	f.Add(byte(0), []byte(`<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="C1" s="9"><v>1</v></c></row><row r="9"><c><f>1+1</f></c></row></sheetData></worksheet>`), "People")
	f.Add(byte(0), []byte(`<worksheet><sheetData><row r="1000000000000"><c r="A1000000000000"><v>1</v></c></row></sheetData></worksheet>`), "")
	f.Add(byte(0), []byte(`<worksheet><sheetData><row r="1"><c r="XFE1"><v>1</v></c></row><row r="1"/></sheetData></worksheet>`), "")
	f.Add(byte(3), []byte(`<sst><si><t>_x0041_</t><rPh><t>a</t></rPh></si><si/></sst>`), "")
	f.Fuzz(func(t *testing.T, which byte, text []byte, sheet string) {
		parts := maps.Clone(original)
		parts[names[int(which)%len(names)]] = string(text)
		book := zipParts(t, parts, func(*zip.Writer) {})
		got, err := All(ctx, strings.NewReader(book), "fuzz", Options{Raw: true, Sheet: sheet})
		rectangular(t, got, err)
	})
}

// FuzzArchive changes whole workbooks and archives, packed parts among them.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(asZip(f, peopleCSV)))
	for _, file := range append(falseClaims(f), expandingFiles(f, 17)...) { // one more MiB than a row may have
		if strings.HasPrefix(file.name, "xlsx") {
			f.Add([]byte(file.content))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := All(ctx, bytes.NewReader(append([]byte(zipMagic), file[min(len(file), len(zipMagic)):]...)), "fuzz", Options{Raw: true})
		rectangular(t, got, err)
	})
}

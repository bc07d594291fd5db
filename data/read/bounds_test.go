package read

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"sml/internal/expect"
)

// deflate returns head, a number of MiB of the letter a, and tail, compressed by DEFLATE. All
// MiB but the first compress to the same bytes, so only the second is compressed and repeated.
func deflate(t testing.TB, head string, mebibytes int, tail string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := expect.Must(flate.NewWriter(&out, flate.BestCompression))
	flush := func(text string) []byte {
		from := out.Len()
		io.WriteString(w, text)
		w.Flush()
		return slices.Clone(out.Bytes()[from:])
	}
	block := strings.Repeat("a", 1<<20)
	packed := append(flush(head), flush(block)...)
	packed = append(packed, bytes.Repeat(flush(block), mebibytes-1)...)
	from := out.Len()
	io.WriteString(w, tail)
	w.Close()
	return append(packed, out.Bytes()[from:]...)
}

// gzipFile puts packed text into a gzip file, whose checksum is wrong: readers look at it
// when they have read all.
func gzipFile(packed []byte) []byte {
	return slices.Concat([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), packed, make([]byte, 8))
}

// workbookWith writes a workbook and replaces one part by compressed bytes, which expand to
// the given number of MiB.
func workbookWith(t testing.TB, part string, packed []byte, mebibytes int) []byte {
	t.Helper()
	parts := workbookParts(t)
	delete(parts, part)
	return []byte(zipParts(t, parts, func(w *zip.Writer) {
		f := expect.Must(w.CreateRaw(&zip.FileHeader{Name: part, Method: zip.Deflate, CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(mebibytes) << 20}))
		f.Write(packed)
	}))
}

// parquetFile writes a file with a column x of doubles or texts, of one group of rows with
// the given pages, and a footer.
func parquetFile(t testing.TB, kind format.Type, codec format.CompressionCodec, rows int64, pages ...[]byte) []byte {
	t.Helper()
	content := []byte(parquetMagic)
	column := format.ColumnMetaData{
		Type: kind, PathInSchema: thrift.Slice[string]{"x"}, Codec: codec, NumValues: rows, DataPageOffset: int64(len(content)),
		TotalCompressedSize: int64(len(slices.Concat(pages...))),
	}
	content = append(content, slices.Concat(pages...)...)
	footer := marshal(t, &format.FileMetaData{
		Version: 1, NumRows: rows,
		Schema: thrift.Slice[format.SchemaElement]{
			{Name: "schema", NumChildren: thrift.New(int32(1))},
			{Name: "x", Type: thrift.New(kind), RepetitionType: thrift.New(format.Required)},
		},
		RowGroups: thrift.Slice[format.RowGroup]{{NumRows: rows, Columns: thrift.Slice[format.ColumnChunk]{{MetaData: column}}}},
	})
	return withFooter(content, footer)
}

func withFooter(content, footer []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(append(content, footer...), uint32(len(footer))), "PAR1"...)
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	return expect.Must(thrift.Marshal(new(thrift.CompactProtocol), v))
}

// dataPage writes a page whose header claims the given numbers of values and bytes.
func dataPage(t testing.TB, encoding format.Encoding, values, unpacked int, packed []byte) []byte {
	t.Helper()
	return append(marshal(t, &format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(unpacked), CompressedPageSize: int32(len(packed)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(values), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	}), packed...)
}

func dictionaryPage(t testing.TB, values int, text []byte) []byte {
	t.Helper()
	return append(marshal(t, &format.PageHeader{
		Type: format.DictionaryPage, UncompressedPageSize: int32(len(text)), CompressedPageSize: int32(len(text)),
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(values), Encoding: format.Plain}),
	}), text...)
}

// uvarints writes numbers in as many bytes as they need.
func uvarints(numbers ...uint64) (text []byte) {
	for _, n := range numbers {
		text = binary.AppendUvarint(text, n)
	}
	return text
}

// constantDeltas encodes count numbers, first, first + step and so on, as Parquet's delta
// binary packing.
func constantDeltas(count int, first, step int64) []byte {
	const block, parts = 128, 4
	text := binary.AppendVarint(uvarints(block, parts, uint64(count)), first)
	for range (count - 2 + block) / block {
		text = append(binary.AppendVarint(text, step), make([]byte, parts)...) // widths of 0 bits
	}
	return text
}

// hostileFile is a small file that claims, or unpacks to, more than memory has.
type hostileFile struct{ name, content, says string } // says is a part of the error

// header is a row of a sheet with two names.
const header = `<row><c t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is><t>y</t></is></c></row>`

// falseClaims returns files of a few KiB with numbers and lengths that they do not have.
func falseClaims(t testing.TB) []hostileFile {
	t.Helper()
	const most = 1<<31 - 1
	footer := func(text ...[]byte) string {
		return string(withFooter([]byte(parquetMagic), slices.Concat(text...)))
	}
	page := func(kind format.Type, codec format.CompressionCodec, rows int64, pages ...[]byte) string {
		return string(parquetFile(t, kind, codec, rows, pages...))
	}
	suffixes := slices.Concat(constantDeltas(10, 0, 0), uvarints(128, 4, most, 0))
	groups := slices.Repeat([]format.SchemaElement{{Name: "g", NumChildren: thrift.New(int32(1)), RepetitionType: thrift.New(format.Required)}}, 50_000)
	groups = append(groups, format.SchemaElement{Name: "x", Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Required)})
	return []hostileFile{
		{"xlsx, a row number", workbookOf(t, header+`<row r="1000000000000"><c><v>1</v></c></row>`), "rows are numbered from 1 to 1048576"},
		{"xlsx, a column", workbookOf(t, header+`<row><c r="ZZZZZZ3"><v>1</v></c></row>`), "columns are A to XFD"},
		{"xlsx, a row of one text", workbookOf(t, header+"<row>"+strings.Repeat(`<c t="s"><v>0</v></c>`, 1000)+"</row>", "<si><t>"+strings.Repeat("b", 1<<20)+"</t></si>"), "more than 16 MiB"},

		// Field 1 is the version, and field 2 the list of columns: it claims 2²⁸ columns, or one
		// column with a name of 2³⁰ bytes.
		{"Parquet, columns", footer([]byte{0x15, 2, 0x19, 0xfc}, uvarints(1<<28), make([]byte, 1400)), "a list or a text is longer"},
		{"Parquet, a name", footer([]byte{0x15, 2, 0x19, 0x1c, 0x48}, uvarints(1<<30), make([]byte, 100)), "a list or a text is longer"},
		{"Parquet, a page's size", page(format.Double, format.Gzip, most, dataPage(t, format.Plain, most, 1_500_000_000, make([]byte, 100))), "a page has 1430 MiB"},
		{"Parquet, snappy", page(format.Double, format.Snappy, 1000, dataPage(t, format.Plain, 1000, 8000, uvarints(1_500_000_000, 0))), "longer than its header says"},
		{"Parquet, lz4", page(format.Double, format.Lz4Raw, 1000, dataPage(t, format.Plain, 1000, 8000, []byte("\xf0\xff\xff\xff"))), "LZ4_RAW is not supported"},
		{"Parquet, values", page(format.Double, format.Uncompressed, most, dataPage(t, format.Plain, most, 80, make([]byte, 80))), "unexpected EOF"},
		{"Parquet, differences", page(format.Int64, format.Uncompressed, most, dataPage(t, format.DeltaBinaryPacked, most, 20, uvarints(65536, 1, most, 0))), "unexpected EOF"},
		{"Parquet, a dictionary", page(format.ByteArray, format.Uncompressed, 10, dictionaryPage(t, most, make([]byte, 100))), "unexpected EOF"},
		{"Parquet, a run", page(format.Double, format.Uncompressed, 10, dictionaryPage(t, 1, make([]byte, 8)), dataPage(t, format.RLEDictionary, 10, 7, slices.Concat([]byte{1}, uvarints(1<<30), []byte{0}))), "contradict each other"},
		{"Parquet, suffixes", page(format.ByteArray, format.Uncompressed, 10, dataPage(t, format.DeltaByteArray, 10, len(suffixes), suffixes)), "contradict each other"},
		{"Parquet, groups", footer(marshal(t, &format.FileMetaData{Version: 1, Schema: groups})), "nests more than 64 groups"},
	}
}

// expandingFiles returns files that expand to the given number of MiB, a thousand times their
// size.
func expandingFiles(t testing.TB, mebibytes int) []hostileFile {
	t.Helper()
	book := func(part, head, tail string) string {
		return string(workbookWith(t, part, deflate(t, head, mebibytes, tail), mebibytes))
	}
	const sheet = "xl/worksheets/sheet1.xml"
	packed := gzipFile(deflate(t, "", mebibytes, ""))
	encoder := expect.Must(zstd.NewWriter(nil))
	frames := bytes.Repeat(encoder.EncodeAll(make([]byte, 1<<20), nil), mebibytes)
	return []hostileFile{
		{"xlsx, an inline text", book(sheet, "<worksheet><sheetData>"+header+`<row><c t="inlineStr"><is><t>`, "</t></is></c></row></sheetData></worksheet>"), "more than 16 MiB"},
		{"xlsx, a shared text", book("xl/sharedStrings.xml", "<sst><si><t>", "</t></si></sst>"), "more than 16 MiB"},
		{"xlsx, a style", book("xl/styles.xml", `<styleSheet><numFmts><numFmt formatCode="`, `"/></numFmts></styleSheet>`), "more than 16 MiB"},
		{"xlsx, an attribute", book(sheet, `<worksheet><sheetData><row r="`, `"/></sheetData></worksheet>`), "more than 16 MiB"},
		{"Parquet, a page", string(parquetFile(t, format.Double, format.Gzip, 1000, dataPage(t, format.Plain, 1000, 8000, packed))), "longer than its header says"},
		{"Parquet, frames", string(parquetFile(t, format.Double, format.Zstd, 1000, dataPage(t, format.Plain, 1000, 8000, frames))), "longer than its header says"},
		{"CSV, a field", string(gzipFile(deflate(t, "x,y\n1,2\n", mebibytes, ""))), "more than 16 MiB"},
		{"JSON, a text", string(gzipFile(deflate(t, `{"x": 1, "y": "`, mebibytes, ""))), "more than 16 MiB"},
	}
}

// measureRead returns the error with which a file is refused, and how many bytes are allocated
// in all, which is more than are held at a time.
func measureRead(content string) (bytes uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = All(ctx, strings.NewReader(content), "f", Options{Raw: true, NoTarget: true})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// Files that claim, or unpack to, 1.5 GB and more are refused, and little is allocated for
// them.
func TestHostileFiles(t *testing.T) {
	const bound = 128 << 20 // a few times a row of 16 MiB
	for _, file := range append(falseClaims(t), expandingFiles(t, 1536)...) {
		t.Run(file.name, func(t *testing.T) {
			bytes, err := measureRead(file.content)
			expect.Error(t, err, file.says)
			t.Logf("%d MiB are allocated for %d KiB", bytes>>20, len(file.content)>>10)
			if bytes > bound {
				t.Errorf("%d MiB are allocated, want at most %d", bytes>>20, bound>>20)
			}
		})
	}
}

// Texts that begin like the text before take little room in a file: here are 10⁴ of up to
// 10 MB in 1 KiB.
func TestTextsThatBeginAlike(t *testing.T) {
	const texts, step = 10_000, 1000
	page := slices.Concat(constantDeltas(texts, 0, step), constantDeltas(texts, step, 0), bytes.Repeat([]byte("a"), texts*step))
	encoder := expect.Must(zstd.NewWriter(nil))
	file := parquetFile(t, format.ByteArray, format.Zstd, texts, dataPage(t, format.DeltaByteArray, texts, len(page), encoder.EncodeAll(page, nil)))
	bytes, err := measureRead(string(file))
	expect.Error(t, err, "more than 1024 MiB of memory")
	if bytes > 4*maxTextBytes {
		t.Errorf("%d MiB are allocated for %d bytes", bytes>>20, len(file))
	}
}

// A page of 16 MiB compressed to 16 KiB is read: the bounds leave room for ordinary files.
func TestLargePagesAreRead(t *testing.T) {
	const rows = 2 << 20
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write(make([]byte, 8*rows))
	zip.Close()
	page := dataPage(t, format.Plain, rows, 8*rows, packed.Bytes())
	table, err := All(ctx, bytes.NewReader(parquetFile(t, format.Double, format.Gzip, rows, page)), "f", Options{NoTarget: true})
	if err != nil || table.Rows() != rows {
		t.Error(err)
	}
	packed.Bytes()[packed.Len()-5]++ // a byte of the checksum
	page = dataPage(t, format.Plain, rows, 8*rows, packed.Bytes())
	_, err = All(ctx, bytes.NewReader(parquetFile(t, format.Double, format.Gzip, rows, page)), "f", Options{NoTarget: true})
	expect.Error(t, err, "checksum")
}

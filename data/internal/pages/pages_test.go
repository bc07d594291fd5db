package pages

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// row has a column of every type in every encoding.
type row struct {
	Truth       bool             `parquet:"truth"`
	Int32       int32            `parquet:"int32"`
	Int32Delta  int32            `parquet:"int32_delta,delta"`
	Int64       int64            `parquet:"int64,dict"`
	Int64Delta  int64            `parquet:"int64_delta,delta"`
	Int96       deprecated.Int96 `parquet:"int96"`
	Float       float32          `parquet:"float"`
	FloatSplit  float32          `parquet:"float_split,split"`
	Double      float64          `parquet:"double"`
	DoubleDict  float64          `parquet:"double_dict,dict"`
	DoubleSplit float64          `parquet:"double_split,split"`
	Text        string           `parquet:"text"`
	TextDict    string           `parquet:"text_dict,dict"`
	TextLengths []byte           `parquet:"text_lengths,delta"`
	TextDelta   string           `parquet:"text_delta,delta"`
	Fixed       [5]byte          `parquet:"fixed"`
	FixedDict   [5]byte          `parquet:"fixed_dict,dict"`
	MaybeTruth  *bool            `parquet:"maybe_truth"`
	MaybeInt    *int64           `parquet:"maybe_int"`
	MaybeDouble *float64         `parquet:"maybe_double"`
	MaybeText   *string          `parquet:"maybe_text,dict"`
	Missing     *string          `parquet:"missing"`
}

func rowsOf(n int) []row {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]row, n)
	for i := range rows {
		text := strings.Repeat("prefix", r.IntN(4)) + fmt.Sprint(r.IntN(50))
		v := row{
			Truth: r.IntN(3) == 0, Int32: int32(r.Uint32()), Int32Delta: int32(r.Uint32()), Int64: r.Int64N(20), Int64Delta: int64(r.Uint64()),
			Int96: deprecated.Int96{r.Uint32(), r.Uint32(), r.Uint32()}, Float: float32(r.NormFloat64()), FloatSplit: float32(r.NormFloat64()),
			Double: r.NormFloat64(), DoubleDict: float64(r.IntN(300)), DoubleSplit: math.Exp(r.NormFloat64()),
			Text: text, TextDict: text, TextLengths: []byte(text), TextDelta: text,
		}
		copy(v.Fixed[:], text+"     ")
		copy(v.FixedDict[:], text+"     ")
		if r.IntN(3) > 0 {
			v.MaybeTruth = &v.Truth
			v.MaybeInt = &v.Int64Delta
		}
		if r.IntN(10) > 0 {
			v.MaybeDouble = &v.Double
			v.MaybeText = &v.Text
		}
		rows[i] = v
	}
	return rows
}

func write[T any](t testing.TB, rows []T, o ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, o...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// libraryValues returns the values of a column of a group of rows as parquet-go reads them.
func libraryValues(t *testing.T, chunk parquet.ColumnChunk) (list []parquet.Value) {
	t.Helper()
	all := chunk.Pages()
	defer all.Close()
	for {
		page, err := all.ReadPage()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		values := make([]parquet.Value, page.NumValues())
		if n, err := page.Values().ReadValues(values); n < len(values) {
			t.Fatal(err)
		}
		for _, v := range values {
			list = append(list, v.Clone())
		}
	}
}

func open(t *testing.T, content []byte) *parquet.File {
	t.Helper()
	if err := CheckFooter(bytes.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// compare reads every flat column of a file, compares it with what parquet-go reads of
// another file of the same rows, and returns how many values there are.
func compare(t *testing.T, content, other []byte) (count int) {
	t.Helper()
	r, size := bytes.NewReader(content), int64(len(content))
	f, reference := open(t, content), open(t, other)
	budget := NewBudget(size)
	for g, group := range reference.RowGroups() {
		for _, column := range f.Root().Columns() {
			if !column.Leaf() || column.Repeated() {
				continue
			}
			c, err := NewChunk(r, size, column, &f.Metadata().RowGroups[g].Columns[column.Index()].MetaData, budget)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range libraryValues(t, group.ColumnChunks()[column.Index()]) {
				got, err := c.Next()
				if err != nil {
					t.Fatalf("group %d, column %s, value %d: %v", g, column.Name(), i, err)
				}
				if !parquet.Equal(got, want) {
					t.Fatalf("group %d, column %s, value %d is %v, want %v", g, column.Name(), i, got, want)
				}
				count++
			}
			if _, err := c.Next(); err != io.EOF {
				t.Errorf("group %d, column %s: %v behind the last value", g, column.Name(), err)
			}
			c.Close()
		}
	}
	if missing := NewBudget(size).bytesLeft.Load() - budget.bytesLeft.Load(); missing != 0 {
		t.Errorf("%d bytes are not given back", missing)
	}
	return count
}

// Every type, encoding, compression and version of pages is read as parquet-go reads it
// uncompressed.
func TestChunksAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	rows := rowsOf(3000)
	columns := len(parquet.SchemaOf(row{}).Columns())
	for name, codec := range map[string]compress.Codec{
		"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "brotli": &parquet.Brotli, "zstd": &parquet.Zstd,
	} {
		for version := 1; version <= 2; version++ {
			t.Run(fmt.Sprintf("%s, version %d", name, version), func(t *testing.T) {
				file := func(codec compress.Codec) []byte {
					return write(t, rows, parquet.Compression(codec), parquet.DataPageVersion(version), parquet.PageBufferSize(2000), parquet.MaxRowsPerRowGroup(1300))
				}
				if got, want := compare(t, file(codec), file(&parquet.Uncompressed)), columns*len(rows); got != want {
					t.Errorf("%d values, want %d", got, want)
				}
			})
		}
	}
}

// LZ4 is refused by its name.
func TestLZ4IsRefused(t *testing.T) {
	content := write(t, rowsOf(10), parquet.Compression(&parquet.Lz4Raw))
	f := open(t, content)
	size := int64(len(content))
	c, err := NewChunk(bytes.NewReader(content), size, f.Root().Columns()[0], &f.Metadata().RowGroups[0].Columns[0].MetaData, NewBudget(size))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Next(); err == nil || !strings.Contains(err.Error(), "the compression LZ4_RAW is not supported") {
		t.Errorf("error %v", err)
	}
}

// Runs and differences that end early, or claim other numbers than the page has, are refused before the library sees them.
func TestCounts(t *testing.T) {
	packed := []byte{2<<1 | 1, 0b10101010, 0b00000001}
	for _, c := range []struct {
		runs  []byte
		count int
		ok    bool
	}{
		{[]byte{10 << 1, 1}, 10, true}, {packed, 16, true}, {packed, 3, true}, {slices.Concat([]byte{3 << 1, 1}, packed), 19, true}, {nil, 0, true},
		{nil, 1, false}, {packed, 17, false}, {packed[:2], 9, false}, {[]byte{10 << 1}, 10, false}, {[]byte{0x80, 0x80, 0x80, 0x80, 0x04, 1}, 10, false},
	} {
		if err := checkRuns(c.runs, 1, c.count); (err == nil) != c.ok {
			t.Errorf("runs %v, %d numbers: %v", c.runs, c.count, err)
		}
	}
	for _, count := range []int{0, 1, 2, 127, 128, 129, 1000} {
		numbers := make([]int64, count)
		for i := range numbers {
			numbers[i] = int64(i) * int64(i%7) << (i % 40)
		}
		text, err := new(delta.BinaryPackedEncoding).EncodeInt64(nil, numbers)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := skipDeltas(append(text, "rest"...), 64, count)
		if err != nil || string(rest) != "rest" {
			t.Errorf("%d differences: %q, %v", count, rest, err)
		}
		if _, err := skipDeltas(text, 64, count+1); err == nil {
			t.Errorf("%d differences are taken for one more", count)
		}
	}
}

// Truth values in runs of any length are read, as Parquet's documentation of the encoding RLE describes them: after the
// length of the runs, a run of 11 times true has the header 22, and a group of eight values in bits has the header 3.
func TestRunsOfTruthValues(t *testing.T) {
	booleans := valueType{Type: parquet.BooleanType, kind: parquet.Boolean}
	got, err := booleans.decode(values{}, format.RLE, []byte{6, 0, 0, 0, 22, 1, 3, 0b0000_0101, 4, 0}, 16)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		want := i < 12 || i == 13
		if v, err := got.value(i); err != nil || v.Boolean() != want {
			t.Errorf("value %d is %v, %v; want %v", i, v, err, want)
		}
	}
	if _, err := booleans.decode(values{}, format.RLE, []byte{2, 0, 0, 0, 22, 1}, 12); err == nil {
		t.Error("too few values are accepted")
	}
}

package read

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/texts"
)

// readRowByRow reads a table without parsing blocks.
func readRowByRow(r io.Reader, o Options) (*data.Table, error) {
	s, err := Open(ctx, r, "f.csv", o)
	if err != nil {
		return nil, err
	}
	s.rowByRow = true
	return s.readTable(o)
}

// inPieces reads at most size bytes at a time.
type inPieces struct {
	io.Reader
	size int
}

func (r inPieces) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), r.size)]) }

// smallPieces is a piece size at which even short texts are cut into several pieces.
const smallPieces = 8

// sameReading reports an error unless reading a text in blocks gives the same table, or the same
// error, as reading it row by row.
func sameReading(t *testing.T, text []byte, size int, o Options) {
	t.Helper()
	want, wantErr := readRowByRow(inPieces{bytes.NewReader(text), size}, o)
	got, err := All(ctx, inPieces{bytes.NewReader(text), size}, "f.csv", o)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%q:\nblocks: %v\n  rows: %v", text, err, wantErr)
	}
	if err != nil {
		return
	}
	if says := different(got, want); says != "" {
		t.Fatalf("%q: blocks: %s", text, says)
	}
}

// different says where tables differ in a bit. Their values are used up by that.
func different(got, want *data.Table) string {
	to := want.Groups()
	for i, g := range got.Groups() {
		a, b := *g.Values, *to[i].Values
		if !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
			return fmt.Sprintf("%v\nwant %v", a[:min(len(a), 1000)], b[:min(len(b), 1000)])
		}
		*g.Values, *to[i].Values = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("%+v\nwant %+v", got, want)
	}
	return ""
}

// awkward are pieces of tables.
var awkward = []string{
	"1", "2", "-0", "+3.25", ".5", "7.", "1e5", "2E-3", "1e", "e", "-", ".", "1.2.3", "123456789012345678901", "0.1000000000000000055511151231257827",
	"9007199254740993", "1e400", "4.9e-324", "0x1p3", "1_0", "inf", "NaN", "NA", "", "text", "Fair", "2020-01-02", `"5"`, `"a,b"`, "\"x\ny\"", `"`, `5"`,
	" 1", "2 ", "\t3", "4\t", "5\r", "\u00a06", "\u20ac", "\r", "1,5", "1;5",
}

var endings = []string{"\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\r\r\n", "\n\n", "\n \n", "\n\t\r\n", "\r", ""}

// awkwardTable is a text that a table may be read from: mostly plain numbers, and here
// and there something else.
func awkwardTable(r *rand.Rand) []byte {
	var text strings.Builder
	delimiter := []string{",", ";", "\t", " ", ", ", "  "}[r.IntN(6)]
	columns, seldom := 1+r.IntN(4), []int{2, 10, 200, 5000}[r.IntN(4)]
	if r.IntN(2) == 0 {
		text.WriteString(strings.Join([]string{"a", "b", "c", "d"}[:columns], delimiter) + "\n")
	}
	for range r.IntN(300) {
		for j := range columns + max(0, r.IntN(2*seldom)-2*seldom+2) {
			if j > 0 {
				text.WriteString(delimiter)
			}
			if r.IntN(seldom) == 0 {
				text.WriteString(awkward[r.IntN(len(awkward))])
			} else {
				text.WriteString(strconv.FormatFloat(r.NormFloat64()*math.Pow10(r.IntN(8)), 'f', r.IntN(18)-1, 64))
			}
		}
		if end := endings[r.IntN(len(endings))]; r.IntN(seldom) == 0 {
			text.WriteString(end)
		} else {
			text.WriteString("\n")
		}
	}
	return []byte(text.String())
}

// someOptions are options by bits.
func someOptions(bits uint16) Options {
	o := Options{pieceBytes: smallPieces, Raw: bits&1 != 0, NoTarget: bits&2 != 0, Header: []Header{HeaderAuto, HeaderYes, HeaderNo, HeaderAuto}[bits>>2&3]}
	if bits&16 != 0 {
		o.Drop = []string{"1"}
	}
	if bits&32 != 0 {
		o.Weight = "2"
	}
	if bits&64 != 0 {
		o.Extra = []string{"3"}
	}
	if bits&128 != 0 {
		o.SplitColumn, o.SplitColumnIsNoInput = "3", bits&512 != 0
	}
	if bits&256 != 0 {
		o.maxValues = 100
	}
	switch kinds := []string{"2"}; bits >> 9 & 3 {
	case 1:
		o.Numeric = kinds
	case 2:
		o.Categorical = kinds
	case 3:
		o.Dates = []string{"2=yyyymmdd"}
	}
	if bits&2048 != 0 {
		o.Targets = []string{"1"}
	}
	if bits&4096 != 0 {
		o.Inputs, o.Targets, o.Drop = []string{"b", "a"}, []string{"c"}, nil
		if bits&8192 != 0 {
			o.Fields = []data.Field{{Kind: data.Number, MissingTexts: []string{"text", "3.25"}[:bits>>14&1]}, {Kind: []data.Kind{data.Number, data.Category}[bits>>15], Categories: []string{"1", "Fair"}}}
		}
	}
	switch bits % 5 {
	case 1:
		o.Keep = []string{"2", "1"}
	case 2:
		o.KeepAll = true
	case 3:
		o.Keep = []string{"1", "1"}
	}
	return o
}

// Reading in blocks gives the same table as reading row by row.
func TestBlocksAreReadAsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tables := 1000
	if testing.Short() {
		tables = 100
	}
	for range tables {
		sameReading(t, awkwardTable(r), 1+r.IntN(1000), someOptions(uint16(r.Uint32())))
	}
}

// A column of texts is read twice if it is an input and also splits the rows.
func TestBlocksOfAColumnReadTwice(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c,y\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "%d,%c,%s,%d\n", i, 'p'+i%7, []string{"1", "NA", "", "x"}[i%4], i)
	}
	for _, o := range []Options{{Raw: true, SplitColumn: "b"}, {Raw: true, SplitColumn: "c"}, {Raw: true, SplitColumn: "b", Numeric: []string{"b"}}, {Raw: true, SplitColumn: "a", Categorical: []string{"a"}}, {Raw: true, SplitColumn: "b", SplitColumnIsNoInput: true}, {SplitColumn: "b"}} {
		o.pieceBytes = smallPieces
		sameReading(t, []byte(text.String()), 5000, o)
	}
}

// Reading in blocks equals reading row by row for tables of several blocks with odd cells.
func TestBlocksOfALargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads tables of 120,000 rows, in blocks and row by row: 13 s")
	}
	var numbers strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&numbers, "%d,%.7g,%g\n", i, math.Sqrt(float64(i)), 1/float64(i+1))
	}
	whole := numbers.String()
	for name, text := range map[string]string{
		"numbers":         whole,
		"carriage return": strings.ReplaceAll(whole, "\n", "\r\n"),
		"a quote":         whole + "\"1\",2,3\n" + whole,
		"lines in quotes": whole + "1,2,\"3\n\n\n\"\n" + whole + "x,2,3\n",
		"a short row":     whole + "\n\n1,2\n" + whole,
		"a text":          whole + "1,2,x\n" + whole,
		"a missing value": whole + "1,,3\n" + whole + "NA,2,3",
		"a long row":      whole + "1," + strings.Repeat(" ", 2*blockSize) + "2,3\n" + whole + "1,2,x\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, raw := range []bool{false, true} {
				sameReading(t, []byte("a,b,c\n"+text), chunkSize, Options{Raw: raw})
				path := filepath.Join(t.TempDir(), "f.csv")
				expect.NoError(t, os.WriteFile(path, []byte("a,b,c\n"+text), 0o600))
				want, wantErr := readRowByRow(strings.NewReader("a,b,c\n"+text), Options{Raw: raw})
				got, err := File(ctx, path, Options{Raw: raw})
				if (err == nil) != (wantErr == nil) || err == nil && (!slices.Equal(got.X[:1000], want.X[:1000]) || !slices.Equal(got.Y, want.Y)) {
					t.Errorf("of a file: %v, not %v", err, wantErr)
				}
				if err != nil && strings.ReplaceAll(err.Error(), path, "f.csv") != wantErr.Error() {
					t.Errorf("of a file: %v, not %v", err, wantErr)
				}
			}
		})
	}
}

// AppendRows gives the same rows and lines, whether it appends many rows or one.
func TestAppendRows(t *testing.T) {
	tables := 1000
	if testing.Short() {
		tables = 100
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range tables {
		text := awkwardTable(r)
		o := someOptions(uint16(r.Uint32()))
		one, err := Open(ctx, bytes.NewReader(text), "f.csv", o)
		if err != nil {
			continue
		}
		defer one.Close()
		many := expect.Must(Open(ctx, inPieces{bytes.NewReader(text), 1 + r.IntN(500)}, "f.csv", o))
		defer many.Close()
		var kept, keptOfMany texts.Columns
		one.KeepIn(&kept)
		many.KeepIn(&keptOfMany)
		var x, y, xs, ys []float64
		var lines, all []int
		var end, ends error
		for end == nil {
			x, y, lines, end = one.AppendRows(x, y, lines, 1)
		}
		for ends == nil {
			before := len(all)
			most := 1 + r.IntN(50)
			if xs, ys, all, ends = many.AppendRows(xs, ys, all, most); len(all)-before > most || ends == nil && len(all) == before {
				t.Fatalf("%d rows of %d", len(all)-before, most)
			}
		}
		if got, want := fmt.Sprint(ends, all, xs, ys, keptOfMany), fmt.Sprint(end, lines, x, y, kept); got != want {
			t.Fatalf("%q:\nrows: %s\nmany: %s", text, want, got)
		}
	}
}

// A number is what parseNumber says, bit for bit.
func TestScanNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cells := slices.Clone(awkward)
	for range 100_000 {
		v := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			v = r.NormFloat64() * math.Pow10(r.IntN(30)-15)
		}
		cells = append(cells, strconv.FormatFloat(v, "efg"[r.IntN(3)], r.IntN(25)-1, 64))
	}
	for _, cell := range cells {
		want, ok, _ := parseNumber(cell)
		got, end, scanned := scanNumber([]byte(cell+"\n"), 0)
		if scanned = scanned && end == len(cell); scanned != ok || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q: %v, %v, want %v, %v", cell, got, scanned, want, ok)
		}
	}
}

// Reading in blocks gives the same table, or the same error, as reading row by row.
func FuzzFastRead(f *testing.F) {
	for _, text := range []string{
		"a,b,c\n1,2,3\n4,5,6\n7,8,9\n", "1;2;3\n4;;5\n6;7;x\n", "a b c\n1 2  3\n 4 5 6 \n\n", "1,\"2\",3\r\n4,5,6\r\n", "a,b,c\n1,-2,3\n4,5\n", "1\t2\t3\n\t\t\n \n4\t5\t6\n",
	} {
		f.Add([]byte(text), uint16(0), uint8(3))
		f.Add([]byte(text), uint16(1), uint8(100))
		f.Add([]byte(text), uint16(1|4096|8192), uint8(10))
	}
	f.Add([]byte("0,1,7\n0,0,0\n"), uint16(6), uint8(131)) // one column by name and by number
	f.Add([]byte(",0,2\n,0,0\n"), uint16(12230), uint8(9)) // groups in an extra column
	f.Add([]byte("\"\""), uint16(47), uint8('.'))          // a single row, of one empty cell
	f.Fuzz(func(t *testing.T, text []byte, options uint16, size uint8) {
		sameReading(t, text, 1+int(size), someOptions(options))
	})
}

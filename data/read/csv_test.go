package read

import (
	"bytes"
	"compress/gzip"
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

	"sml/data"
	"sml/data/write"
	"sml/internal/expect"
)

func readText(text string, o Options) (*data.Table, error) {
	return All(ctx, strings.NewReader(text), "f.csv", o)
}

// Every text below holds the same table.
func TestReadForms(t *testing.T) {
	for name, text := range map[string]string{
		"comma":             "a,b,y\n1,2.5,-3\n4,5e-1,6\n",
		"semicolon":         "a;b;y\n1;2.5;-3\n4;5e-1;6\n",
		"tab":               "a\tb\ty\n1\t2.5\t-3\n4\t5e-1\t6\n",
		"blank":             "a b y\n1 2.5 -3\n4 5e-1 6\n",
		"runs of blanks":    "  a   b y \n 1   2.5  -3\n4 5e-1    6  \n",
		"comma and blanks":  "a , b, y\n 1, 2.5 ,-3\n4,5e-1,\t6\n",
		"no last newline":   "a,b,y\n1,2.5,-3\n4,5e-1,6",
		"CRLF":              "a,b,y\r\n1,2.5,-3\r\n4,5e-1,6\r\n",
		"byte order mark":   "\ufeffa,b,y\n1,2.5,-3\n4,5e-1,6\n",
		"mark and quotes":   "\ufeff\"a\",\"b\",\"y\"\n1,2.5,-3\n4,5e-1,6\n",
		"two marks":         "\ufeff\ufeff\"a\",\"b\",\"y\"\n1,2.5,-3\n4,5e-1,6\n",
		"quotes":            "\"a\",b,\"y\"\n\"1\",2.5,\"-3\"\n4,\"5e-1\",6\n",
		"quotes and blanks": "\"a\" \"b\" \"y\"\n1 2.5 -3\n4 5e-1 6\n",
		"blanks and a tab":  "a b y\n1 \t 2.5 -3 \t\n4 5e-1 6\n",
		"blank lines":       "\n\na,b,y\n\n1,2.5,-3\n   \n4,5e-1,6\n\n",
	} {
		got, err := readText(text, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Name != "f.csv" || !slices.Equal(got.Columns, []string{"a", "b"}) || !slices.Equal(got.Targets, []string{"y"}) ||
			!slices.Equal(got.X, []float64{1, 2.5, 4, 0.5}) || !slices.Equal(got.Y, []float64{-3, 6}) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// A delimiter within a quoted name is a part of the name.
func TestReadDelimiterInNames(t *testing.T) {
	got := expect.Must(readText("\"a; b\",\"wind speed\",\"long\nname\"\n1,2,3\n", Options{}))
	if !slices.Equal(got.Columns, []string{"a; b", "wind speed"}) || got.Targets[0] != "long name" {
		t.Errorf("got %q, %q", got.Columns, got.Targets)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       []string // parts of the error
	}{
		{"missing", "a,b,y\n1,2,3\n4,,6\n", Options{}, []string{"f.csv:3: column 2 (b): the value is missing"}},
		{"missing in quotes", "a b y\n1 2 3\n1 \"\" 3\n", Options{}, []string{`f.csv:3: column 2 (b): the value is missing ("")`}},
		{"missing among blanks", "a b y\n1 2 3\n1 \"\" 3 4\n", Options{}, []string{"f.csv:3: the row has 4 fields, the first row has 3"}},
		{"all missing among blanks", "a b\n1 2\n\"\" \"\"\n", Options{}, []string{"f.csv:3: the row has 1 fields"}},
		{"missing in a column alone", "a\n1\n\n  \n\"\"\n2\n", Options{NoTarget: true}, []string{`f.csv:5: column 1 (a): the value is missing ("")`}},
		{"other digits", "a,y\n1,2\n\u0661.5,1\n", Options{}, []string{"f.csv:3: column 1 (a)", "digits"}},
		{"an exponent of Fortran", "a,y\n1,2\n1.5D+03,1\n", Options{}, []string{"f.csv:3: column 1 (a)", "write an e"}},
		{"NA", "a,b\n1,NA\n", Options{}, []string{`f.csv:2: column 2 (b): the value is missing ("NA")`}},
		{"long text", "a,b\n1," + strings.Repeat("z", 1000) + "\n", Options{}, []string{`z…" is not a number`}},
		{"too large", "a,b\n1e999,2\n", Options{}, []string{`f.csv:2: column 1 (a): "1e999" is too large`}},
		{"ragged by blanks", "1 2 3\n4 5\n", Options{}, []string{"f.csv:2: the row has 2 fields, the first row has 3 (separated by blanks)"}},
		{"open quote", "a,b\n1,2\n\"3,4\n5,6\n", Options{}, []string{"f.csv:3: quotes do not match"}},
		{"bare quote", "a,b\n1,2\n3,4\"\n", Options{}, []string{"f.csv:3: quotes do not match"}},
		{"line after a quoted newline and blank lines", "\n\"a\nb\",c,y\n\n1,\"2\n\",3\nx,1,1\n", Options{},
			[]string{`f.csv:7: column 1 (a b): "x"`}},
		{"row with a quoted newline", "a,t,y\n1,2,3\n1,\"two\nlines\",x\n", Options{Drop: []string{"t"}},
			[]string{`f.csv:3: column 3 (y): "x"`}},
		{"broken gzip", "\x1f\x8bnonsense", Options{}, []string{"f.csv: the file begins like gzip but is broken"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.text, c.o, c.want) })
	}
}

func wantError(t *testing.T, text string, o Options, parts []string) {
	t.Helper()
	got, err := readText(text, o)
	if err == nil {
		t.Fatalf("accepted as %+v", got)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}

func TestReadReportsTheReader(t *testing.T) {
	r := io.MultiReader(strings.NewReader("a,b\n1,2\n"), iotest.ErrReader(errBroken))
	if _, err := All(ctx, r, "f.csv", Options{}); !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), "f.csv: after line 2") {
		t.Errorf("got %v", err)
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	expect.Must(z.Write([]byte(text)))
	expect.NoError(t, z.Close())
	return b.Bytes()
}

// Gzip is known by the file's content, whatever its name.
func TestReadFile(t *testing.T) {
	var text strings.Builder // long enough for the table to be allocated ahead
	text.WriteString("a,y\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "%d,%d\n", i, -i)
	}
	dir := t.TempDir()
	plain, gz := filepath.Join(dir, "plain.csv.gz"), filepath.Join(dir, "zipped.csv")
	for path, content := range map[string][]byte{plain: []byte(text.String()), gz: zipped(t, text.String())} {
		expect.NoError(t, os.WriteFile(path, content, 0o600))
		got := expect.Must(File(ctx, path, Options{}))
		if got.Name != path || got.Rows() != 3000 || got.X[2999] != 2999 || got.Y[2999] != -2999 {
			t.Errorf("%s: %d rows", path, got.Rows())
		}
	}
	cut := zipped(t, text.String())
	expect.NoError(t, os.WriteFile(gz, cut[:len(cut)-12], 0o600))
	if _, err := File(ctx, gz, Options{}); err == nil || !strings.Contains(err.Error(), gz) || !strings.Contains(err.Error(), "cannot unzip: unexpected EOF") {
		t.Errorf("a gzip file cut short: %v", err)
	}
	_, err := File(ctx, filepath.Join(dir, "none.csv"), Options{})
	expect.Error(t, err, "none.csv")
}

// What Read accepts is finite and rectangular, and is read back from WriteCSV bit by bit.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a,b,y\n1,2,3\n4,5,6\n", "1;2\n3;4", "a b\n1 2\n", "\ufeff\"a\nb\",\"c\"\"\"\r\n1,-0\r\n", "x\n1\n\n2\n",
		"1,5;2\n", "a,a\n1,2\n", "1\t0x1p-3\n", "\"\x1f\x8b\",y\n1,2\n", ",y\n1,2\n", "1,?\n", "a,\"b\n1,2\n", "\x1f\x8b",
	} {
		f.Add([]byte(text), "", "", "", "", false, byte(0))
	}
	f.Add([]byte("a,b,y\n1,2,3\n"), "a", "2", "", "", false, byte(1))
	f.Add([]byte("a,b,y,w\n1,2,3,0\n1,2,3,1\n"), "y", "", "b", "w", false, byte(1))
	f.Add([]byte("1,2,3\nx,5,6\n"), "3", "1", "2", "", true, byte(2))
	f.Fuzz(func(t *testing.T, text []byte, target, drop, extra, weight string, noTarget bool, header byte) {
		o := Options{NoTarget: noTarget, Weight: weight, Header: []Header{HeaderAuto, HeaderYes, HeaderNo}[header%3]}
		if target != "" {
			o.Targets = []string{target}
		}
		if drop != "" {
			o.Drop = []string{drop}
		}
		if extra != "" {
			o.Extra = []string{extra}
		}
		got, err := All(ctx, bytes.NewReader(text), "fuzz", o)
		if err != nil {
			return
		}
		rows := got.Rows()
		if rows == 0 || len(got.X) != rows*len(got.Columns) || len(got.Y) != rows*len(got.Targets) || len(got.E) != rows*len(got.Extras) || got.Weight != "" && len(got.W) != rows {
			t.Fatalf("not rectangular: %+v", got)
		}
		for _, v := range slices.Concat(got.X, got.Y, got.E, got.W) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("not finite: %+v", got)
			}
		}
		sameAfterRoundTrip(t, got)
	})
}

// Rows as wide as those of the data set year.
func BenchmarkRead(b *testing.B) {
	table := &data.Table{Targets: []string{"y"}}
	for j := range 90 {
		table.Columns = append(table.Columns, fmt.Sprint("x", j+1))
	}
	wide := data.Friedman(5000*9, 1)
	table.X, table.Y = wide.X, wide.Y[:5000]
	var text bytes.Buffer
	expect.NoError(b, write.Table(ctx, &text, table, write.CSV))
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		expect.Must(All(ctx, bytes.NewReader(text.Bytes()), "", Options{}))
	}
}

var errBroken = errors.New("broken")

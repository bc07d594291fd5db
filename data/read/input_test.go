package read

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sml/data"
	"sml/internal/expect"
)

// ctx is that of tests which nothing interrupts.
var ctx = context.Background()

// What is not text in UTF-8 is refused by what it is.
func TestNotText(t *testing.T) {
	long := "a,y\n" + strings.Repeat("1,2\n", 100_000) // more than one chunk
	tar := "data.csv" + strings.Repeat("\x00", 249) + "ustar"
	for _, c := range []struct{ name, text, want string }{
		{"Latin-1 header", "gr\xf6\xdfe,y\n1,2\n", "f.csv:1: the byte 0xf6 is not UTF-8: the text seems to be ISO-8859-1 (Latin-1); UTF-8 is needed: convert it with iconv -f ISO-8859-1 -t UTF-8"},
		{"Windows-1252", "preis \x80,y\n1,2\n", "iconv -f WINDOWS-1252 -t UTF-8"},
		{"Latin-1 late in the file", long + "1,2 \xe9\n", "f.csv:100002: the byte 0xe9"},
		{"a character cut off at the end", "a,y\n1,2\xc3", "f.csv:2: the byte 0xc3"},
		{"UTF-32 without a mark", "a\x00\x00\x00,\x00\x00\x00y\x00\x00\x00\n\x00\x00\x00", "UTF-32LE"},
		{"UTF-32 the other way round", "\x00\x00\x00a\x00\x00\x00,\x00\x00\x00y\x00\x00\x00\n", "UTF-32BE"},
		{"UTF-16 without a mark, the other way round", "\x00a\x00,\x00y\x00\n", "UTF-16BE"},
		{"UTF-16 without a mark", "a\x00,\x00y\x00\n\x001\x00,\x002\x00\n\x00", "UTF-16LE"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "UTF-32"},
		{"Parquet cut off", "PAR1\x15\x04\x00PAR1", "f.csv: the Parquet file is broken"},
		{"zip cut off", "PK\x03\x04\x14\x00\x06\x00", "f.csv: the archive is broken"},
		{"encrypted Parquet", "PARE\x15\x04\x00", "f.csv: this is an encrypted Parquet file; a table as CSV text in UTF-8, JSON, Parquet or .xlsx is needed"},
		{"HDF5", "\x89HDF\r\n\x1a\n", "HDF5"},
		{"SQLite", "SQLite format 3\x00", "SQLite"},
		{"PNG", "\x89PNG\r\n\x1a\n\x00", "PNG image"},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG image"},
		{"tar", tar, "tar archive"},
		{"NUL later", "a,y\n1,2\n\x00\x00", "f.csv:3: a NUL byte: this is binary data, not text"},
		{"NUL far behind", long + "\x00", "f.csv:100002: a NUL byte"},
		{"a hole", "a,y\n1,2\n" + strings.Repeat("\x00", 1<<20), "f.csv:3: a NUL byte"},
		{"carriage returns alone", "a,y\r1,2\r3,4\r", `f.csv: lines end in a carriage return alone, as on old Macs; convert them with tr '\r' '\n'`},
		{"JSON of lists", "[\n [1, 2]]", "f.csv: this is JSON of lists; of JSON an object for each row is needed"},
		{"HTML", "\n<!DOCTYPE html>\n<html>", "this is HTML or XML"},
		{"gzip in gzip", string(zipped(t, string(zipped(t, "a,y\n1,2\n")))), "a gzip file within a gzip file"},
		{"binary in gzip", string(zipped(t, "a,y\n1,2\n\x00")), "f.csv:3: a NUL byte"},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.text, Options{}, []string{c.want}) })
	}
	for name, text := range map[string]string{
		"a header that begins as another file does": "PAR1,ORC,y\n1,2,3\n",
		"characters across chunks":                  "a,y\n" + strings.Repeat("1,\u20ac\n", 60_000),
	} {
		if _, err := readText(text, Options{Drop: []string{"y"}, Targets: []string{"1"}, NoTarget: true}); err != nil && !strings.Contains(err.Error(), "no inputs are left") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless is text without an end.
type endless struct{ piece string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.piece)
	}
	return n, nil
}

// What has no end is refused where it cannot be a table any more.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, piece, want string
		o                 Options
	}{
		{"zeros", "\x00", "f.csv:1: a NUL byte", Options{}},
		{"one long word", "x", "f.csv: more than 16 MiB without the end of a row", Options{}},
		{"delimiters", ",", "f.csv: a row of more than 100000 fields", Options{}},
		{"rows", "1,2\n", "f.csv:500000: the table has more than 1000000 values", Options{maxValues: 1_000_000}},
		{"blank lines", "\n", "f.csv: more than 16 MiB without the end of a row", Options{}},
	} {
		_, err := All(ctx, endless{c.piece}, "f.csv", c.o)
		expect.Error(t, err, c.want)
	}
	open := "a,y\n1,2\n\"" + strings.Repeat("3,4\n", 5<<20)
	wantError(t, open, Options{}, []string{"f.csv: after line 2: more than 16 MiB without the end of a row", "quote"})
}

// silent never returns from a read, as a pipe that nobody writes to.
type silent struct{}

func (silent) Read([]byte) (int, error) { select {} }

// Reading ends soon after its context, at any point of the input.
func TestReadingEndsWithItsContext(t *testing.T) {
	table := data.Friedman(20_000, 1)
	for name, work := range map[string]func(context.Context) error{
		"silence": func(ctx context.Context) error { _, err := All(ctx, silent{}, "", Options{}); return err },
		"silence in the row": func(ctx context.Context) error {
			_, err := All(ctx, io.MultiReader(strings.NewReader("a,b\n1,"), silent{}), "", Options{})
			return err
		},
		"rows without end": func(ctx context.Context) error { _, err := All(ctx, endless{"1,2\n"}, "", Options{}); return err },
		"principal components": func(ctx context.Context) error {
			for {
				fresh := &data.Table{Columns: table.Columns, Targets: table.Targets, X: table.X, Y: table.Y}
				if _, err := fresh.PrincipalComponent(ctx); err != nil {
					return err
				}
			}
		},
		"checksums": func(ctx context.Context) error {
			for {
				if _, err := table.Checksum(ctx); err != nil {
					return err
				}
			}
		},
	} {
		short, cancel := context.WithCancel(ctx)
		time.AfterFunc(30*time.Millisecond, cancel)
		if err := work(short); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nothing that a terminal acts on comes out of a message as it went in.
func TestMessagesAreVisible(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e\x1b[31m\n.csv")
	if err := os.WriteFile(path, []byte("\"a\x07\",y\n\x1b[2J,2\n"), 0o600); err != nil {
		t.Skip(err) // a system without such names
	}
	_, err := File(ctx, path, Options{Header: HeaderYes})
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\x07\n") || !strings.Contains(err.Error(), `("a\a"): "\x1b[2J" is not a number`) {
		t.Errorf("got %q", err)
	}
	if _, err := File(ctx, path+"none", Options{}); err == nil || strings.ContainsAny(err.Error(), "\x1b\n") {
		t.Errorf("got %q", err)
	}
}

// However the input comes in, the table is the same.
func TestReadInPieces(t *testing.T) {
	text := "\ufeff\"\u00e4\",b,y\r\n1,2.5,-3\r\n\r\n4,\"5\",6\r\n"
	for name, r := range map[string]io.Reader{
		"bytes":                iotest.OneByteReader(strings.NewReader(text)),
		"data and end at once": iotest.DataErrReader(strings.NewReader(text)),
	} {
		got, err := All(ctx, r, "f.csv", Options{})
		if err != nil || got.Rows() != 2 || got.Columns[0] != "\u00e4" || got.X[3] != 5 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

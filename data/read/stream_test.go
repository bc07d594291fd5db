package read

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sml/data"
	"sml/internal/expect"
)

// rowsOf reads a stream to its end.
func rowsOf(s *Stream) (x, y []float64, err error) {
	for {
		if x, y, err = s.appendRow(x, y); err != nil {
			return x, y, err
		}
	}
}

func TestStream(t *testing.T) {
	s := expect.Must(Open(ctx, strings.NewReader("a,y\n1,2\n\n3,4\n5,x\n"), "f.csv", Options{}))
	defer s.Close()
	x, y, err := rowsOf(s)
	expect.ErrorText(t, err, `f.csv:5: column 2 (y): "x" is not a number; the last column was taken as the target, as none was named`)
	if !slices.Equal(x, []float64{1, 3}) || !slices.Equal(y, []float64{2, 4}) || s.line() != 5 || s.Place(4) != "f.csv:4" || s.Column(0) != "1 (a)" {
		t.Errorf("got %v, %v, line %d, %s, %s", x, y, s.line(), s.Place(4), s.Column(0))
	}
}

// A row can be read as soon as it is written, and Ready does not wait for the next one.
func TestStreamOfASlowWriter(t *testing.T) {
	r, w := io.Pipe()
	step := make(chan string)
	go func() {
		for text := range step {
			io.WriteString(w, text)
		}
		w.Close()
	}()
	step <- "1,2\n"
	s := expect.Must(Open(ctx, r, "pipe", Options{Inputs: []string{"a", "b"}, NoTarget: true}))
	defer s.Close()
	ready := func(want bool) {
		t.Helper()
		for range 200 { // the reader runs beside
			if s.Ready() == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("ready: %v", !want)
	}
	row := func(want ...float64) {
		t.Helper()
		if x, _, err := s.appendRow(nil, nil); err != nil || !slices.Equal(x, want) {
			t.Errorf("got %v, %v; want %v", x, err, want)
		}
	}
	row(1, 2)
	ready(false)
	step <- "0,1\n"
	if x, _, lines, err := s.AppendRows(nil, nil, nil, 10); err != nil || !slices.Equal(x, []float64{0, 1}) || !slices.Equal(lines, []int{2}) {
		t.Errorf("got %v of lines %v, %v", x, lines, err)
	}
	ready(false)
	step <- "3,4\n5,6\n7"
	ready(true)
	row(3, 4)
	ready(true)
	row(5, 6)
	ready(false)
	step <- ",8\n"
	ready(true)
	row(7, 8)
	close(step)
	ready(true)
	if _, _, err := s.appendRow(nil, nil); err != io.EOF {
		t.Errorf("got %v at the end", err)
	}
}

// An object can be read as soon as it is written, before the line end or the next object.
func TestObjectsOfASlowWriter(t *testing.T) {
	r, w := io.Pipe()
	step := make(chan string)
	go func() {
		for text := range step {
			io.WriteString(w, text)
		}
		w.Close()
	}()
	step <- `{"a": 1, "b": 2}`
	s := expect.Must(Open(ctx, r, "pipe", Options{Inputs: []string{"a", "b"}, NoTarget: true}))
	defer s.Close()
	for _, c := range []struct {
		more []string // written behind the row
		row  []float64
	}{{[]string{"\n"}, []float64{1, 2}}, {[]string{`{"a": 3, "b": 4}` + "\n" + `{"a": 5,`}, []float64{3, 4}}, {[]string{` "b": 6}`, "\n\n"}, []float64{5, 6}}} {
		for _, text := range c.more {
			step <- text
		}
		if x, _, err := s.appendRow(nil, nil); err != nil || !slices.Equal(x, c.row) {
			t.Fatalf("got %v, %v; want %v", x, err, c.row)
		}
		time.Sleep(50 * time.Millisecond) // the reader runs beside
		if s.Ready() {
			t.Errorf("a row behind %v is ready", c.row)
		}
	}
	close(step)
	if _, _, err := s.appendRow(nil, nil); err != io.EOF {
		t.Errorf("got %v at the end", err)
	}
}

// What cannot become a table is refused without waiting for more of it.
func TestRefusedAtOnce(t *testing.T) {
	for _, text := range []string{"5\" pipe,y\n", "a,y\r1,2\r", `{"b": 1, "y": 2}`, "[[1, 2]", "<!DOCTYPE html>"} {
		r, w := io.Pipe()
		go io.WriteString(w, text)
		done := make(chan error, 1)
		go func() {
			_, err := Open(ctx, r, "pipe", Options{Inputs: []string{"a"}, NoTarget: true})
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%q is accepted", text)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%q: still waiting", text)
		}
		w.Close()
	}
}

// Rows for recognising a header stay in memory, so there are fewer of them if they are long.
func TestLookAheadIsBounded(t *testing.T) {
	long := `NA,"` + strings.Repeat(" ", maxRow/4) + "\"\n"
	s := expect.Must(Open(ctx, strings.NewReader("a,b\n"+strings.Repeat(long, 8)+"1,2\n"), "f.csv", Options{}))
	defer s.Close()
	if held := len(s.peekedRows); held < 4 || held > 5 {
		t.Errorf("%d rows are held", held)
	}
	if _, _, err := s.appendRow(nil, nil); err == nil || !strings.Contains(err.Error(), "f.csv:2: column 1 (a): the value is missing") {
		t.Errorf("got %v", err)
	}
}

// A stream that comes byte by byte has the rows and the error of the whole text.
func FuzzStream(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n3,4\n", "1;2\n3;x\n", "\ufeff\"a\nb\" \"c\"\n1 2\n", "a,b\n1,2\n\"3,4\n", "\xff\xfe1\x00", "a\r1\r", "\x1f\x8b", "a,b\n1,\xe9\n", "\xe2\x82"} {
		f.Add([]byte(text), "a", "b", byte(0), 0)
	}
	f.Add([]byte("1,2,3\n4,5,6\n"), "x1", "x3", byte(2), 3)
	f.Add([]byte("1\n"), "x", "y", byte(0), 1) // a layout of a place 0
	f.Fuzz(func(t *testing.T, text []byte, input, target string, header byte, columns int) {
		o := Options{Inputs: []string{input}, Targets: []string{target}, Header: []Header{HeaderAuto, HeaderYes, HeaderNo}[header%3]}
		if columns > 0 {
			o.Layout = &data.Layout{Columns: columns, Inputs: []int{columns / 2}, Targets: []int{columns}}
		}
		whole, wholeErr := All(ctx, bytes.NewReader(text), "fuzz", o)
		var x, y []float64
		s, err := Open(ctx, iotest.OneByteReader(bytes.NewReader(text)), "fuzz", o)
		if err == nil {
			defer s.Close()
			x, y, err = rowsOf(s)
		}
		switch {
		case err == io.EOF && wholeErr != nil, err != io.EOF && wholeErr == nil:
			t.Fatalf("%v in pieces, %v as a whole", err, wholeErr)
		case wholeErr == nil && (!slices.Equal(x, whole.X) || !slices.Equal(y, whole.Y)):
			t.Fatalf("%v, %v in pieces, %v, %v as a whole", x, y, whole.X, whole.Y)
		}
	})
}

// Columns of a wide file without a header are found by their places in no time.
func TestManyColumnsByPlace(t *testing.T) {
	const inputs = 60_000
	l := &data.Layout{Columns: inputs + 1, Inputs: columnNumbers(indicesUpTo(inputs)), Targets: []int{inputs + 1}}
	o := Options{Inputs: defaultNames(inputs), Targets: []string{"y"}, Layout: l}
	start := time.Now()
	s := expect.Must(Open(t.Context(), strings.NewReader(strings.Repeat("1,", inputs)+"2\n"), "wide", o))
	defer s.Close()
	if took := time.Since(start); len(s.Columns) != inputs || took > 10*time.Second {
		t.Errorf("%d columns in %v", len(s.Columns), took)
	}
}

// appendRow reads the next row and appends its inputs to x and its targets to y.
func (s *Stream) appendRow(x, y []float64) ([]float64, []float64, error) {
	err := s.readRow(&x, &y)
	return x, y, err
}

// line returns the line at which the last row begins, from 1.
func (s *Stream) line() int { return s.reader.position().line }

package read

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/data"
)

// plainTable is the table that every text of TestSameTable holds.
const plainTable = "a,b,city,y\n1,2.5,Bonn,1\n-2,3,Ulm,2\n3,4.5,Bonn,3\n4,5,Ulm,4\n"

// withDelimiter returns plainTable with another delimiter.
func withDelimiter(delimiter string) string { return strings.ReplaceAll(plainTable, ",", delimiter) }

// Texts that tell of the same table in other ways are the same table, and the remarks say what was skipped.
func TestSameTable(t *testing.T) {
	want := readTestTable(t, plainTable)
	rows := strings.TrimPrefix(plainTable, "a,b,city,y\n")
	dashed := strings.ReplaceAll(strings.ReplaceAll("|"+withDelimiter("|"), "\n", "|\n|"), "|\n|-", "|\n| -")
	for _, c := range []struct{ text, remark string }{
		{withDelimiter("|"), "separated by vertical bars"},
		{withDelimiter(" | "), "separated by vertical bars"},
		{withDelimiter("\t"), ""},
		{"sep=;\r\n" + withDelimiter(";"), ""},
		{"\ufeff\"sep=^\"\n" + withDelimiter("^"), ""},
		{"# made by hand; of 2024\n#\n\n" + plainTable, "2 lines are comments and are skipped; the first is line 1"},
		{strings.Replace(plainTable, "3,4.5", "# it's 5\" wide, \"or\n\n3,4.5", 1), "line 4 is a comment"},
		{plainTable + "# the end", "line 6 is a comment"},
		{plainTable + "\n(4 rows affected)\n", "line 7 is a comment"},
		{strings.Replace(withDelimiter(" | "), "\n", "\n---+---+---+---\n", 1) + "(4 rows)\n", "2 lines are comments and are skipped; the first is line 2"},
		{strings.Replace(strings.TrimSuffix(dashed, "|"), "\n", "\n|---|---|:---|---:|\n", 1), "line 2 is a comment"},
		{strings.Replace(plainTable, "3,4.5", "a,b,city,y\n3,4.5", 1), "line 4 repeats the header and is skipped"},
		{strings.Replace(withDelimiter(";"), "3;4.5", "\"a\"; b;city ;y\r\n3;4.5", 1), "line 4 repeats the header"},
		{"a,b,city,y\nm/s,°C,,kg\n" + rows, "line 2 (m/s, °C, kg) stands between"},
		{"a,b,city,y\nHow far?,How warm?,Where?,Result\n{q1},{q2},{q3},{q4}\n" + rows, "line 3 ({q1}, {q2}, {q3}, {q4}) stands between"},
		{"Report 2024,,,\n" + plainTable, "begins in line 2 with the header a, b, city, y; the text above it is skipped: Report 2024"},
		{"Report of the plant, 2024\nby M. Miller\n\n" + plainTable, "begins in line 4"},
		{"Station,Potsdam\nHeight,81\nLatitude,52.4\n" + plainTable, "begins in line 4"},
		{",,,\n" + plainTable, ""},
		{"Report 2024\n" + withDelimiter(";"), "begins in line 2"},
		{strings.ReplaceAll(plainTable, "\n", ",\n"), "without a name and without values in the first rows are left out: 5"},
		{"a,b,city,y\n" + strings.ReplaceAll(rows, "\n", ",\n"), "left out: 5"},
		{"a,b,city,y,\n" + rows, ""},
	} {
		got := readTestTable(t, c.text)
		says := strings.Join(got.Remarks, "\n")
		if !slices.Equal(got.Columns, want.Columns) || !slices.Equal(got.X, want.X) || !slices.Equal(got.Y, want.Y) || !strings.Contains(says, c.remark) || c.remark == "" && says != "" {
			t.Errorf("%q: %v %v %v, %s", c.text, got.Columns, got.X, got.Y, says)
		}
		sameReading(t, []byte(c.text), 7, Options{Raw: true, pieceBytes: smallPieces})
		named := Options{Inputs: want.Columns, Targets: want.Targets, Fields: want.Fields, Layout: got.Layout}
		other, err := All(ctx, strings.NewReader(c.text), "f.csv", named)
		if err != nil || !slices.Equal(other.X, want.X) || !slices.Equal(other.Y, want.Y) {
			t.Errorf("%q with known inputs: %v, %v", c.text, other, err)
		}
	}
}

// readTestTable reads a raw table.
func readTestTable(t *testing.T, text string) *data.Table {
	t.Helper()
	table, err := All(ctx, strings.NewReader(text), "f.csv", Options{Raw: true})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return table
}

// Rows that only look like comments, titles or units are rows, and quoted delimiters divide no cells.
func TestRowsThatLookOtherwise(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns string
		rows    int
	}{
		{"#a,b,y\n1,2,3\n4,5,6\n", "#a b", 2},
		{"id,b,y\n#1,2,3\n#2,5,6\n#3,\"5\",6\n", "id b", 3},
		{"b,c,y\n#1,\"two\nlines\",3\n#2,\"5\",6\n", "b c", 2},
		{"a;b;y\n1;\"x; y|z\";3\n2;\"p; q|r\";4\n", "a b", 2},
		{"a,b|c,y\n1,2,3\n4,5,6\n", "a b|c", 2},
		{"1990,1991,y\n1,2,3\n1990,1991,5\n", "1990 1991", 2},
		{"name,b,y\nlow,,1\nhigh,5,2\n", "name b", 2},
		{"name,x,class\nfirst,unknown,A\nother,3,B\nlast,4,A\n", "x1 x2", 4},
	} {
		table, err := All(ctx, strings.NewReader(c.text), "f.csv", Options{Raw: true, Classes: strings.Contains(c.text, "class")})
		if err != nil || strings.Join(table.Columns, " ") != c.columns || table.Rows() != c.rows || len(table.Remarks) > 0 && strings.Contains(table.Remarks[0], "skipped") {
			t.Errorf("%q: %+v, %v", c.text, table, err)
		}
	}
}

// The comments and repeated headers of a large table are skipped by all workers, and counted.
func TestCommentsInBlocks(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,y\n")
	for i := range 20_000 {
		if i%1000 == 7 {
			fmt.Fprintf(&text, "# after %d rows\na,y\n", i)
		}
		fmt.Fprintf(&text, "%d,%d\n", i, 2*i)
	}
	table := readTestTable(t, text.String())
	if table.Rows() != 20_000 || table.X[19_999] != 19_999 || !slices.Equal(table.Remarks, []string{"f.csv: 20 lines are comments and are skipped; the first is line 9", "f.csv: 20 lines repeat the header and are skipped; the first is line 10"}) {
		t.Errorf("%d rows, %q", table.Rows(), table.Remarks)
	}
}

// A row of a slow program is read as it comes below comments and a title, and a comment behind a row holds nothing up.
func TestCommentsOfASlowWriter(t *testing.T) {
	r, w := io.Pipe()
	go io.WriteString(w, "# station 7\nRun 12\na|b\n1|2\n")
	opened := make(chan *Stream, 1)
	go func() {
		s, err := Open(ctx, r, "pipe", Options{Inputs: []string{"a", "b"}, NoTarget: true})
		if err != nil {
			t.Error(err)
		}
		opened <- s
	}()
	select {
	case s := <-opened:
		defer s.Close()
		if x, _, err := s.appendRow(nil, nil); err != nil || !slices.Equal(x, []float64{1, 2}) {
			t.Errorf("%v, %v", x, err)
		}
		go io.WriteString(w, "3|4\n# broken sensor\n")
		if x, _, _, err := s.AppendRows(nil, nil, nil, 10); err != nil || !slices.Equal(x, []float64{3, 4}) {
			t.Errorf("%v, %v", x, err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("still waiting")
	}
	w.Close()
}

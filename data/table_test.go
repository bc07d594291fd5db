package data

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func smallTable() *Table {
	return &Table{
		Name: "small", Columns: []string{"a", "b"}, Targets: []string{"y"},
		X: []float64{1, 2, 3, 4, 5, 6}, Y: []float64{10, 20, 30},
	}
}

func TestTargetsOf(t *testing.T) {
	in := smallTable()
	if got := in.TargetsOf([]int{2, 0, 2}); !slices.Equal(got, []float64{30, 10, 30}) {
		t.Errorf("rows 2, 0, 2: %v", got)
	}
	if got := in.TargetsOf(nil); !slices.Equal(got, in.Y) {
		t.Errorf("all rows: %v", got)
	}
	if got := in.TargetsOf([]int{}); len(got) != 0 {
		t.Errorf("no rows: %v", got)
	}
	if rows := new(Table).Rows(); rows != 0 {
		t.Errorf("the zero table has %d rows", rows)
	}
}

func TestWriteCSV(t *testing.T) {
	table := &Table{
		Columns: []string{"plain_1", "a b"}, Targets: []string{`say "y"`, "p;q"},
		X: []float64{0.1, -0.5, 1e21, 3},
		Y: []float64{2.5, 0, 1, 7},
	}
	var out strings.Builder
	if err := table.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "plain_1,\"a b\",\"say \"\"y\"\"\",\"p;q\"\n0.1,-0.5,2.5,0\n1e+21,3,1,7\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestWriteCSVReportsTheWriter(t *testing.T) {
	if err := smallTable().WriteCSV(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want the writer's error", err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

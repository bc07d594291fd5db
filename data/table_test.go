package data

import (
	"slices"
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

package data

import (
	"slices"
	"testing"
)

func TestSelect(t *testing.T) {
	table := Friedman(200, 1)
	numbers := []int{3, 77, 199}
	x, y := FitScalers(table.X, table.Columns, numbers), FitScalers(table.Y, table.Targets, numbers)
	r := table.Subset(numbers, x, y)
	if want := []int32{3, 77, 199}; !slices.Equal(r.Indices, want) || !slices.Equal(r.RowNumbers(10), want) {
		t.Errorf("rows %v, want %v", r.Indices, want)
	}
	if &r.X[0] != &table.X[0] || &r.Y[0] != &table.Y[0] {
		t.Error("the values are a copy")
	}
	if all := table.Subset(nil, x, y); all.Indices != nil || len(all.RowNumbers(10)) != 200 {
		t.Errorf("all rows: %v", all.RowNumbers(10))
	}
}

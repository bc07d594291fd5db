package data

import (
	"math"
	"slices"
	"testing"
)

// In the units of other rows, a compact table agrees with values that are
// standardised directly, within the rounding of float32, also where a column's
// mean is huge beside its deviation or the column is constant.
func TestCompact(t *testing.T) {
	table := Friedman(200, 1)
	for i := range table.Rows() {
		table.X[10*i] += 1e7
		table.X[10*i+1] = 3
	}
	rows := []int{3, 4, 5, 20, 30, 31, 77, 150, 199}
	x, y := FitScaler(table.X, 10, rows), FitScaler(table.Y, 1, rows)
	c := table.Compact()
	r := c.Rows(rows, x, y)
	if want := []int32{3, 4, 5, 20, 30, 31, 77, 150, 199}; !slices.Equal(r.Numbers, want) || !slices.Equal(r.All(10), want) {
		t.Errorf("rows %v", r.Numbers)
	}
	if all := c.Rows(nil, x, y); all.Numbers != nil || len(all.All(10)) != 200 {
		t.Errorf("all rows: %v", all.All(10))
	}
	check := func(name string, compact, want, shift, scale []float32, columns int) {
		for i, w := range want {
			j := i % columns
			got := (compact[i] - shift[j]) * scale[j]
			if math.Abs(float64(got-w)) > 1e-5*math.Max(1, math.Abs(float64(w))) {
				t.Fatalf("%s %d is %v, want %v", name, i, got, w)
			}
		}
	}
	check("input", r.X, x.Apply(table.X, nil), r.XShift, r.XScale, 10)
	check("target", r.Y, y.Apply(table.Y, nil), r.YShift, r.YScale, 1)
}

package summary

import (
	"slices"
	"testing"
)

// repeat returns n copies of a value.
func repeat(value float64, n int) []float64 { return slices.Repeat([]float64{value}, n) }

// count returns the whole numbers from 1 to n.
func count(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i + 1)
	}
	return values
}

func TestFindSpike(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   string // "" for no spike
	}{
		{"zeros", slices.Concat(repeat(0, 30), count(70)), "0 in 30% of the rows"},
		{"a limit", slices.Concat(count(93), repeat(500, 7)), "500 in 7% of the rows"},
		{"rare zeros", slices.Concat(repeat(0, 4), count(96)), ""},
		{"whole numbers around a mean", slices.Concat(repeat(4, 5), repeat(5, 10), repeat(6, 6), count(12)), ""},
		{"classes", slices.Concat(repeat(0, 90), repeat(1, 10)), ""},
		{"constant", repeat(3, 100), ""},
		{"few rows", slices.Concat(repeat(0, 10), count(15)), ""},
		{"no rows", nil, ""},
	} {
		slices.Sort(c.values)
		spike, found := FindSpike(c.values)
		got := ""
		if found {
			got = spike.String()
		}
		if got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

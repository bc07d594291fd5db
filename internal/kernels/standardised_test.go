package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestStandardisedIsGather(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, columns := range []int{1, 2, 13, 90} {
		const rows = 40
		table := make([]float64, rows*columns)
		mean, std := make([]float64, columns), make([]float64, columns)
		for i := range table {
			table[i] = r.NormFloat64()
		}
		for j := range mean {
			mean[j], std[j] = r.NormFloat64(), 0.5+r.Float64()
		}
		numbers := []int32{3, 39, 0, 3, 17}
		for _, scale := range []bool{true, false} {
			if !scale {
				mean, std = nil, nil
			}
			want, got := make([]float32, len(numbers)*columns), make([]float32, len(numbers)*columns)
			GatherStandardised(want, table, columns, numbers, mean, std)
			s := Standardise(table, columns, mean, std)
			s.CopyRows(got, numbers)
			if s.values == nil || !slices.Equal(got, want) {
				t.Errorf("%d columns: %v, want %v", columns, got, want)
			}
			s.values = nil // as of a table that is too large
			clear(got)
			s.CopyRows(got, numbers)
			if !slices.Equal(got, want) {
				t.Errorf("%d columns, too large: %v, want %v", columns, got, want)
			}
		}
	}
}

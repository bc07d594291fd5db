package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRowsOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for cols := 1; cols <= 100; cols++ {
		rows := make([]int32, 1+r.IntN(40))
		for i := range rows {
			rows[i] = int32(r.IntN(9))
		}
		rows[0] = 8
		comparePaths(t, "Rows", func(x [][]float32) { CopyRows(x[0], x[1], cols, rows) }, anyFloats(r, len(rows)*cols), anyFloats(r, 9*cols))
	}
}

func TestRows(t *testing.T) {
	table := []float32{1, 2, 3, 4, 5, 6}
	onPaths(t, Implementations(), func(path string) {
		dst := []float32{0, 0, 0, 0, 9}
		CopyRows(dst, table, 2, []int32{2, 0})
		if want := []float32{5, 6, 1, 2, 9}; !slices.Equal(dst, want) {
			t.Errorf("%s: %v, want %v", path, dst, want)
		}
	})
	for _, row := range []int32{3, -1} {
		checkPanic(t, func() { CopyRows(make([]float32, 2), table, 2, []int32{row}) }, "row %d of 3: no panic", row)
	}
}

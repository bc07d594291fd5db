package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGatherOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for cols := 1; cols <= 100; cols++ {
		table := anyFloats(r, 9*cols)
		rows := make([]int32, 1+r.IntN(40))
		for i := range rows {
			rows[i] = int32(r.IntN(9))
		}
		rows[0] = 8
		dst := anyFloats(r, len(rows)*cols)
		comparePaths(t, "Gather", func(x [][]float32) { Gather(x[0], x[1], cols, rows, x[2], x[3]) },
			dst, table, anyFloats(r, cols), anyFloats(r, cols))
		comparePaths(t, "Gather as it is", func(x [][]float32) { Gather(x[0], x[1], cols, rows, nil, nil) }, dst, table)
	}
}

func TestGather(t *testing.T) {
	table := []float32{1, 2, 3, 4, 5, 6}
	dst := make([]float32, 4)
	for _, path := range Paths() {
		onPath(t, path, func() {
			Gather(dst, table, 2, []int32{2, 0}, []float32{1, 2}, []float32{2, 10})
			if want := []float32{8, 40, 0, 0}; !slices.Equal(dst, want) {
				t.Errorf("%s: %v, want %v", path, dst, want)
			}
		})
	}
	for _, row := range []int32{3, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("row %d of 3: no panic", row)
				}
			}()
			Gather(dst, table, 2, []int32{row}, nil, nil)
		}()
	}
}

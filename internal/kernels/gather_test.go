package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// doubles reads the bits of pairs of float32 as float64, where they lie.
func doubles(x []float32) []float64 {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&x[0])), len(x)/2)
}

// words is the reverse of doubles, a copy.
func words(x []float64) []float32 {
	y := make([]float32, 2*len(x))
	copy(doubles(y), x)
	return y
}

func TestGatherOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	normals := func(n int) []float32 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return words(x)
	}
	for cols := 1; cols <= 100; cols++ {
		rows := make([]int32, 1+r.IntN(40))
		for i := range rows {
			rows[i] = int32(r.IntN(9))
		}
		rows[0] = 8
		dst := anyFloats(r, len(rows)*cols)
		for _, draw := range []func(int) []float32{normals, func(n int) []float32 { return anyFloats(r, 2*n) }} {
			table := draw(9 * cols)
			comparePaths(t, "Gather", func(x [][]float32) { GatherStandardised(x[0], doubles(x[1]), cols, rows, doubles(x[2]), doubles(x[3])) },
				dst, table, draw(cols), draw(cols))
			comparePaths(t, "Gather as it is", func(x [][]float32) { GatherStandardised(x[0], doubles(x[1]), cols, rows, nil, nil) }, dst, table)
		}
	}
}

func TestGather(t *testing.T) {
	table := []float64{1, 2, 3, 4, 5, 1e300}
	dst := make([]float32, 4)
	onPaths(t, Implementations(), func(path string) {
		GatherStandardised(dst, table, 2, []int32{1, 0}, []float64{1, 2}, []float64{0.5, 3})
		if want := []float32{4, 2.0 / 3, 0, 0}; !slices.Equal(dst, want) {
			t.Errorf("%s: %v, want %v", path, dst, want)
		}
		// A value that float32 cannot hold by itself can be held in units of others like it.
		GatherStandardised(dst, table, 2, []int32{2}, []float64{1, 0}, []float64{2, 1e300})
		if want := []float32{2, 1}; !slices.Equal(dst[:2], want) {
			t.Errorf("%s: %v, want %v", path, dst[:2], want)
		}
	})
	for _, row := range []int32{3, -1} {
		checkPanic(t, func() { GatherStandardised(dst, table, 2, []int32{row}, nil, nil) }, "row %d of 3: no panic", row)
	}
}

package kernels

import (
	"math/rand/v2"
	"testing"
)

func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for rows := 1; rows <= 40; rows++ {
		for cols := 1; cols <= 40; cols++ {
			src := anyFloats(r, rows*cols)
			onPaths(t, Implementations(), func(path string) {
				f := &fences{t: t, atEnd: r.IntN(2) == 0}
				in, out := f.slice(src), f.slice(src)
				Transpose(out, in, rows, cols)
				for i := range rows {
					for j := range cols {
						if !sameBits(out[j*rows+i], src[i*cols+j]) {
							t.Fatalf("%s: %d×%d: wrong at [%d,%d]", path, rows, cols, i, j)
						}
					}
				}
			})
		}
	}
}

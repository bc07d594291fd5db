package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestMasksOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	thresholds := []uint32{0, 1, 32768, 49152, 65535, 65536}
	for cols := 1; cols <= 260; cols++ {
		rows := 1 + r.IntN(4)
		key, first, step, stream := r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32()
		if cols%10 == 0 {
			first = math.MaxUint32 // wraps
		}
		threshold := thresholds[cols%len(thresholds)]
		comparePaths(t, fmt.Sprintf("masks %d×%d", rows, cols), func(x [][]float32) {
			Masks(x[0], rows, cols, key, first, step, stream, threshold, 1.25)
		}, make([]float32, rows*cols))
	}
}

// TestMasksDefinition follows one number by hand through the definition.
func TestMasksDefinition(t *testing.T) {
	dst := make([]float32, 3*20)
	Masks(dst, 3, 20, 0x299f31d0_a4093822, 5, 6, 7, 40000, 2)
	words := philoxWords([4]uint32{1, 7, 6, 7}, [2]uint32{0xa4093822, 0x299f31d0}, 7)
	for c, bits := range []uint32{words[0] & 0xFFFF, words[0] >> 16, words[1] & 0xFFFF, words[1] >> 16} {
		want := float32(0)
		if bits < 40000 {
			want = 2
		}
		if got := dst[2*20+8+c]; got != want {
			t.Errorf("row 2, column %d: %v, want %v", 8+c, got, want)
		}
	}
}

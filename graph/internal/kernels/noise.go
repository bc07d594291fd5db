package kernels

import (
	"math/rand/v2"

	"sml/data/portable"
)

// noiseBlock and moreBlock keep the counters of noise apart from those of masks,
// whose first word is below them: no two numbers of one key and stream are made of
// the same bits.
const (
	noiseBlock = 1 << 31
	moreBlock  = 1<<31 | 1<<30
)

// Uniforms writes rows×cols numbers of U(0, 1): odd multiples of 2⁻²⁴, so neither 0
// nor 1. The one at row r and column c is made of the high bits of word c%4 of
//
//	Philox(counter {2³¹ + c/4, firstRow+r, step, stream}, key {low, high}, MaskRounds)
func (n *Noise) Uniforms(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	n.of(dst, rows, cols, key, firstRow, step, stream, func(dst []float32, words []uint32) {
		for i, w := range words {
			dst[i] = float32(w>>9*2+1) * 0x1p-24 // exact
		}
	})
}

// Normals is Uniforms with numbers of N(0, 1): see portable.NormFloat32s. Where one
// word does not suffice, a PCG continues, seeded by Philox(counter {2³¹ + 2³⁰ + c, …}).
func (n *Noise) Normals(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	if n.others == nil {
		n.others = n.more
	}
	if n.normals == nil {
		n.normals = func(dst []float32, words []uint32) { portable.NormFloat32s(dst, words, n.others) }
	}
	n.of(dst, rows, cols, key, firstRow, step, stream, n.normals)
}

// Noise is room for the numbers that are being written, so that none is asked for
// again. It is for one goroutine.
type Noise struct {
	key     [2]uint32
	counter [4]uint32 // of the row
	column  int       // of the first word
	words   [64]uint32

	pcg  rand.PCG
	rare *rand.Rand // of pcg

	others  func(i int) *rand.Rand // more, bound once
	normals func(dst []float32, words []uint32)
}

func (n *Noise) of(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32, write func([]float32, []uint32)) {
	check(rows >= 0 && cols >= 0 && len(dst) >= rows*cols, "noise", "dst is shorter than rows*cols")
	check(cols <= 1<<30, "noise", "there are more than 2³⁰ columns")
	n.key = [2]uint32{uint32(key), uint32(key >> 32)}
	for r := range rows {
		row := dst[r*cols:][:cols]
		n.counter = [4]uint32{0, firstRow + uint32(r), step, stream}
		for n.column = 0; n.column < cols; n.column += len(n.words) {
			part := row[n.column:min(n.column+len(n.words), cols)]
			c := n.counter
			for i := 0; i < len(part); i += 4 {
				c[0] = noiseBlock | uint32(n.column+i)/4
				w := Philox(c, n.key, MaskRounds)
				copy(n.words[i:], w[:])
			}
			write(part, n.words[:len(part)])
		}
	}
}

// more are further random numbers for word i.
func (n *Noise) more(i int) *rand.Rand {
	if n.rare == nil {
		n.rare = rand.New(&n.pcg)
	}
	c := n.counter
	c[0] = moreBlock | uint32(n.column+i)
	w := Philox(c, n.key, MaskRounds)
	n.pcg.Seed(uint64(w[1])<<32|uint64(w[0]), uint64(w[3])<<32|uint64(w[2]))
	return n.rare
}

package kernels

import (
	"math/bits"
	"math/rand/v2"

	"sml/internal/portable"
)

// noiseBlock and moreBlock keep the counters of noise apart from those of masks,
// whose first word is below them: no two numbers of one key and stream are made of
// the same bits.
const (
	noiseBlock = 1 << 31
	moreBlock  = 1<<31 | 1<<30
)

// Noise writes random numbers. It keeps its memory, so that later calls do not allocate. It is
// for one goroutine.
type Noise struct {
	key          [2]uint32
	step, stream uint32
	part         struct { // of the matrix
		row        uint32
		column     int
		rows, cols int
	}
	words  [512]uint32 // of the part, row by row
	number int         // word from which furtherWords counts

	pcg  rand.PCG
	rare *rand.Rand // reads pcg

	continueWord func(i int) *rand.Rand // the method value furtherWords, made once
}

// Uniforms writes rows×cols numbers of U(0, 1): odd multiples of 2⁻²⁴, so neither 0
// nor 1. The one at row r and column c is made of the high bits of word c%4 of
//
//	Philox(counter {2³¹ + c/4, firstRow+r, step, stream}, key {low, high}, MaskRounds)
func (n *Noise) Uniforms(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	n.fill(dst, rows, cols, key, firstRow, step, stream, false)
}

// Normals is Uniforms with numbers of N(0, 1): see portable.NormFloat32s. Where one
// word does not suffice, a PCG continues, seeded by Philox(counter {2³¹ + 2³⁰ + c, …}).
func (n *Noise) Normals(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	n.fill(dst, rows, cols, key, firstRow, step, stream, true)
}

// fill writes rows×cols numbers, normal or else uniform, part by part.
func (n *Noise) fill(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32, normal bool) {
	check(rows >= 0 && cols >= 0 && len(dst) >= rows*cols, "noise", "dst is shorter than rows*cols")
	check(cols <= 1<<30, "noise", "there are more than 2³⁰ columns")
	if cols == 0 {
		return
	}
	n.key, n.step, n.stream = [2]uint32{uint32(key), uint32(key >> 32)}, step, stream
	p := &n.part
	for r := 0; r < rows; r += p.rows {
		// Whole rows, of whole blocks, where at least one has room.
		p.rows = min(rows-r, max(1, len(n.words)/(4*countersPerRow(cols))))
		for c := 0; c < cols; c += p.cols {
			p.cols = min(cols-c, len(n.words))
			p.row, p.column = firstRow+uint32(r), c
			n.draw()
			part := dst[r*cols+c:][:p.rows*p.cols]
			if normal {
				n.normals(part)
			} else {
				uniforms(part, n.words[:len(part)])
			}
		}
	}
}

// countersPerRow returns the number of counters for a row.
func countersPerRow(cols int) int { return (cols + 3) / 4 }

// draw sets words to the random words of the part.
func (n *Noise) draw() {
	p := &n.part
	if active == inGo {
		for r := range p.rows {
			row := n.words[r*p.cols:]
			for c := 0; c < p.cols; c += 4 {
				var w [4]uint32
				w[0], w[1], w[2], w[3] = n.philox(r, noiseBlock|uint32(p.column+c)/4)
				copy(row[c:p.cols], w[:])
			}
		}
		return
	}

	// The vectors hold counters of whatever rows: those of the next pair of batches
	// are whole rows and some blocks further.
	lanes, width, first := 16, countersPerRow(p.cols), noiseBlock+uint64(p.column/4)
	if active == avx2 {
		lanes = 8
	}
	var counters struct{ row, block [16]uint64 }
	row, block := p.row, 0
	for i := range lanes {
		counters.row[i], counters.block[i] = uint64(row), first+uint64(block)
		if block++; block == width {
			row, block = row+1, 0
		}
	}
	pairs, key := (p.rows*width+lanes-1)/lanes, uint64(n.key[1])<<32|uint64(n.key[0])
	rows, blocks, last := uint64(lanes/width), uint64(lanes%width), first+uint64(width-1)
	if active == avx512 {
		wordsAVX512(&n.words[0], pairs, key, n.step, n.stream, &counters.row[0], rows, blocks, last, uint64(width))
	} else {
		wordsAVX2(&n.words[0], pairs, key, n.step, n.stream, &counters.row[0], rows, blocks, last, uint64(width))
	}
	switch {
	case p.cols%4 == 0:
	case p.cols == 1:
		for r := range p.rows {
			n.words[r] = n.words[4*r]
		}
	case width == 1: // what is behind a row is overwritten by the next
		for r := range p.rows {
			from, to := n.words[4*r:][:3], n.words[r*p.cols:][:3]
			to[0], to[1], to[2] = from[0], from[1], from[2]
		}
	default:
		for r := range p.rows {
			copy(n.words[r*p.cols:][:p.cols], n.words[r*width*4:])
		}
	}
}

// philox are the words of a block of row r of the part.
func (n *Noise) philox(r int, block uint32) (w0, w1, w2, w3 uint32) {
	return philox(block, n.part.row+uint32(r), n.step, n.stream, n.key[0], n.key[1], MaskRounds)
}

func uniforms(dst []float32, words []uint32) {
	switch active {
	case avx512:
		uniformsAVX512(&dst[0], &words[0], len(dst))
	case avx2:
		uniformsAVX2(&dst[0], &words[0], len(dst))
	default:
		for i, w := range words {
			dst[i] = float32(w>>9*2+1) * 0x1p-24 // exact
		}
	}
}

// normals writes a normal number for each of the words.
func (n *Noise) normals(dst []float32) {
	if n.continueWord == nil {
		n.continueWord = n.furtherWords
	}
	n.number = 0
	if active == inGo {
		portable.NormFloat32s(dst, n.words[:len(dst)], n.continueWord)
		return
	}
	inside, width := portable.Ziggurat()
	var outside [len(n.words) / 64]uint64
	if active == avx512 {
		normalsAVX512(&dst[0], &n.words[0], len(dst), &inside[0], &width[0], &outside[0])
	} else {
		normalsAVX2(&dst[0], &n.words[0], len(dst), &inside[0], &width[0], &outside[0])
	}
	for i, marked := range outside[:(len(dst)+63)/64] {
		for ; marked != 0; marked &= marked - 1 {
			n.number = 64*i + bits.TrailingZeros64(marked)
			if n.number >= len(dst) {
				return
			}
			portable.NormFloat32s(dst[n.number:][:1], n.words[n.number:][:1], n.continueWord)
		}
	}
}

// furtherWords returns further random numbers for word number+i.
func (n *Noise) furtherWords(i int) *rand.Rand {
	if n.rare == nil {
		n.rare = rand.New(&n.pcg)
	}
	i += n.number
	w0, w1, w2, w3 := n.philox(i/n.part.cols, moreBlock|uint32(n.part.column+i%n.part.cols))
	n.pcg.Seed(uint64(w1)<<32|uint64(w0), uint64(w3)<<32|uint64(w2))
	return n.rare
}

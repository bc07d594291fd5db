package kernels

import (
	"math/bits"
	"math/rand/v2"

	"sml/internal/portable"
)

// The first words of Philox counters. The counters of dropout masks begin with smaller words, so that
// no two numbers of one key and stream are made of the same bits.
const (
	noiseCounter = 1 << 31       // of the one word that most numbers are made of
	moreCounter  = 1<<31 | 1<<30 // of further words for some normal numbers
	maxNoiseCols = 1 << 30       // columns of a matrix, so that the counters stay apart
)

// Noise writes random numbers. It keeps its memory, so that later calls do not allocate. It is
// not safe for concurrent use.
type Noise struct {
	key          [2]uint32 // of Philox
	step, stream uint32    // last two words of all counters
	block        noiseBlock
	words        [512]uint32 // random words of the block, row by row
	firstWord    int         // index of the word that furtherWords calls word 0

	pcg  rand.PCG   // random numbers for the few normal numbers that need further words
	rare *rand.Rand // reads pcg

	furtherWordsFunc func(i int) *rand.Rand // the method value furtherWords; a new one would allocate
}

// noiseBlock is the part of a matrix whose numbers are made together.
type noiseBlock struct {
	firstRow   uint32
	firstCol   int
	rows, cols int
}

// Uniforms writes a rows×cols matrix of numbers from U(0, 1): odd multiples of 2⁻²⁴, so that
// none is 0 or 1. The number at row r and column c is made of the high bits of word c%4 of
//
//	Philox(counter {2³¹ + c/4, firstRow+r, step, stream}, key {low, high}, maskRounds)
func (n *Noise) Uniforms(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	n.setKey(key, step, stream)
	n.fill(dst, rows, cols, firstRow, n.writeUniforms)
}

// Normals writes a rows×cols matrix of numbers from N(0, 1), made of the same words as Uniforms by
// portable.NormFloat32s. Where one word does not suffice, a PCG generator continues, seeded by
// Philox with the counter {2³¹ + 2³⁰ + c, firstRow+r, step, stream}.
func (n *Noise) Normals(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32) {
	n.setKey(key, step, stream)
	n.fill(dst, rows, cols, firstRow, n.writeNormals)
}

// setKey sets the parts of the counter and key that are the same for all numbers of a matrix.
func (n *Noise) setKey(key uint64, step, stream uint32) {
	n.key = [2]uint32{uint32(key), uint32(key >> 32)}
	n.step = step
	n.stream = stream
}

// fill writes a rows×cols matrix block by block. For each block it sets n.block and n.words, and calls
// write, which turns the words into the numbers of the block.
func (n *Noise) fill(dst []float32, rows, cols int, firstRow uint32, write func(dst []float32)) {
	check(rows >= 0 && cols >= 0 && len(dst) >= rows*cols, "noise", "dst is shorter than rows*cols")
	check(cols <= maxNoiseCols, "noise", "there are more than 2³⁰ columns")
	if cols == 0 {
		return
	}
	b := &n.block
	for r := 0; r < rows; r += b.rows {
		// As many whole rows as words has room for, each padded to whole counters of four words; or, if
		// a row is longer than that, one row, which the inner loop divides.
		b.rows = min(rows-r, max(1, len(n.words)/(4*countersPerRow(cols))))
		for c := 0; c < cols; c += b.cols {
			b.cols = min(cols-c, len(n.words))
			b.firstRow = firstRow + uint32(r)
			b.firstCol = c
			n.drawWords()
			write(dst[r*cols+c:][:b.rows*b.cols])
		}
	}
}

// countersPerRow returns the number of Philox counters, of four words each, for the numbers of a row.
func countersPerRow(cols int) int { return (cols + 3) / 4 }

// drawWords sets n.words to the random words of the block, one for each number, row by row.
func (n *Noise) drawWords() {
	if currentISA == portableISA {
		n.drawWordsPortable()
		return
	}
	n.drawPaddedWords()
	n.removePadding()
}

// drawWordsPortable is the definition of drawWords.
func (n *Noise) drawWordsPortable() {
	b := &n.block
	for r := range b.rows {
		row := n.words[r*b.cols:]
		for c := 0; c < b.cols; c += 4 {
			var words [4]uint32
			words[0], words[1], words[2], words[3] = n.philox(r, noiseCounter|uint32(b.firstCol+c)/4)
			copy(row[c:b.cols], words[:]) // the last counter of a row may have more words than numbers
		}
	}
}

// drawPaddedWords sets n.words to the random words of the block, with each row padded to a multiple
// of four words. The assembly computes a group of counters at a time, one in each lane, and lanes may
// be in different rows. For the next group it advances each lane by the same number of whole rows
// (rowStep) and further counters (counterStep), and on to the next row where that exceeds lastCounter.
func (n *Noise) drawPaddedWords() {
	b := &n.block
	lanes := 16 // counters that the assembly keeps at a time
	switch currentISA {
	case avx2:
		lanes = 8
	case neon:
		lanes = 4
	}
	perRow := countersPerRow(b.cols)
	firstCounter := noiseCounter + uint64(b.firstCol/4)
	lastCounter := firstCounter + uint64(perRow-1)
	var counters struct{ row, counter [16]uint64 } // first counter of each lane; the assembly relies on the layout
	row := b.firstRow
	inRow := 0 // index of the counter in its row
	for i := range lanes {
		counters.row[i] = uint64(row)
		counters.counter[i] = firstCounter + uint64(inRow)
		inRow++
		if inRow == perRow {
			row++
			inRow = 0
		}
	}
	key := uint64(n.key[1])<<32 | uint64(n.key[0])
	groups := (b.rows*perRow + lanes - 1) / lanes // of as many counters as lanes
	rowStep := uint64(lanes / perRow)
	counterStep := uint64(lanes % perRow)
	switch currentISA {
	case avx512:
		wordsAVX512(&n.words[0], groups, key, n.step, n.stream, &counters.row[0], rowStep, counterStep, lastCounter, uint64(perRow))
	case neon:
		wordsNEON(&n.words[0], groups, key, n.step, n.stream, &counters.row[0], rowStep, counterStep, lastCounter, uint64(perRow))
	default:
		wordsAVX2(&n.words[0], groups, key, n.step, n.stream, &counters.row[0], rowStep, counterStep, lastCounter, uint64(perRow))
	}
}

// removePadding moves the rows of n.words together, if they are padded to multiples of four words. It
// goes from the first row to the last, and no row moves to the right: no word is overwritten before it
// has been moved.
func (n *Noise) removePadding() {
	cols := n.block.cols
	padded := 4 * countersPerRow(cols)
	switch {
	case cols == padded: // no padding
	case cols == 1:
		for r := range n.block.rows {
			n.words[r] = n.words[4*r]
		}
	case cols < 4: // three words at a time: the next row overwrites the excess
		for r := range n.block.rows {
			from := n.words[4*r:][:3]
			to := n.words[r*cols:][:3]
			to[0] = from[0]
			to[1] = from[1]
			to[2] = from[2]
		}
	default:
		for r := range n.block.rows {
			copy(n.words[r*cols:][:cols], n.words[r*padded:])
		}
	}
}

// philox returns the four words of a counter in row r of the block.
func (n *Noise) philox(r int, counter uint32) (w0, w1, w2, w3 uint32) {
	return philox(counter, n.block.firstRow+uint32(r), n.step, n.stream, n.key[0], n.key[1], maskRounds)
}

// writeUniforms writes a uniform number for each of the words.
func (n *Noise) writeUniforms(dst []float32) { uniforms(dst, n.words[:len(dst)]) }

// uniforms writes a uniform number for each word.
func uniforms(dst []float32, words []uint32) {
	switch currentISA {
	case avx512:
		uniformsAVX512(&dst[0], &words[0], len(dst))
	case avx2:
		uniformsAVX2(&dst[0], &words[0], len(dst))
	case neon:
		uniformsNEON(&dst[0], &words[0], len(dst))
	default:
		for i, word := range words {
			high := word >> 9                    // the high 23 bits
			dst[i] = float32(high*2+1) * 0x1p-24 // an odd number of 24 bits: exact
		}
	}
}

// writeNormals writes a normal number for each of the words. The assembly makes those that need
// one word only, and marks the others, which portable.NormFloat32s then makes one by one.
func (n *Noise) writeNormals(dst []float32) {
	if n.furtherWordsFunc == nil {
		n.furtherWordsFunc = n.furtherWords
	}
	n.firstWord = 0 // NormFloat32s counts its words from here: see furtherWords
	if currentISA == portableISA {
		portable.NormFloat32s(dst, n.words[:len(dst)], n.furtherWordsFunc)
		return
	}
	inside, width := portable.Ziggurat()
	var marks [len(n.words) / 64]uint64 // one bit for each number
	switch currentISA {
	case avx512:
		normalsAVX512(&dst[0], &n.words[0], len(dst), &inside[0], &width[0], &marks[0])
	case neon:
		normalsNEON(&dst[0], &n.words[0], len(dst), &inside[0], &width[0], &marks[0])
	default:
		normalsAVX2(&dst[0], &n.words[0], len(dst), &inside[0], &width[0], &marks[0])
	}
	for i, marked := range marks[:(len(dst)+63)/64] {
		for ; marked != 0; marked &= marked - 1 { // clears the lowest bit
			word := 64*i + bits.TrailingZeros64(marked)
			if word >= len(dst) { // lanes after the last number can be marked, too
				return
			}
			n.firstWord = word
			portable.NormFloat32s(dst[word:][:1], n.words[word:][:1], n.furtherWordsFunc)
		}
	}
}

// furtherWords returns a source of random numbers that continues word firstWord+i of the block: a PCG
// generator, seeded by Philox with a counter that no other number has. It is valid until the next call.
func (n *Noise) furtherWords(i int) *rand.Rand {
	if n.rare == nil {
		n.rare = rand.New(&n.pcg)
	}
	word := n.firstWord + i
	row := word / n.block.cols
	col := n.block.firstCol + word%n.block.cols
	w0, w1, w2, w3 := n.philox(row, moreCounter|uint32(col))
	n.pcg.Seed(uint64(w1)<<32|uint64(w0), uint64(w3)<<32|uint64(w2))
	return n.rare
}

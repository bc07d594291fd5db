package kernels

import (
	"math"
	"math/bits"
)

// Masks writes rows×cols dropout masks: scale for a unit that is kept, 0 for one that is dropped. A
// unit is kept if its 16 random bits are below threshold; 65536 keeps all. The bits of row r and
// column c are half of word (c%8)/2 of
//
//	Philox(counter {c/8, firstRow+r, step, stream}, key {low, high}, maskRounds),
//
// the low half for even c and the high half for odd c.
func Masks(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32, threshold uint32, scale float32) {
	check(rows >= 0 && cols >= 0 && len(dst) >= rows*cols, "Masks", "dst is shorter than rows*cols")
	check(threshold <= 1<<16, "Masks", "threshold exceeds 65536")
	if rows == 0 || cols == 0 {
		return
	}
	switch {
	case threshold == 0:
		clear(dst[:rows*cols])
	case currentISA == avx512 || currentISA == neon: // compare 16-bit numbers by ≤: the threshold 65536 itself has 17 bits
		words := maskConstants(key, step, stream, scale)
		words[thresholdWord] = uint64(threshold-1) * in16BitLanes
		if currentISA == neon {
			masksNEON(&dst[0], rows, cols, firstRow, &words[0])
		} else {
			masksAVX512(&dst[0], rows, cols, firstRow, &words[0])
		}
	case currentISA == avx2: // compares 32-bit numbers by <
		words := maskConstants(key, step, stream, scale)
		words[thresholdWord] = uint64(threshold) * in32BitLanes
		masksAVX2(&dst[0], rows, cols, firstRow, &words[0])
	default:
		masksPortable(dst, rows, cols, key, firstRow, step, stream, threshold, scale)
	}
}

// Factors that copy a number to all lanes of a 64-bit word.
const (
	in16BitLanes = 0x0001_0001_0001_0001
	in32BitLanes = 0x0000_0001_0000_0001
)

// unitsPerCounter is the number of units of a mask that the four words of a Philox counter decide about:
// two by each word.
const unitsPerCounter = 8

// masksPortable is the definition of Masks.
func masksPortable(dst []float32, rows, cols int, key uint64, firstRow, step, stream, threshold uint32, scale float32) {
	k0 := uint32(key)
	k1 := uint32(key >> 32)
	for r := range rows {
		row := dst[r*cols:][:cols]
		for c := 0; c < cols; c += unitsPerCounter {
			var words [4]uint32
			words[0], words[1], words[2], words[3] = philox(uint32(c/unitsPerCounter), firstRow+uint32(r), step, stream, k0, k1, maskRounds)
			maskUnits(row[c:min(c+unitsPerCounter, cols)], &words, threshold, scale)
		}
	}
}

// maskUnits writes the mask of up to eight units. Each unit has half of a random word: the low half for
// even units, the high half for odd ones.
func maskUnits(dst []float32, words *[4]uint32, threshold uint32, scale float32) {
	for i := range dst {
		random := words[i/2%4] >> (16 * (i % 2)) & 0xFFFF
		dst[i] = zeroIf(random >= threshold, scale)
	}
}

// thresholdWord is the index of the threshold among the constants of maskConstants.
const thresholdWord = 16

// maskConstants returns the constants that the assembly reads, in the order that gen/masks.go
// expects; the threshold is 0. The assembly computes the first rounds of Philox once per row or
// column of counters where they depend on only one of these. A round replaces the counter's words
// (w0, w1, w2, w3) with the key (k, l) by
//
//	p = M0·w0   q = M1·w2   (high q ^ w1 ^ k, low q, high p ^ w3 ^ l, low p)
//
// The words are (column, row, step, stream) at first, where column is c/8. So
//
//   - in round 1, p depends on the column alone, and q is the same for all;
//   - in round 2, p depends on the row alone, and q on the column alone;
//   - in round 3, p depends on the column alone; q depends on both.
func maskConstants(key uint64, step, stream uint32, scale float32) [18]uint64 {
	var k, l [maskRounds]uint64 // key of each round
	for r := range uint32(maskRounds) {
		k[r] = uint64(uint32(key) + r*philoxW0)
		l[r] = uint64(uint32(key>>32) + r*philoxW1)
	}
	hi, lo := bits.Mul32(philoxM1, step) // the product q of round 1
	return [...]uint64{
		uint64(hi) ^ k[0],                        // for the row's product in round 2
		uint64(stream) ^ l[0], uint64(lo) ^ k[1], // for the column's products in rounds 1 and 2
		l[1], k[2], l[2], l[3], // for the column's parts of rounds 3 and 4
		k[3], k[4], l[4], k[5], l[5], k[6] << 32, l[6] << 32, // keys of rounds 4 to 7
		philoxM0, philoxM1,
		0, // threshold
		uint64(math.Float32bits(scale)) * in32BitLanes,
	}
}

package graph

import "math/bits"

// rounds of Philox4x32: 7 is the least that passes BigCrush with a margin.
// Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3", table 2.
const rounds = 7

// philox encrypts a counter with a key: the counter-based generator
// Philox4x32 of Salmon et al. 2011. Four random words depend on nothing else.
func philox(counter [4]uint32, key [2]uint32, rounds int) [4]uint32 {
	for range rounds {
		hi0, lo0 := bits.Mul32(0xD2511F53, counter[0])
		hi1, lo1 := bits.Mul32(0xCD9E8D57, counter[2])
		counter = [4]uint32{hi1 ^ counter[1] ^ key[0], lo1, hi0 ^ counter[3] ^ key[1], lo0}
		key[0] += 0x9E3779B9
		key[1] += 0xBB67AE85
	}
	return counter
}

// fillMask draws a mask. Element (r, c) is decided by 16 bits of the block
// with counter (c/8, row r, d.Step, stream): half c%8 of its words, the low
// half of a word first.
func fillMask(dst []float32, rows, columns int, d Draw, stream, threshold uint32, scale float32) {
	key := [2]uint32{uint32(d.Key), uint32(d.Key >> 32)}
	for r := range rows {
		row := d.Row
		if !d.Shared {
			row += uint32(r)
		}
		var block [4]uint32
		for c := range columns {
			if c%8 == 0 {
				block = philox([4]uint32{uint32(c / 8), row, d.Step, stream}, key, rounds)
			}
			keep := block[c%8/2] >> (16 * (c % 2)) & 0xffff
			dst[r*columns+c] = 0
			if keep < threshold {
				dst[r*columns+c] = scale
			}
		}
	}
}

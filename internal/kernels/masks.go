package kernels

import (
	"math"
	"math/bits"
)

// Masks writes rows×cols dropout masks: scale where a unit stays, 0 where it
// is dropped. The number at row r and column c depends on nothing but its
// place, the key and the words of the counter: it is scale if its 16 random
// bits are below threshold (of 65536, which keeps all). Its bits are half of
// a word of
//
//	Philox(counter {c/8, firstRow+r, step, stream}, key {low, high}, MaskRounds)
//
// namely word (c%8)/2, the low half for even c and the high half for odd.
// With shared, all rows are masked like firstRow.
func Masks(dst []float32, rows, cols int, key uint64, firstRow, step, stream uint32, shared bool, threshold uint32, scale float32) {
	check(rows >= 0 && cols >= 0 && len(dst) >= rows*cols, "Masks", "dst is shorter than rows*cols")
	check(threshold <= 1<<16, "Masks", "threshold exceeds 65536")
	if rows == 0 || cols == 0 {
		return
	}
	drawn := rows
	if shared {
		drawn = 1
	}
	switch {
	case threshold == 0:
		clear(dst[:drawn*cols])
	case active == avx512:
		words := maskWords(key, step, stream, scale)
		words[maskLimit] = uint64(threshold-1) * 0x0001_0001_0001_0001 // 16-bit numbers that are to be below or equal
		masksAVX512(&dst[0], drawn, cols, firstRow, &words[0])
	case active == avx2:
		words := maskWords(key, step, stream, scale)
		words[maskLimit] = uint64(threshold) * 0x0000_0001_0000_0001 // 32-bit numbers that are to be below
		masksAVX2(&dst[0], drawn, cols, firstRow, &words[0])
	default:
		masksPortable(dst, drawn, cols, key, firstRow, step, stream, threshold, scale)
	}
	for r := drawn; r < rows; r++ {
		copy(dst[r*cols:(r+1)*cols], dst[:cols])
	}
}

func masksPortable(dst []float32, rows, cols int, key uint64, firstRow, step, stream, threshold uint32, scale float32) {
	k := [2]uint32{uint32(key), uint32(key >> 32)}
	for r := range rows {
		row := dst[r*cols:][:cols]
		for c := 0; c < cols; c += 8 {
			words := Philox([4]uint32{uint32(c / 8), firstRow + uint32(r), step, stream}, k, MaskRounds)
			for lane := range row[c:min(c+8, cols)] {
				random := words[lane/2] >> (16 * (lane % 2)) & 0xFFFF
				row[c+lane] = 0
				if random < threshold {
					row[c+lane] = scale
				}
			}
		}
	}
}

// maskLimit is the word that is compared with.
const maskLimit = 16

// maskWords is what the assembly needs to know of all masks, in the order that gen/masks.go
// knows. With the words c/8 = column, row, step and stream of a counter, the key (k, l) of
// each round, and hi and lo the halves of a product, the first rounds are
//
//	1:  p = M0·column   q = M1·step   (hi q ^ row ^ k, lo q, hi p ^ stream ^ l, lo p)
//	2:  p = M0·word 0   of the row    q = M1·word 2   of the column
//	3:  p = M0·word 0   of the column, as word 0 is hi q ^ lo(M1·step) ^ k
//
// of which the third's M1·(hi p ^ …) is the first product that is of both.
func maskWords(key uint64, step, stream uint32, scale float32) (words [18]uint64) {
	var k, l [MaskRounds]uint64
	for r := range uint32(MaskRounds) {
		k[r], l[r] = uint64(uint32(key)+r*philoxW0), uint64(uint32(key>>32)+r*philoxW1)
	}
	hi, lo := bits.Mul32(philoxM1, step)
	return [...]uint64{
		uint64(hi) ^ k[0],
		uint64(stream) ^ l[0], uint64(lo) ^ k[1],
		l[1], k[2], l[2], l[3],
		k[3], k[4], l[4], k[5], l[5], k[6] << 32, l[6] << 32,
		philoxM0, philoxM1,
		0,
		uint64(math.Float32bits(scale)) * 0x0000_0001_0000_0001,
	}
}

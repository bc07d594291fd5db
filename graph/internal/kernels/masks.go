package kernels

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
		masksAVX512(&dst[0], drawn, cols, key, firstRow, step, stream, threshold, scale)
	case active == avx2:
		masksAVX2(&dst[0], drawn, cols, key, firstRow, step, stream, threshold, scale)
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

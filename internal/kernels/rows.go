package kernels

// Rows copies rows of a table of rows of cols numbers to a contiguous len(rows)×cols dst,
// one after another, and asks memory for them ahead. A row that the table does not have
// panics.
func Rows(dst, table []float32, cols int, rows []int32) {
	check(cols >= 0 && len(dst) >= len(rows)*cols, "Rows", "dst is shorter than len(rows)*cols")
	if cols == 0 || len(rows) == 0 {
		return
	}
	have := uint32(len(table) / cols)
	for _, r := range rows {
		check(uint32(r) < have, "Rows", "a row index is outside of the table")
	}
	if cols == 1 { // a vector for one number is slower than the number
		for i, r := range rows {
			dst[i] = table[r]
		}
		return
	}
	switch active {
	case avx512:
		rowsAVX512(&dst[0], &table[0], cols, &rows[0], len(rows))
	case avx2:
		rowsAVX2(&dst[0], &table[0], cols, &rows[0], len(rows))
	default:
		for i, r := range rows {
			copy(dst[i*cols:(i+1)*cols], table[int(r)*cols:])
		}
	}
}

package kernels

// Gather copies rows of a table, standardised:
//
//	dst[i,j] = (table[rows[i],j] − shift[j])·scale[j]
//
// for a table of rows of cols numbers and a contiguous len(rows)×cols dst.
// shift and scale hold cols numbers, or are nil both: then the rows are
// copied as they are. A row that the table does not have panics.
func Gather(dst, table []float32, cols int, rows []int32, shift, scale []float32) {
	check(cols >= 0 && len(dst) >= len(rows)*cols, "Gather", "dst is shorter than len(rows)*cols")
	check((shift == nil) == (scale == nil), "Gather", "one of shift and scale is nil")
	if cols == 0 || len(rows) == 0 {
		return
	}
	have := uint32(len(table) / cols)
	for _, r := range rows {
		check(uint32(r) < have, "Gather", "a row index is outside of the table")
	}
	if shift == nil {
		for i, r := range rows {
			copy(dst[i*cols:(i+1)*cols], table[int(r)*cols:])
		}
		return
	}
	check(len(shift) >= cols && len(scale) >= cols, "Gather", "shift or scale is shorter than cols")
	if cols == 1 { // a vector for one number is slower than the number
		for i, r := range rows {
			dst[i] = (table[r] - shift[0]) * scale[0]
		}
		return
	}
	switch active {
	case avx512:
		gatherAVX512(&dst[0], &table[0], cols, &rows[0], len(rows), &shift[0], &scale[0])
	case avx2:
		gatherAVX2(&dst[0], &table[0], cols, &rows[0], len(rows), &shift[0], &scale[0])
	default:
		for i, r := range rows {
			row := table[int(r)*cols:][:cols]
			for j, x := range row {
				dst[i*cols+j] = (x - shift[j]) * scale[j]
			}
		}
	}
}

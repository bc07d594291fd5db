package kernels

// CopyRows copies the rows of a table with the given indices to a contiguous len(rows)×cols matrix.
// The rows of the table have cols numbers. The assembly, unlike the portable loop, prefetches the rows
// that are copied next, since the memory of random rows is rarely in a cache. CopyRows panics if an
// index is outside of the table.
func CopyRows(dst, table []float32, cols int, rows []int32) {
	check(cols >= 0 && len(dst) >= len(rows)*cols, "CopyRows", "dst is shorter than len(rows)*cols")
	if cols == 0 || len(rows) == 0 {
		return
	}
	checkRows("CopyRows", rows, len(table)/cols)
	if cols == 1 { // vector instructions are slower for one number
		for i, r := range rows {
			dst[i] = table[r]
		}
		return
	}
	switch currentISA {
	case avx512:
		rowsAVX512(&dst[0], &table[0], cols, &rows[0], len(rows))
	case avx2:
		rowsAVX2(&dst[0], &table[0], cols, &rows[0], len(rows))
	case neon:
		rowsNEON(&dst[0], &table[0], cols, &rows[0], len(rows))
	default:
		for i, r := range rows {
			copy(dst[i*cols:(i+1)*cols], table[int(r)*cols:])
		}
	}
}

// checkRows panics with a message about the named kernel if a row index is not below the number of
// rows in a table.
func checkRows(kernel string, rows []int32, tableRows int) {
	for _, row := range rows {
		isInTable := uint32(row) < uint32(tableRows) // as an unsigned number, a negative index is large
		check(isInTable, kernel, "a row index is outside of the table")
	}
}

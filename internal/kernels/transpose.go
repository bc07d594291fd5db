package kernels

// Transpose writes the transpose of the rows×cols matrix src to dst. Both matrices are contiguous and
// must not overlap.
func Transpose(dst, src []float32, rows, cols int) {
	check(rows >= 0 && cols >= 0 && len(src) >= rows*cols && len(dst) >= rows*cols,
		"Transpose", "dst or src is shorter than rows*cols")
	if rows == 0 || cols == 0 {
		return
	}
	switch {
	case currentISA == avx512 || currentISA == avx2: // every CPU with AVX-512 has AVX2, and there is no AVX-512 version
		transposeAVX2(&dst[0], &src[0], rows, cols)
		return
	case currentISA == neon && rows >= 4 && cols >= 4: // NEON copies blocks of 4×4
		transposeNEON(&dst[0], &src[0], rows, cols)
		return
	}
	for j := range cols {
		for i := range rows {
			dst[j*rows+i] = src[i*cols+j]
		}
	}
}

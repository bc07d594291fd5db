package kernels

// A matrix of more numbers than transposeWhole is transposed in squares: it
// leaves the first-level cache, where lines of dst that got eight numbers
// have to wait for the other eight.
const transposeWhole, transposeSide = 1 << 13, 32

// Transpose writes the rows×cols matrix src to dst as a cols×rows matrix.
// Both are contiguous and do not overlap.
func Transpose(dst, src []float32, rows, cols int) {
	check(rows >= 0 && cols >= 0 && len(src) >= rows*cols && len(dst) >= rows*cols,
		"Transpose", "dst or src is shorter than rows*cols")
	if rows == 0 || cols == 0 {
		return
	}
	if active != inGo {
		side := max(rows, cols)
		if rows*cols > transposeWhole {
			side = transposeSide
		}
		for i := 0; i < rows; i += side {
			for j := 0; j < cols; j += side {
				transposeAVX2(&dst[j*rows+i], 4*rows, &src[i*cols+j], 4*cols, min(side, rows-i), min(side, cols-j))
			}
		}
		return
	}
	for j := range cols {
		for i := range rows {
			dst[j*rows+i] = src[i*cols+j]
		}
	}
}

package kernels

// GatherStandardised copies rows of a float64 table to a contiguous len(rows)×cols matrix, standardised and
// rounded to float32 once, at the end:
//
//	dst[i,j] = (table[rows[i],j] − mean[j])/std[j]
//
// The rows of the table have cols numbers. mean and std have cols numbers, or both are nil: then
// the numbers are only rounded. GatherStandardised panics if the table does not have a row.
func GatherStandardised(dst []float32, table []float64, cols int, rows []int32, mean, std []float64) {
	check(cols >= 0 && len(dst) >= len(rows)*cols, "GatherStandardised", "dst is shorter than len(rows)*cols")
	check((mean == nil) == (std == nil), "GatherStandardised", "one of mean and std is nil")
	if cols == 0 || len(rows) == 0 {
		return
	}
	checkRows("GatherStandardised", rows, len(table)/cols)
	if mean == nil {
		for i, r := range rows {
			for j, x := range table[int(r)*cols:][:cols] {
				dst[i*cols+j] = float32(x)
			}
		}
		return
	}
	check(len(mean) >= cols && len(std) >= cols, "GatherStandardised", "mean or std is shorter than cols")
	if cols == 1 { // vector instructions are slower for one number
		for i, r := range rows {
			dst[i] = float32((table[r] - mean[0]) / std[0])
		}
		return
	}
	switch currentISA {
	case avx512:
		gatherAVX512(&dst[0], &table[0], cols, &rows[0], len(rows), &mean[0], &std[0])
	case avx2:
		gatherAVX2(&dst[0], &table[0], cols, &rows[0], len(rows), &mean[0], &std[0])
	case neon:
		gatherNEON(&dst[0], &table[0], cols, &rows[0], len(rows), &mean[0], &std[0])
	default:
		for i, r := range rows {
			row := table[int(r)*cols:][:cols]
			for j, x := range row {
				dst[i*cols+j] = float32((x - mean[j]) / std[j])
			}
		}
	}
}

// Standardised is a table whose rows are gathered many times. Its values are standardised and
// rounded once, so that gathering a batch only copies rows. The batch has the same bytes as after
// GatherStandardised.
type Standardised struct {
	values    []float32 // standardised values of all rows, nil if the table is too large
	table     []float64
	columns   int
	mean, std []float64
}

// maxStandardised is the maximum number of values in a table that Standardise also keeps in
// float32: 64 MiB.
const maxStandardised = 16 << 20

// Standardise returns a table in the form that Standardised describes. Its parameters mean the
// same as for GatherStandardised. The table must not change afterwards.
func Standardise(table []float64, columns int, mean, std []float64) *Standardised {
	s := &Standardised{table: table, columns: columns, mean: mean, std: std}
	if columns == 0 || len(table) > maxStandardised {
		return s
	}
	rows := make([]int32, len(table)/columns)
	for i := range rows {
		rows[i] = int32(i)
	}
	s.values = make([]float32, len(rows)*columns)
	GatherStandardised(s.values, table, columns, rows, mean, std)
	return s
}

// CopyRows copies standardised rows to dst, one after another. It panics if the table does not have a
// row.
func (s *Standardised) CopyRows(dst []float32, rows []int32) {
	if s.values == nil {
		GatherStandardised(dst, s.table, s.columns, rows, s.mean, s.std)
		return
	}
	CopyRows(dst, s.values, s.columns, rows)
}

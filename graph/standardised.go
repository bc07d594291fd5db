package graph

import "sml/graph/internal/kernels"

// Standardised is a table whose rows are gathered again and again: their values are
// standardised and rounded once, so that a batch is a copy. The bytes are those of
// Gather.
type Standardised struct {
	values    []float32 // of all rows; nil: there are too many, and Gather is asked each time
	table     []float64
	columns   int
	mean, std []float64
}

// mostStandardised bounds what is held in float32 beside a table, in values: 64 MiB.
const mostStandardised = 16 << 20

// Standardise takes a table as Gather does. It must not be changed from then on.
func Standardise(table []float64, columns int, mean, std []float64) *Standardised {
	s := &Standardised{table: table, columns: columns, mean: mean, std: std}
	if columns == 0 || len(table) > mostStandardised {
		return s
	}
	rows := make([]int32, len(table)/columns)
	for i := range rows {
		rows[i] = int32(i)
	}
	s.values = make([]float32, len(rows)*columns)
	Gather(s.values, table, columns, rows, mean, std)
	return s
}

// Gather copies rows to dst, one after another.
func (s *Standardised) Gather(dst []float32, rows []int32) {
	if s.values == nil {
		Gather(dst, s.table, s.columns, rows, s.mean, s.std)
		return
	}
	kernels.Rows(dst, s.values, s.columns, rows)
}

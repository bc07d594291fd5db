package graph

import "sml/graph/internal/kernels"

// The loops around a graph that have kernels: over batches before it, and over gradients
// and draws after it. Like a Program, they give the same bytes on every CPU.

// AdamStep moves values against their gradient and updates the moments m and v, all of one
// length. correction1 and correction2 are 1/(1−β1ᵗ) and 1/(1−β2ᵗ) at step t, counted from
// 1; decay is a decoupled weight decay. Source: Kingma and Ba 2015, algorithm 1;
// Loshchilov and Hutter 2019.
func AdamStep(values, grad, m, v []float32, rate, beta1, beta2, epsilon, correction1, correction2, decay float32) {
	kernels.Adam(values, grad, m, v, rate, beta1, beta2, epsilon, correction1, correction2, decay)
}

// Welford adds the n-th draw x, counted from 1, to the running mean of each element and to
// m2, the running sum of its squared distances from the mean. Both start from 0. Source:
// Welford 1962.
func Welford(mean, m2 []float64, x []float32, n int) { kernels.Welford(mean, m2, x, n) }

// Finite reports whether every value is finite.
func Finite(values []float32) bool {
	if s := kernels.Sum(values); s-s == 0 {
		return true // the sum of a NaN or an infinity is not finite
	}
	for _, v := range values { // the sum of large numbers can be infinite
		if v-v != 0 {
			return false
		}
	}
	return true
}

// Gather copies rows of a table with that many columns to dst, one after another. It
// standardises them on the way, (value − mean)/std in float64 with one mean and std for
// each column, unless both are nil, and rounds to float32.
func Gather(dst []float32, table []float64, columns int, rows []int32, mean, std []float64) {
	kernels.Gather(dst, table, columns, rows, mean, std)
}

// Standardised is a table whose rows are gathered many times: its values are standardised
// and rounded once, so that a batch is a copy. The bytes are those of Gather.
type Standardised struct {
	values    []float32 // standardised values of all rows, nil if the table is too large
	table     []float64
	columns   int
	mean, std []float64
}

// maxStandardised is the largest table that is held in float32 too, in values: 64 MiB.
const maxStandardised = 16 << 20

// Standardise takes a table as Gather does. The table must not change afterwards.
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

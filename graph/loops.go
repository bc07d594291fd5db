package graph

import "sml/graph/internal/kernels"

// The loops around a graph that are worth a kernel: what happens to batches
// before it, and to gradients and draws after it. Like a Program they give the
// same bytes on every CPU.

// AdamStep moves values against their gradient and updates the moments m and
// v, all of one length. correction1 and correction2 are 1/(1−β1ᵗ) and 1/(1−β2ᵗ)
// at step t, counted from 1; decay is a decoupled weight decay. Source: Kingma
// and Ba 2015, algorithm 1; Loshchilov and Hutter 2019.
func AdamStep(values, grad, m, v []float32, rate, beta1, beta2, epsilon, correction1, correction2, decay float32) {
	kernels.Adam(values, grad, m, v, rate, beta1, beta2, epsilon, correction1, correction2, decay)
}

// Gather copies rows of a table of so many columns to dst, one after another,
// standardised on the way: (value − mean)/std in float64, with one mean and std
// for each column, or as they are if both are nil; then rounded to float32.
func Gather(dst []float32, table []float64, columns int, rows []int32, mean, std []float64) {
	kernels.Gather(dst, table, columns, rows, mean, std)
}

// Welford adds the n-th draw x, counted from 1, to the running mean of each
// element and to m2, the running sum of squared distances from it, both 0 before
// the first. Source: Welford 1962.
func Welford(mean, m2 []float64, x []float32, n int) { kernels.Welford(mean, m2, x, n) }

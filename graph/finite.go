package graph

import "sml/graph/internal/kernels"

// Finite tells whether every value is a finite number.
func Finite(values []float32) bool {
	if s := kernels.Sum(values); s-s == 0 {
		return true // a NaN or an infinity would have stayed in the sum
	}
	for _, v := range values { // the sum of large numbers can be infinite
		if v-v != 0 {
			return false
		}
	}
	return true
}

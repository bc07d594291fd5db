package evaluation

import (
	"math"

	"sml/internal/kernels"
)

// moments computes the mean and the standard deviation of many draws in one pass, separately for
// each element of a draw, in float64.
//
// Source: Welford (1962), Note on a method for calculating corrected sums of squares and
// products.
type moments struct {
	n    int       // number of draws
	mean []float64 // mean of each element
	m2   []float64 // sum of squared deviations Σ(draw−mean)² of each element
}

// newMoments returns the moments of no draws, for draws with the given number of elements.
func newMoments(elements int) *moments {
	return &moments{mean: make([]float64, elements), m2: make([]float64, elements)}
}

// add adds one draw.
func (m *moments) add(draw []float32) {
	m.n++
	kernels.Welford(m.mean, m.m2, draw, m.n)
}

// std returns the sample standard deviation (n−1) of each element, and zeros for fewer than two
// draws.
func (m *moments) std() []float64 {
	std := make([]float64, len(m.m2))
	if m.n < 2 {
		return std
	}
	for i, m2 := range m.m2 {
		std[i] = math.Sqrt(m2 / float64(m.n-1))
	}
	return std
}

package evaluation

import (
	"math"

	"sml/internal/kernels"
)

// moments gather mean and standard deviation of many draws for many rows in one
// pass, in float64 (Welford 1962).
type moments struct {
	n        int
	mean, m2 []float64 // the mean draw of each row, and Σ(draw−mean)²
}

func newMoments(rows int) *moments {
	return &moments{mean: make([]float64, rows), m2: make([]float64, rows)}
}

// add takes in one more draw of every row.
func (m *moments) add(draw []float32) {
	m.n++
	kernels.Welford(m.mean, m.m2, draw, m.n)
}

// std returns the sample standard deviation (n−1) of the draws of each row, and
// zeros for fewer than two draws.
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

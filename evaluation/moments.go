package evaluation

import (
	"fmt"
	"math"

	"sml/graph"
)

// RunningMoments gathers mean and standard deviation of many draws for many rows in
// one pass, in float64 (Welford 1962).
type RunningMoments struct {
	n    int
	mean []float64
	m2   []float64 // Σ(draw−mean)² of each row
}

// NewRunningMoments returns the moments of no draws of size rows.
func NewRunningMoments(size int) *RunningMoments {
	return &RunningMoments{mean: make([]float64, size), m2: make([]float64, size)}
}

// Add takes in one more draw of every row. It panics if draw does not have
// one value per row.
func (m *RunningMoments) Add(draw []float32) {
	if len(draw) != len(m.mean) {
		panic(fmt.Sprintf("evaluation: draw has %d values; want one for each of %d rows", len(draw), len(m.mean)))
	}
	m.n++
	graph.Welford(m.mean, m.m2, draw, m.n)
}

// Mean returns the mean draw of each row, and zeros before the first draw.
// The slice is the caller's.
func (m *RunningMoments) Mean() []float64 {
	return append([]float64(nil), m.mean...)
}

// Std returns the sample standard deviation (n−1) of the draws of each row,
// and zeros for fewer than two draws. The slice is the caller's.
func (m *RunningMoments) Std() []float64 {
	std := make([]float64, len(m.m2))
	if m.n < 2 {
		return std
	}
	for i, m2 := range m.m2 {
		std[i] = math.Sqrt(m2 / float64(m.n-1))
	}
	return std
}

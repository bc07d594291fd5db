package leaks

import (
	"math/rand/v2"

	"sml/internal/portable"
)

const (
	maxRows = 10_000    // maximum number of rows in a sample
	minRows = 1000      // number of rows that a sample of a wide table has, too
	maxSize = 2_000_000 // maximum of rows × pairs in a sample of more than minRows rows
	folds   = 5         // number of parts of the sample; each is held out in turn
)

// sample is a random sample of a table's rows in random order. Its folds are consecutive rows.
type sample struct {
	rows []int // indices of the rows
}

// newSample draws the sample of a table with a number of rows, and of pairs of an input and a target, each of
// which is scored.
func newSample(rows, pairs int) *sample {
	const seed, stream = 1, 0x1ea4 // every inspection of a table uses the same rows
	size := min(rows, maxRows, max(minRows, maxSize/max(pairs, 1)))
	order := portable.Perm(rand.New(rand.NewPCG(seed, stream)), rows)
	return &sample{rows: order[:size]}
}

// size returns the number of rows.
func (s *sample) size() int { return len(s.rows) }

// take returns the values of the sample's rows.
func (s *sample) take(values []float64) []float64 {
	return pick(values, s.rows)
}

// pick returns the values of the given rows.
func pick[T any](values []T, rows []int) []T {
	picked := make([]T, len(rows))
	for i, row := range rows {
		picked[i] = values[row]
	}
	return picked
}

// positions returns the positions of the sample's rows in the table.
func (s *sample) positions() []float64 {
	positions := make([]float64, len(s.rows))
	for i, row := range s.rows {
		positions[i] = float64(row)
	}
	return positions
}

// fold returns the first row of a fold and the row after its last.
func (s *sample) fold(k int) (start, end int) {
	return k * len(s.rows) / folds, (k + 1) * len(s.rows) / folds
}

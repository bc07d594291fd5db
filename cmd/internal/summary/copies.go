package summary

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"

	"sml/data"
)

// countCopies returns the number of rows with the inputs and targets of an earlier row. It compares
// 64-bit hashes of the rows.
func countCopies(t *data.Table) int {
	seen := make(map[uint64]struct{}, t.Rows())
	h := fnv.New64a()
	n, m := len(t.Columns), len(t.Targets)
	for r := range t.Rows() {
		h.Reset()
		writeNumbers(h, t.X[r*n:(r+1)*n]...)
		writeNumbers(h, t.Y[r*m:(r+1)*m]...)
		seen[h.Sum64()] = struct{}{}
	}
	return t.Rows() - len(seen)
}

// writeNumbers writes the bits of values to a hash. Equal values have equal bits: −0 is written as 0.
func writeNumbers(h hash.Hash, values ...float64) {
	var bits [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v+0))
		h.Write(bits[:])
	}
}

// fingerprint returns a hash of the column's values. Categories have the same hash if only the
// names of their categories differ: the hash numbers the categories by their first row.
func (c *Column) fingerprint() uint64 {
	h := fnv.New64a()
	numbers := make(map[float64]float64) // of each category, by its first row
	for _, v := range c.values {
		if c.Kind == data.Category && !math.IsNaN(v) {
			if _, ok := numbers[v]; !ok {
				numbers[v] = float64(len(numbers))
			}
			v = numbers[v]
		}
		writeNumbers(h, v)
	}
	return h.Sum64()
}

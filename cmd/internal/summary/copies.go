package summary

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"

	"sml/data"
)

// countCopies returns the number of rows with the inputs and targets of an earlier row. It compares
// 64-bit hashes of the rows: by chance, two different rows of a million have the same hash with a
// probability of about one in 40 million.
func countCopies(t *data.Table) int {
	seen := make(map[uint64]struct{}, t.Rows()) // hashes of the different rows
	h := fnv.New64a()
	inputs := len(t.Columns)
	targets := len(t.Targets)
	for row := range t.Rows() {
		h.Reset()
		writeNumbers(h, t.X[row*inputs:(row+1)*inputs]...)
		writeNumbers(h, t.Y[row*targets:(row+1)*targets]...)
		seen[h.Sum64()] = struct{}{}
	}
	return t.Rows() - len(seen)
}

// writeNumbers writes the bits of values to a hash, so that equal values give equal hashes.
func writeNumbers(h hash.Hash, values ...float64) {
	var bits [8]byte
	for _, v := range values {
		value := v + 0 // turns −0 into 0: they are equal, but their bits differ
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(value))
		h.Write(bits[:])
	}
}

// fingerprint returns a hash of the column's values. Categories have the same hash if only the
// names of their categories differ: the hash numbers the categories by their first row.
func (c *Column) fingerprint() uint64 {
	h := fnv.New64a()
	numbers := make(map[float64]float64) // number of each category in the order of first rows, by category
	for _, v := range c.values {
		if c.Kind != data.Category || math.IsNaN(v) {
			writeNumbers(h, v)
			continue
		}
		number, isNumbered := numbers[v]
		if !isNumbered {
			number = float64(len(numbers))
			numbers[v] = number
		}
		writeNumbers(h, number)
	}
	return h.Sum64()
}

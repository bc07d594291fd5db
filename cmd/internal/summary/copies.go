package summary

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"sml/data"
)

// copies counts the rows with the inputs and targets of an earlier row, by a hash of 64 bits.
func copies(t *data.Table) int {
	seen := make(map[uint64]struct{}, t.Rows())
	h := fnv.New64a()
	var number [8]byte
	write := func(values []float64) {
		for _, v := range values {
			binary.LittleEndian.PutUint64(number[:], math.Float64bits(v+0)) // no −0
			h.Write(number[:])
		}
	}
	n, m := len(t.Columns), len(t.Targets)
	for r := range t.Rows() {
		h.Reset()
		write(t.X[r*n : (r+1)*n])
		write(t.Y[r*m : (r+1)*m])
		seen[h.Sum64()] = struct{}{}
	}
	return t.Rows() - len(seen)
}

// fingerprint returns a hash of the column's values. Categories have the same hash if only the
// names of their categories differ: the hash numbers the categories by their first row.
func (c *Column) fingerprint() uint64 {
	h := fnv.New64a()
	var number [8]byte
	places := make(map[float64]float64)
	for _, v := range c.values {
		if c.Kind == data.Category && !math.IsNaN(v) {
			if _, ok := places[v]; !ok {
				places[v] = float64(len(places))
			}
			v = places[v]
		}
		binary.LittleEndian.PutUint64(number[:], math.Float64bits(v+0)) // no −0
		h.Write(number[:])
	}
	return h.Sum64()
}

package rowio

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each of 100 rows is in a sample of 10 with the probability 1/10, in whatever blocks the rows arrive.
func TestReservoir(t *testing.T) {
	const rows, maxRows, repeats = 100, 10, 4000
	counts := make([]int, rows)
	for seed := range uint64(repeats) {
		r := &reservoir{columns: 2, maxRows: maxRows, random: rand.New(rand.NewPCG(seed, 0))}
		for row := range rows {
			r.add([]float64{float64(row), float64(-row)})
		}
		if len(r.x) != 2*maxRows {
			t.Fatalf("%d values", len(r.x))
		}
		for i := 0; i < len(r.x); i += 2 {
			if r.x[i] != -r.x[i+1] {
				t.Fatalf("a row is %v", r.x[i:i+2])
			}
			counts[int(r.x[i])]++
		}
	}
	// A count has the mean 400 and the standard deviation √(4000·0.1·0.9) = 19; the farthest of 100 is within 4.5.
	if least, most := slices.Min(counts), slices.Max(counts); math.Min(float64(least), float64(800-most)) < 400-4.5*19 {
		t.Errorf("rows are in %d to %d of %d samples", least, most, repeats)
	}
}

// A stream of fewer rows is kept as it is.
func TestReservoirOfFewRows(t *testing.T) {
	r := &reservoir{columns: 1, maxRows: 5, random: rand.New(rand.NewPCG(1, 0))}
	for _, value := range []float64{3, 1, 2} {
		r.add([]float64{value})
	}
	if !slices.Equal(r.x, []float64{3, 1, 2}) {
		t.Errorf("%v", r.x)
	}
}

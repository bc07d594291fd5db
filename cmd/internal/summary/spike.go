package summary

import (
	"fmt"
	"slices"
)

// Spike is a value that a target has in more rows than a continuous target would, such as the 0 of a
// target that counts or measures something absent.
type Spike struct {
	Value    float64
	Fraction float64 // of the rows
}

// String returns a description such as "0 in 57.4% of the rows".
func (s Spike) String() string {
	return fmt.Sprintf("%v in %.3g%% of the rows", s.Value, 100*s.Fraction)
}

// FindSpike returns the spike of a target's values, in ascending order. It returns false if there is
// none: a spike is in at least 5 % of at least 30 rows, and four times as frequent as any other value.
// Whole numbers that fall around a mean are thus no spikes.
func FindSpike(sorted []float64) (Spike, bool) {
	const (
		minRows     = 30
		minFraction = 0.05
		minRatio    = 4
		minDistinct = 10 // values of a target that is not a class
	)
	var counts []int // rows of each value
	mostRows := 0
	mostFrequent := 0.0
	for value, rows := range countValues(sorted) {
		counts = append(counts, rows)
		if rows > mostRows {
			mostRows = rows
			mostFrequent = value
		}
	}
	if len(sorted) < minRows || len(counts) < minDistinct {
		return Spike{}, false
	}
	slices.Sort(counts)
	second := counts[len(counts)-2]
	fraction := float64(mostRows) / float64(len(sorted))
	if fraction < minFraction || mostRows < minRatio*second {
		return Spike{}, false
	}
	return Spike{Value: mostFrequent, Fraction: fraction}, true
}

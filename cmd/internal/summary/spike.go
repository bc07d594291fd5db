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
	distinct := len(slices.Compact(slices.Clone(sorted)))
	if len(sorted) < minRows || distinct < minDistinct {
		return Spike{}, false
	}
	value, rows := mostFrequentValue(sorted)
	others := slices.DeleteFunc(slices.Clone(sorted), func(v float64) bool { return v == value })
	_, otherRows := mostFrequentValue(others)
	fraction := float64(rows) / float64(len(sorted))
	if fraction < minFraction || rows < minRatio*otherRows {
		return Spike{}, false
	}
	return Spike{Value: value, Fraction: fraction}, true
}

package models

import (
	"fmt"
	"math"

	"sml/internal/portable"
)

// Support says what a target may be, in its own unit (Task.Unstandardised): where its
// distribution has probability.
type Support string

const (
	Reals        Support = ""
	Positive     Support = "positive"      // above 0
	NonNegative  Support = "non-negative"  // 0 or above
	Counts       Support = "counts"        // 0, 1, 2, …
	UnitInterval Support = "unit interval" // above 0 and below 1
)

// supports say what a number is to be, whether it is, and which one there may be in the
// place of one drawn from N(0, 1), also where that is 0 or in the thousands.
var supports = map[Support]struct {
	want    string
	has     func(y float64) bool
	typical func(drawn float64) float64
}{
	Reals:       {"any numbers", func(float64) bool { return true }, func(drawn float64) float64 { return drawn }},
	Positive:    {"numbers above 0", func(y float64) bool { return y > 0 }, func(drawn float64) float64 { return max(1e-6, portable.Softplus(drawn)) }},
	NonNegative: {"numbers of 0 or above", func(y float64) bool { return y >= 0 }, func(drawn float64) float64 { return max(0, drawn) }},
	Counts: {"counts, 0, 1, 2, …", func(y float64) bool { return y >= 0 && y == math.Floor(y) },
		func(drawn float64) float64 { return max(0, math.Floor(drawn+1)) }},
	UnitInterval: {"numbers above 0 and below 1", func(y float64) bool { return y > 0 && y < 1 },
		func(drawn float64) float64 { return min(max(1e-6, portable.NormalCDF(drawn)), 1-1e-6) }},
}

// CheckTarget returns an error if a target, in its own unit, is none that the method is
// for: see Method.Support and Method.Classes.
func (s Spec) CheckTarget(y float64) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	want := supports[m.Support].want
	switch last := float64(s.Architecture.Classes - 1); {
	case last > 0 && !(y >= 0 && y <= last && y == math.Floor(y)):
		want = fmt.Sprintf("classes from 0 to %v", last)
	case last > 0 || supports[m.Support].has(y):
		return nil
	}
	return fmt.Errorf("%v: method %s is for %s", y, m.Name, want)
}

// typicalTarget returns a target of the method in the place of a number drawn from N(0, 1).
func (s Spec) typicalTarget(m Method, drawn float64) float64 {
	if n := float64(s.Architecture.Classes); n > 0 {
		return min(max(0, math.Floor(drawn+float64(n/2))), n-1)
	}
	return supports[m.Support].typical(drawn)
}

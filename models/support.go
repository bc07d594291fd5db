package models

import (
	"fmt"
	"math"

	"sml/internal/portable"
)

// Support is the set of allowed values of a target in its own unit (Task.Unstandardised): Reals, Positive, NonNegative,
// Counts or UnitInterval.
type Support string

const (
	Reals        Support = ""
	Positive     Support = "positive"      // above 0
	NonNegative  Support = "non-negative"  // 0 or above
	Counts       Support = "counts"        // 0, 1, 2, …
	UnitInterval Support = "unit interval" // above 0 and below 1
)

// supportRules holds what the program knows about a Support.
type supportRules struct {
	description string // of the values, for errors
	contains    func(y float64) bool
	typical     func(drawn float64) float64 // plausible value of the support, made from a number drawn from N(0, 1); any finite number is allowed
}

// smallestTypical is the smallest distance of typical values from an excluded 0 or 1.
const smallestTypical = 1e-6

var supports = map[Support]supportRules{
	Reals: {
		description: "any numbers",
		contains:    func(float64) bool { return true },
		typical:     func(drawn float64) float64 { return drawn },
	},
	Positive: {
		description: "numbers above 0",
		contains:    func(y float64) bool { return y > 0 },
		typical:     func(drawn float64) float64 { return max(smallestTypical, portable.Softplus(drawn)) },
	},
	NonNegative: {
		description: "numbers of 0 or above",
		contains:    func(y float64) bool { return y >= 0 },
		typical:     func(drawn float64) float64 { return max(0, drawn) },
	},
	Counts: {
		description: "counts, 0, 1, 2, …",
		contains:    func(y float64) bool { return y >= 0 && y == math.Floor(y) },
		typical:     func(drawn float64) float64 { return max(0, math.Floor(drawn+1)) },
	},
	UnitInterval: {
		description: "numbers above 0 and below 1",
		contains:    func(y float64) bool { return y > 0 && y < 1 },
		typical: func(drawn float64) float64 {
			return min(max(smallestTypical, portable.NormalCDF(drawn)), 1-smallestTypical)
		},
	},
}

// CheckTarget returns an error if the method does not allow the target y, in its own unit: see
// Method.Support and Method.Classes.
func (s Spec) CheckTarget(y float64) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	support := supports[m.Support]
	allowed := support.description
	isAllowed := support.contains(y)
	lastClass := float64(s.Architecture.Classes - 1)
	if lastClass > 0 { // the targets are classes
		allowed = fmt.Sprintf("classes from 0 to %v", lastClass)
		isAllowed = y >= 0 && y <= lastClass && y == math.Floor(y)
	}
	if !isAllowed {
		return fmt.Errorf("%v: method %s is for %s", y, m.Name, allowed)
	}
	return nil
}

// typicalTarget returns a plausible target of the method m in its own unit, made from a number drawn
// from N(0, 1).
func (s Spec) typicalTarget(m Method, drawn float64) float64 {
	classes := float64(s.Architecture.Classes)
	if classes > 0 { // a class near the middle one
		return min(max(0, math.Floor(drawn+float64(classes/2))), classes-1)
	}
	return supports[m.Support].typical(drawn)
}

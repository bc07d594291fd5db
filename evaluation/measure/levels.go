package measure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// measureFamily makes measures that differ in a number, such as coverage70 of coverageP: the number is the end of their
// names.
type measureFamily struct {
	prefix  string // of the names
	pattern string // of the names, for people, such as "coverageP"
	isLevel bool   // whether the number is a percentage above 0 and below 100; otherwise any finite number
	make    func(number float64) Measure
}

// families returns the families of measures. A name of one of them needs no registration.
func families() []measureFamily {
	return []measureFamily{
		{"coverage", "coverageP", true, newCoverage},
		{"width", "widthP", true, newWidth},
		{"interval-score", "interval-scoreP", true, newIntervalScore},
		{"pinball", "pinballP", true, newPinball},
		{"crps-above", "crps-aboveX", false, newTailCRPS(true)},
		{"crps-below", "crps-belowX", false, newTailCRPS(false)},
	}
}

// Patterns returns the names of the measures that have a number P, a percentage, or X, a threshold, in their names, such
// as "coverageP". Lookup makes them for any number.
func Patterns() []string {
	var patterns []string
	for _, f := range families() {
		patterns = append(patterns, f.pattern)
	}
	return patterns
}

// lookupInFamilies returns the measure of a family with the given name. It returns false if there is none, as for a
// number that is out of range or not in its shortest form: a measure has one name.
func lookupInFamilies(name string) (Measure, bool) {
	for _, f := range families() {
		digits, hasPrefix := strings.CutPrefix(name, f.prefix)
		number, err := strconv.ParseFloat(digits, 64)
		if !hasPrefix || err != nil || fmt.Sprint(number) != digits || math.IsInf(number, 0) || math.IsNaN(number) {
			continue
		}
		if f.isLevel && !(number > 0 && number < 100) {
			continue
		}
		return f.make(number), true
	}
	return Measure{}, false
}

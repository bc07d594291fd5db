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
	Pattern
	prefix  string // of the names
	isLevel bool   // whether the number is a percentage above 0 and below 100; otherwise any finite number
	make    func(number float64) Measure
}

// Pattern describes the measures that differ in a number in their names.
type Pattern struct {
	Name    string // name with P for a percentage or X for a threshold, such as "coverageP"
	Summary string // what the measures compute
	Example string // name of one of the measures
}

// families returns the families of measures. A name of one of them needs no registration.
func families() []measureFamily {
	return []measureFamily{
		{
			Pattern: Pattern{"coverageP", "fraction of the targets inside the central P % interval", "coverage70"},
			prefix:  "coverage",
			isLevel: true,
			make:    newCoverage,
		},
		{
			Pattern: Pattern{"widthP", "mean width of the central P % interval", "width70"},
			prefix:  "width",
			isLevel: true,
			make:    newWidth,
		},
		{
			Pattern: Pattern{"interval-scoreP", "interval score (Winkler score) of the central P % interval", "interval-score70"},
			prefix:  "interval-score",
			isLevel: true,
			make:    newIntervalScore,
		},
		{
			Pattern: Pattern{"pinballP", "pinball loss (quantile loss) of the quantile at P %", "pinball2.5"},
			prefix:  "pinball",
			isLevel: true,
			make:    newPinball,
		},
		{
			Pattern: Pattern{"crps-aboveX", "threshold-weighted CRPS: how good the predicted distribution is above X, in the target's unit", "crps-above30"},
			prefix:  "crps-above",
			make:    newTailCRPS(true),
		},
		{
			Pattern: Pattern{"crps-belowX", "threshold-weighted CRPS: how good the predicted distribution is below X, in the target's unit", "crps-below0"},
			prefix:  "crps-below",
			make:    newTailCRPS(false),
		},
	}
}

// Patterns returns the measures that have a number P, a percentage, or X, a threshold, in their names. Lookup makes them
// for any number.
func Patterns() []Pattern {
	var patterns []Pattern
	for _, f := range families() {
		patterns = append(patterns, f.Pattern)
	}
	return patterns
}

// patternNames returns the names of the patterns, separated by commas.
func patternNames() string {
	var names []string
	for _, p := range Patterns() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
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

package measure

import (
	"fmt"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// Pattern describes the measures that differ in a number in their names.
type Pattern struct {
	Name    string // name with P for a percentage or X for a threshold, such as "coverageP"
	Summary string // what the measures compute
	Example string // name of one of the measures
}

// measureFamily makes measures that differ in a number, such as coverage70 of coverageP.
type measureFamily struct {
	Pattern
	make func(number float64) Measure
}

// families returns the families of measures. A name of one of them needs no registration.
func families() []measureFamily {
	return []measureFamily{
		{Pattern{"coverageP", "fraction of the targets inside the central P % interval", "coverage70"}, newCoverage},
		{Pattern{"widthP", "mean width of the central P % interval", "width70"}, newWidth},
		{Pattern{"interval-scoreP", "interval score (Winkler score) of the central P % interval", "interval-score70"}, newIntervalScore},
		{Pattern{"pinballP", "pinball loss (quantile loss) of the quantile at P %", "pinball2.5"}, newPinball},
		{Pattern{"crps-aboveX", "threshold-weighted CRPS: how good the predicted distribution is above X, in the target's unit", "crps-above30"}, newTailCRPS(true)},
		{Pattern{"crps-belowX", "threshold-weighted CRPS: how good the predicted distribution is below X, in the target's unit", "crps-below0"}, newTailCRPS(false)},
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
		prefix, isPercentage := strings.CutSuffix(f.Name, "P")
		prefix = strings.TrimSuffix(prefix, "X")
		digits, hasPrefix := strings.CutPrefix(name, prefix)
		number, err := strconv.ParseFloat(digits, 64)
		if !hasPrefix || err != nil || fmt.Sprint(number) != digits || !statistics.IsFinite(number) {
			continue
		}
		if !isPercentage || number > 0 && number < 100 {
			return f.make(number), true
		}
	}
	return Measure{}, false
}

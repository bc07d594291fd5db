package summary

import (
	"fmt"
	"math"

	"sml/data"
)

// outcome is a target as scores read it, in the rows of the sample. A target of numbers has one output, its
// standardised values. A target of classes has an output for each of its most frequent classes, which is 1 in the
// rows of the class and 0 in others.
type outcome struct {
	*Column
	outputs [][]float64 // [output][row]

	// isSmooth is true if rows that follow each other in the table have nearly the same target, such as
	// measurements over time. Columns that change slowly then come near the target together.
	isSmooth bool
}

// newOutcome returns the outcome of a target.
func newOutcome(target *Column) *outcome {
	const maxClasses = 10      // classes with an output
	const minSmoothness = 0.95 // correlation with the row before
	y := &outcome{Column: target}
	if target.Kind != data.Category {
		r, _ := lagCorrelation(target.values)
		y.isSmooth = r >= minSmoothness
		y.outputs = [][]float64{standardise(target.sample)}
		return y
	}
	for _, class := range frequentValues(target.sample, maxClasses, 1) {
		y.outputs = append(y.outputs, indicate(target.sample, func(v float64) bool { return v == class }))
	}
	return y
}

// isClass reports whether the target has classes.
func (y *outcome) isClass() bool { return y.Kind == data.Category }

const (
	// minLeakR2 is the minimum held-out R² of a column that gives the target away.
	minLeakR2 = 0.999

	// minTargetCorrelation is the minimum correlation of a column that is nearly the target.
	minTargetCorrelation = 0.999
)

// describeLikeness says how numbers of the sample follow the target: they nearly are the target, up to unit and
// offset, or nearly a monotone function of it. It returns "" if they do not.
func (y *outcome) describeLikeness(values []float64) string {
	const (
		minPresent  = 0.8  // of the rows
		minDistinct = 20   // values; few have the same order by chance
		maxRows     = 1000 // rows that are ranked
	)
	_, distinct := encode(values)
	_, distinctTargets := encode(y.sample)
	present := withoutMissing(values)
	r, _ := correlation(values, y.sample)
	switch {
	case float64(len(present)) < minPresent*float64(len(values)):
		return ""
	case math.Abs(r) >= minTargetCorrelation:
		return fmt.Sprintf("nearly the target %s: r = %.5g", y.Name, r)
	case distinct <= distinctTargets/2 || distinct < minDistinct:
		return "" // a coarse class of the target has its order, too, but does not give it away
	}
	rows := min(maxRows, len(values))
	r = rankCorrelation(values[:rows], y.sample[:rows])
	if math.Abs(r) >= minTargetCorrelation {
		return fmt.Sprintf("nearly a function of the target %s: the correlation of their ranks is %.5g", y.Name, r)
	}
	return ""
}

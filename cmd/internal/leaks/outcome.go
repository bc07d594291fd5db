package leaks

import (
	"math"
	"slices"

	"sml/data"
)

// outcome is the target in the rows of a sample. A target of numbers has one output, its standardised
// values. A target of classes has an output for each of its most frequent classes, which is 1 in the rows of
// the class and 0 in others.
type outcome struct {
	name     string
	values   []float64 // the target's values
	isClass  bool      // whether the values are categories
	distinct int       // number of different values

	// isSmooth is true if rows that follow each other in the table have nearly the same target, such as
	// measurements over time. Every column that changes slowly then seems to determine the target.
	isSmooth bool

	outputs [][]float64 // [output][row]
}

// maxClasses is the maximum number of classes with an output.
const maxClasses = 10

// newOutcome returns the outcome with the values of the target in a sample.
func newOutcome(target Column, s *sample) *outcome {
	y := &outcome{
		name:    target.Name,
		values:  s.take(target.Values),
		isClass: target.Field.Kind == data.Category,
	}
	_, y.distinct = encode(y.values)
	if y.isClass {
		for _, class := range frequentValues(y.values, maxClasses, 1) {
			y.outputs = append(y.outputs, indicate(y.values, class))
		}
		return y
	}
	const minSmoothR2 = 0.95 // minimum R² of predictions from the rows before and after
	y.outputs = [][]float64{standardise(y.values)}
	y.isSmooth = interpolate(s.positions(), y.outputs[0]) >= minSmoothR2
	return y
}

// frequentValues returns the most frequent values, at most maxCount, the most frequent first. Values in
// fewer than minRows rows are left out, and so are missing values.
func frequentValues(values []float64, maxCount, minRows int) []float64 {
	rows := make(map[float64]int)
	for _, v := range values {
		if !math.IsNaN(v) {
			rows[v]++
		}
	}
	var frequent []float64
	for v, n := range rows {
		if n >= minRows {
			frequent = append(frequent, v)
		}
	}
	slices.Sort(frequent)
	slices.SortStableFunc(frequent, func(a, b float64) int { return rows[b] - rows[a] })
	return frequent[:min(maxCount, len(frequent))]
}

// indicate returns 1 in the rows with a value, and 0 in others.
func indicate(values []float64, value float64) []float64 {
	indicators := make([]float64, len(values))
	for i, v := range values {
		if v == value {
			indicators[i] = 1
		}
	}
	return indicators
}

package summary

import (
	"fmt"
	"math"

	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// hasManyNumbers reports whether rules look at the values of a target: numbers in enough rows, as in fewer rows few
// values or a skewness are often chance.
func (c *Column) hasManyNumbers() bool {
	const minRows = 30
	return len(c.sorted) >= minRows && c.Distinct >= 2 && c.Kind != data.Category
}

// describeSpike says that a target has one value in many rows. It returns "" if it has none.
func describeSpike(_ *inspection, y *Column) string {
	spike, isFound := FindSpike(y.sorted)
	if !isFound || !y.hasManyNumbers() {
		return ""
	}
	return fmt.Sprintf("the target is exactly %s", spike)
}

// describeManyClasses says that a target of texts has hardly two rows for each different text. It returns "" if not so.
func describeManyClasses(_ *inspection, y *Column) string {
	const minRowsPerClass = 2 // mean number of rows with the same text
	if y.Kind != data.Category || len(y.sorted) >= minRowsPerClass*y.Distinct {
		return ""
	}
	return fmt.Sprintf("the target has %d different texts in %d rows, such as %s", y.Distinct, len(y.sorted), y.Show(y.sorted[0]))
}

// hasFewValues reports whether a target of numbers may be one of classes.
func (c *Column) hasFewValues() bool {
	const (
		maxClasses      = 20 // a target with more different values is hardly one of classes
		minRowsPerClass = 5  // mean number of rows with the same value
	)
	return c.Distinct <= maxClasses && c.Distinct < len(c.sorted)/minRowsPerClass && c.isWhole()
}

// describeFewValues says that a target of numbers may be one of classes. It returns "" if not so.
func describeFewValues(_ *inspection, y *Column) string {
	if !y.hasManyNumbers() || !y.hasFewValues() {
		return ""
	}
	return fmt.Sprintf("the target has %d different values, all whole numbers", y.Distinct)
}

// describeSkewness says that a target has a long tail that a transform makes less skewed. It returns "" if it has none.
func describeSkewness(_ *inspection, y *Column) string {
	const minSkewness = 1
	if !y.hasManyNumbers() || y.hasFewValues() || math.Abs(y.Skewness) < minSkewness {
		return ""
	}
	transform, skewnessAfter := y.bestTransform()
	if transform == "" {
		return ""
	}
	return fmt.Sprintf("the target has a long tail: its skewness is %.2g, and %.2g after %s", y.Skewness, skewnessAfter, transform)
}

// transformFlag returns the flag for the transform after which a target is least skewed.
func transformFlag(y *Column) Flag {
	transform, _ := y.bestTransform()
	return Flag{"transform", transform}
}

// bestTransform returns the transform after which the column is least skewed, and the magnitude of its
// skewness then. A transform must at least halve the skewness. If none does, the choice is
// quantile-normal, which maps any ranks to a normal distribution, or "" if few different values leave
// its ranks with large steps.
func (c *Column) bestTransform() (transform string, skewnessAfter float64) {
	const belowZero = -math.SmallestNonzeroFloat64 // the largest number below 0: 0 itself is allowed
	skewnessAfter = math.Abs(c.Skewness) / 2       // so far the bound for every candidate, then the best one's
	candidates := []struct {
		name       string
		lowerBound float64 // exclusive bound of the values that it is defined for
		apply      func(float64) float64
	}{
		{name: "log", lowerBound: 0, apply: portable.Log},
		{name: "log1p", lowerBound: belowZero, apply: portable.Log1p},
		{name: "sqrt", lowerBound: belowZero, apply: math.Sqrt},
	}
	for _, candidate := range candidates {
		if c.Min <= candidate.lowerBound {
			continue
		}
		transformed := make([]float64, len(c.sorted))
		for i, v := range c.sorted {
			transformed[i] = candidate.apply(v)
		}
		mean, std := meanStd(transformed)
		magnitude := math.Abs(statistics.Skewness(transformed, mean, std))
		if magnitude < skewnessAfter {
			transform = candidate.name
			skewnessAfter = magnitude
		}
	}
	const minDistinct = 50 // values, for ranks with small steps
	if transform == "" && c.Distinct >= minDistinct {
		return "quantile-normal", 0
	}
	return transform, skewnessAfter
}

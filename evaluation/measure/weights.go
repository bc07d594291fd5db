package measure

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"sml/internal/statistics"
)

// checkWeights returns an error unless there is one weight per row, if there are any, all are
// finite and not negative, and at least one is above 0.
func (c *Column) checkWeights() error {
	if c.Weights == nil {
		return nil
	}
	if len(c.Weights) != len(c.Y) {
		return fmt.Errorf("there are %d weights and %d targets; want one of each per row", len(c.Weights), len(c.Y))
	}
	sum := 0.0
	for row, w := range c.Weights {
		if !statistics.IsFinite(w) || w < 0 {
			return fmt.Errorf("row %d: weight is %v; want a finite number, zero or more", row, w)
		}
		sum += w
	}
	if sum == 0 || !statistics.IsFinite(sum) {
		return fmt.Errorf("the sum of all weights is %v; want a finite number above zero", sum)
	}
	return nil
}

// scaledWeights returns the weights scaled to a mean of 1, or nil if all rows count the same. It
// computes them at the first call.
func (c *Column) scaledWeights() []float64 {
	if c.weights != nil || c.Weights == nil {
		return c.weights
	}
	sum := 0.0
	for _, w := range c.Weights {
		sum += w
	}
	c.weights = make([]float64, len(c.Weights))
	for i, w := range c.Weights {
		c.weights[i] = w / sum * float64(len(c.Weights))
	}
	return c.weights
}

// Average returns the weighted mean over the rows of value(row). It does not call value for rows with a
// weight of 0, so that their values may be infinite or NaN.
func (c *Column) Average(value func(row int) float64) float64 {
	weights := c.scaledWeights()
	sum := 0.0
	for row := range c.Y {
		switch {
		case weights == nil:
			sum += value(row)
		case weights[row] > 0:
			sum += float64(weights[row] * value(row))
		}
	}
	return sum / float64(len(c.Y))
}

// countWeighted returns the number of rows with a weight above 0.
func (c *Column) countWeighted() int {
	count := len(c.Y)
	for _, weight := range c.Weights {
		if weight == 0 {
			count--
		}
	}
	return count
}

// sortWithWeights returns the values in ascending order and their weights in the same order. It
// leaves out values with a weight of 0. If weights is nil, it sorts the given slice and returns nil
// weights.
func sortWithWeights(values, weights []float64) (sortedValues, sortedWeights []float64) {
	if weights == nil {
		slices.Sort(values)
		return values, nil
	}
	for ties := range tiedRows(values, weights) {
		for _, i := range ties {
			sortedValues = append(sortedValues, values[i])
			sortedWeights = append(sortedWeights, weights[i])
		}
	}
	return sortedValues, sortedWeights
}

// step is the step of a weighted empirical distribution function at one row. Its ends are also kept as
// distances from 1, since 1 − q loses precision where q is close to 1.
type step struct {
	below, above   float64 // value of the function before and after the step
	fromTop, toTop float64 // 1 minus the value after the step, and 1 minus the value before it
}

// cumulativeSteps returns the step of the empirical distribution function at each row. weights has the
// weights of the rows in ascending order of their values.
func cumulativeSteps(weights []float64) []step {
	steps := make([]step, len(weights))
	sum := 0.0
	for i, w := range weights {
		steps[i].below = sum
		sum += w
		steps[i].above = sum
	}
	sumFromTop := 0.0
	for i := len(weights) - 1; i >= 0; i-- {
		steps[i].fromTop = sumFromTop
		sumFromTop += weights[i]
		steps[i].toTop = sumFromTop
	}
	for i := range steps {
		steps[i].below /= sum
		steps[i].above /= sum
		steps[i].fromTop /= sumFromTop
		steps[i].toTop /= sumFromTop
	}
	return steps
}

// tiedRows returns an iterator over the rows with a weight above 0, by ascending key: each element has all rows with
// the same key.
func tiedRows(keys, weights []float64) iter.Seq[[]int] {
	var order []int
	for row := range keys {
		if weights == nil || weights[row] > 0 {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	return func(yield func([]int) bool) {
		for start := 0; start < len(order); {
			end := start + 1
			for end < len(order) && keys[order[end]] == keys[order[start]] {
				end++
			}
			if !yield(order[start:end]) {
				return
			}
			start = end
		}
	}
}

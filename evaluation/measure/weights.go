package measure

import (
	"cmp"
	"fmt"
	"slices"

	"sml/internal/statistics"
)

func (c *Column) checkWeights() error {
	if c.Weights == nil {
		return nil
	}
	if len(c.Weights) != len(c.Y) {
		return fmt.Errorf("%d weights and %d targets; want one of each per row", len(c.Weights), len(c.Y))
	}
	sum := 0.0
	for row, w := range c.Weights {
		if !statistics.Finite(w) || w < 0 {
			return fmt.Errorf("row %d: weight is %v; want a finite number, zero or more", row, w)
		}
		sum += w
	}
	if sum == 0 || !statistics.Finite(sum) {
		return fmt.Errorf("the sum of all weights is %v; want a finite number above zero", sum)
	}
	return nil
}

// scaled are the weights, with a mean of 1; nil if all rows count alike.
func (c *Column) scaled() []float64 {
	if c.weights == nil && c.Weights != nil {
		sum := 0.0
		for _, w := range c.Weights {
			sum += w
		}
		c.weights = make([]float64, len(c.Weights))
		for i, w := range c.Weights {
			c.weights[i] = w / sum * float64(len(c.Weights))
		}
	}
	return c.weights
}

// Average is the mean over the rows, by their weights, of what of says of each. Rows
// with a weight of 0 are not asked for.
func (c *Column) Average(of func(row int) float64) float64 {
	weights, sum := c.scaled(), 0.0
	for row := range c.Y {
		switch {
		case weights == nil:
			sum += of(row)
		case weights[row] > 0:
			sum += float64(weights[row] * of(row))
		}
	}
	return sum / float64(len(c.Y))
}

// counted is how many rows have a weight above 0.
func (c *Column) counted() int {
	n := len(c.Y)
	for _, w := range c.Weights {
		if w == 0 {
			n--
		}
	}
	return n
}

// sortedBoth are values in ascending order with their weights, without those of
// weight 0.
func sortedBoth(values, weights []float64) (v, w []float64) {
	var order []int
	for i := range values {
		if weights[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for _, i := range order {
		v, w = append(v, values[i]), append(w, weights[i])
	}
	return v, w
}

// step is what a row takes of the weighted distribution function: from below to above,
// counted from 0, and from fromTop to toTop, counted from 1 downwards.
type step struct{ below, above, fromTop, toTop float64 }

// cumulated are the steps of rows with these weights, in their order.
func cumulated(weights []float64) []step {
	steps := make([]step, len(weights))
	sum := 0.0
	for i, w := range weights {
		steps[i].below = sum
		sum += w
		steps[i].above = sum
	}
	top := 0.0
	for i := len(weights) - 1; i >= 0; i-- {
		steps[i].fromTop = top
		top += weights[i]
		steps[i].toTop = top
	}
	for i := range steps {
		s := &steps[i]
		s.below, s.above, s.fromTop, s.toTop = s.below/sum, s.above/sum, s.fromTop/top, s.toTop/top
	}
	return steps
}

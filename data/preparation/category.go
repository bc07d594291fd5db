package preparation

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// maxLevels is how many levels of a column have features of their own, and fewest how
// many training rows each of them has at least.
const (
	maxLevels = 32
	fewest    = 2
)

// fitLevels finds the levels that have features: the most frequent, or those that
// are in order.
func (c *Column) fitLevels(v values, o Options) error {
	if i := slices.IndexFunc(o.Ordinal, func(order Order) bool { return order.Column == c.Name }); i >= 0 {
		return c.order(o.Ordinal[i].Levels)
	}
	count := make([]int, len(c.Levels))
	for _, x := range v.of {
		count[int(x)]++
	}
	kept := make([]int, 0, len(count))
	for i, n := range count {
		if n >= fewest {
			kept = append(kept, i)
		}
	}
	slices.SortStableFunc(kept, func(a, b int) int { return count[b] - count[a] })
	kept = kept[:min(len(kept), maxLevels)]
	slices.Sort(kept)
	c.Other = len(v.of)
	levels := make([]string, 0, len(kept))
	for _, i := range kept {
		levels = append(levels, c.Levels[i])
		c.Other -= count[i]
	}
	c.Levels = levels
	if len(levels) == 0 {
		c.Dropped, c.Indicator = "of levels that stand in one training row each", false
	}
	return nil
}

// order sets levels in their order: it must have all that the column has.
func (c *Column) order(levels []string) error {
	var lacking []string
	for _, l := range c.Levels {
		if !slices.Contains(levels, l) {
			lacking = append(lacking, l)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("column %q: the order of its levels lacks %s", c.Name, strings.Join(lacking, ", "))
	}
	c.Levels, c.Ordered = levels, true
	return nil
}

// translation gives each level of a field its place among the column's, or
// data.Unseen.
func (c *Column) translation(f data.Field) []float64 {
	at := make([]float64, len(f.Levels))
	for i, l := range f.Levels {
		at[i] = float64(slices.Index(c.Levels, l)) // −1 is data.Unseen
	}
	return at
}

// appendLevel appends the features of a level, its place among the column's. Half
// way stands for a level without a place in an order.
func (c *Column) appendLevel(dst []float64, place int, missing bool) []float64 {
	if c.Ordered {
		if place < 0 {
			return append(dst, float64(len(c.Levels)-1)/2)
		}
		return append(dst, float64(place))
	}
	for i := range c.Levels {
		dst = append(dst, indicator(i == place))
	}
	if c.Other > 0 {
		dst = append(dst, indicator(place < 0 && !missing))
	}
	return dst
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

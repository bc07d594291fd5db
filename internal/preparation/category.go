package preparation

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// maxLevels is how many levels of a column have features of their own at most, and
// fewest how many training rows each of them has at least.
const (
	maxLevels = 32
	fewest    = 2

	maxIndicators = 2000 // of all texts together
)

// levelCounts are the levels of a column that can have features.
type levelCounts struct {
	*Column
	levels []string // of the column
	count  []int    // of training rows, of each level
	often  []int    // places of levels that stand in enough rows, the most frequent first
}

// countLevels finds the levels that can have features; nil where they are in order.
func (c *Column) countLevels(v values, o Options) (*levelCounts, error) {
	if i := slices.IndexFunc(o.Ordinal, func(order Order) bool { return order.Column == c.Name }); i >= 0 {
		return nil, c.order(o.Ordinal[i].Levels)
	}
	l := &levelCounts{c, c.Levels, make([]int, len(c.Levels)), nil}
	for _, x := range v.of {
		l.count[int(x)]++
	}
	for i, n := range l.count {
		if n >= fewest {
			l.often = append(l.often, i)
		}
	}
	slices.SortStableFunc(l.often, func(a, b int) int { return l.count[b] - l.count[a] })
	return l, nil
}

// keepLevels gives the most frequent levels of texts features: at most maxLevels of
// each, and fewer where all together would be more than maxIndicators. Then it
// returns how many.
func keepLevels(texts []*levelCounts) (most int) {
	for most = maxLevels; most > 1; most-- {
		all := 0
		for _, l := range texts {
			all += min(len(l.often), most) + 1
		}
		if all <= maxIndicators {
			break
		}
	}
	for _, l := range texts {
		l.keep(most)
	}
	if most == maxLevels {
		return 0
	}
	return most
}

func (l *levelCounts) keep(most int) {
	kept := slices.Sorted(slices.Values(l.often[:min(len(l.often), most)]))
	l.Levels, l.Other = make([]string, 0, len(kept)), 0
	for _, n := range l.count {
		l.Other += n
	}
	for _, i := range kept {
		l.Levels = append(l.Levels, l.levels[i])
		l.Other -= l.count[i]
	}
	if len(l.Levels) == 0 {
		l.Dropped, l.Indicator = "of levels that stand in one training row each", false
	}
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

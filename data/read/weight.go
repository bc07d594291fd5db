package read

import (
	"fmt"
	"slices"

	"sml/data"
)

// targetGroup is the place of the targets in Table.groups.
const targetGroup = 1

// weightGroup is the place of the weights in Table.groups.
const weightGroup = 3

// byGroup is that of the column that rows are split by.
const byGroup = 4

// checkWeight is an error for a weight, one or none, that is negative.
func (c *choice) checkWeight(weight []float64) error {
	for _, v := range weight {
		if v < 0 {
			return fmt.Errorf("column %s: the weight is %v; a row counts 0 or more", label(c.names, c.weight[0]), v)
		}
	}
	return nil
}

// checkWeights is an error for a table in which no row counts.
func (s *Stream) checkWeights(t *data.Table) error {
	if t.Weight == "" || slices.ContainsFunc(t.W, func(v float64) bool { return v > 0 }) {
		return nil
	}
	return fmt.Errorf("%s: column %s: all %d weights are 0, and no row would count", s.rec.at().file, label(s.choice.names, s.choice.weight[0]), len(t.W))
}

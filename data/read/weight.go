package read

import (
	"fmt"
	"slices"

	"sml/data"
)

// Indices of groups in Table.Groups. Index 2 is the group of extra columns.
const (
	inputGroup  = 0
	targetGroup = 1
	weightGroup = 3
	splitGroup  = 4 // the column that rows are split by
)

// checkWeight returns an error if the weight of a row is negative. weights has the weight of the row,
// or nothing if the table has no weights.
func (c *columnChoice) checkWeight(weights []float64) error {
	for _, v := range weights {
		if v < 0 {
			return fmt.Errorf("column %s: the weight is %v; want 0 or more", columnLabel(c.names, c.weight[0]), v)
		}
	}
	return nil
}

// checkWeights returns an error if the table has weights and all of them are 0.
func (s *Stream) checkWeights(t *data.Table) error {
	if t.Weight == "" || slices.ContainsFunc(t.W, func(v float64) bool { return v > 0 }) {
		return nil
	}
	return fmt.Errorf("%s: column %s: all %d weights are 0, and no row would count", s.reader.position().file, columnLabel(s.columns.names, s.columns.weight[0]), len(t.W))
}

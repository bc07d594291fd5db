package read

import (
	"fmt"
	"slices"

	"sml/data"
)

// Indices of groups in Table.Groups.
const (
	inputGroup  = 0
	targetGroup = 1
	weightGroup = 3
	byGroup     = 4 // the column that rows are split by
)

// checkWeight returns an error if the weight is negative. The slice has the weight of a row, or
// nothing if the table has no weights.
func (c *columnChoice) checkWeight(weight []float64) error {
	for _, v := range weight {
		if v < 0 {
			return fmt.Errorf("column %s: the weight is %v; a row counts 0 or more", columnLabel(c.names, c.weight[0]), v)
		}
	}
	return nil
}

// checkWeights returns an error if all weights of the table are 0.
func (s *Stream) checkWeights(t *data.Table) error {
	if t.Weight == "" || slices.ContainsFunc(t.W, func(v float64) bool { return v > 0 }) {
		return nil
	}
	return fmt.Errorf("%s: column %s: all %d weights are 0, and no row would count", s.reader.position().file, columnLabel(s.columns.names, s.columns.weight[0]), len(t.W))
}

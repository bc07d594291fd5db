package models

import (
	"fmt"

	"sml/graph"
)

// Levels returns the levels of the quantiles that the method predicts with the
// spec's hyperparameters, nil if it predicts none. It is an error if they do not
// ascend between 0 and 1.
func (s Spec) Levels() (levels []float64, err error) {
	m, err := Lookup(s.Method)
	if err != nil || m.Levels == nil {
		return nil, err
	}
	defer graph.Recover(&err, "the levels of method "+m.Name)
	levels = m.Levels(s.Hyperparameters)
	if len(levels) == 0 {
		return nil, fmt.Errorf("the levels of method %s are none; want one for each quantile, or no Levels%s", m.Name, declaredAt(m.Levels))
	}
	below := 0.0
	for _, level := range levels {
		if !(level > below && level < 1) {
			return nil, fmt.Errorf("the levels of method %s are %v; want them above 0, below 1 and ascending%s", m.Name, levels, declaredAt(m.Levels))
		}
		below = level
	}
	return levels, nil
}

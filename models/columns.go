package models

import (
	"strings"

	"sml/graph"
)

// Columns returns the names of the further columns of the table that the objective reads (Task.Column).
// It builds the objective, on two rows, and looks at the inputs of its graph.
func (s Spec) Columns() ([]string, error) {
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := s.Loss(b, 2); err != nil {
		return nil, err
	}
	var names []string
	for _, input := range graph.Inspect(b).Inputs() {
		name, isColumn := strings.CutPrefix(input, columnPrefix)
		if isColumn {
			names = append(names, name)
		}
	}
	return names, nil
}

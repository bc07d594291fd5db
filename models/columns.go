package models

import (
	"strings"

	"sml/graph"
)

// Columns names the further columns of the table that the objective looks at
// (Task.Column).
func (s Spec) Columns() ([]string, error) {
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := s.Loss(b, 2); err != nil {
		return nil, err
	}
	var names []string
	for _, input := range graph.Inspect(b).Inputs() {
		if name, ok := strings.CutPrefix(input, columnPrefix); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

package models

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// FindParameter returns the present values of the parameter or buffer with the given name, of the network or of the
// objective, in float32. The matrix shares memory with params. If params has no such parameter, the error lists the names
// of all.
func FindParameter(params *graph.Params, name string) (Matrix, error) {
	var names []string
	for i, p := range params.List() {
		if p.Name == name {
			return Matrix{matrixShape{p.Name, p.Rows, p.Columns}, graph.ParamValues(params, params.Float32s(), i)}, nil
		}
		names = append(names, p.Name)
	}
	return Matrix{}, fmt.Errorf("neither the network nor the objective has a parameter %q; want one of %s", name, strings.Join(names, ", "))
}

// Parameter returns the trained values of a parameter or buffer, by the name that the network or the objective gave it
// (graph.Builder.Param), with the prefix of its scope. It returns an error if there is none of that name.
func (n *TrainedNetwork) Parameter(name string) (Matrix, error) {
	m, err := FindParameter(n.options.Params, name)
	m.Values = slices.Clone(m.Values)
	return m, err
}

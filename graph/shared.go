package graph

import (
	"slices"

	"sml/internal/ops"
)

// SharedParameters returns the names of the parameters that several layers of a network
// share, as the steps of a recurrent network do: parameters that y multiplies with more
// than one matrix computed from x. Buffers are left out.
func (i *Inspection) SharedParameters(y, x *Node) []string {
	var shared []string
	layers := i.layersOf(y, x)
	for _, p := range i.b.params.list {
		if !p.Buffer && len(layers[p.Name]) > 1 {
			shared = append(shared, p.Name)
		}
	}
	return shared
}

// layersOf returns the matrices computed from x that y multiplies with each parameter. The
// parameter may be transformed first, as by a normalisation.
func (i *Inspection) layersOf(y, x *Node) map[string]map[*Node]bool {
	isData := make(map[*Node]bool)     // whether a node depends on x
	behind := make(map[*Node][]string) // parameters that a node is computed from, without x
	layers := make(map[string]map[*Node]bool)
	for _, n := range dependencies(y) {
		operands := Operands(n)
		isData[n] = n == x || slices.ContainsFunc(operands, func(o *Node) bool { return isData[o] })
		if !isData[n] {
			behind[n] = i.parametersBehind(n, operands, behind)
			continue
		}
		if ops.Of(n).Kind != ops.Product || len(operands) != 2 {
			continue
		}
		for at, weights := range operands {
			for _, name := range behind[weights] {
				if layers[name] == nil {
					layers[name] = make(map[*Node]bool)
				}
				layers[name][operands[1-at]] = true
			}
		}
	}
	return layers
}

// parametersBehind returns the names of the parameters behind n, given the names behind
// its operands.
func (i *Inspection) parametersBehind(n *Node, operands Nodes, behind map[*Node][]string) []string {
	if role, name := i.Role(n); role == Parameter {
		return []string{name}
	}
	var names []string
	for _, o := range operands {
		names = append(names, behind[o]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

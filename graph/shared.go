package graph

import (
	"slices"

	"sml/internal/ops"
)

// SharedParameters returns the names of the parameters that several layers of a network share, such
// as the steps of a recurrent network. x is the input of the network and y its output: a parameter is
// shared if y multiplies it with more than one matrix that depends on x. Buffers are left out.
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

// layersOf returns, for each parameter by name, the matrices that depend on x and that y multiplies
// with the parameter. The parameter may be transformed first, as by a normalisation.
func (i *Inspection) layersOf(y, x *Node) map[string]map[*Node]bool {
	dependsOnX := make(map[*Node]bool)
	parameters := make(map[*Node][]string) // names of the parameters behind each node that does not depend on x
	layers := make(map[string]map[*Node]bool)
	for _, n := range dependencies(y) { // operands first, so that the maps have them
		operands := Operands(n)
		dependsOnX[n] = n == x || slices.ContainsFunc(operands, func(o *Node) bool { return dependsOnX[o] })
		if !dependsOnX[n] {
			parameters[n] = i.parametersBehind(n, operands, parameters)
			continue
		}
		if ops.OperationOf(n).Kind == ops.KindProduct && len(operands) == 2 {
			left, right := operands[0], operands[1]
			addLayer(layers, parameters[left], right)
			addLayer(layers, parameters[right], left)
		}
	}
	return layers
}

// addLayer adds a matrix to the matrices of each named parameter in layers.
func addLayer(layers map[string]map[*Node]bool, parameters []string, matrix *Node) {
	for _, name := range parameters {
		if layers[name] == nil {
			layers[name] = make(map[*Node]bool)
		}
		layers[name][matrix] = true
	}
}

// parametersBehind returns the names of the parameters from which n is computed, ascending.
// parameters has the names for its operands.
func (i *Inspection) parametersBehind(n *Node, operands Nodes, parameters map[*Node][]string) []string {
	if role, name := i.Role(n); role == Parameter {
		return []string{name}
	}
	var names []string
	for _, o := range operands {
		names = append(names, parameters[o]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

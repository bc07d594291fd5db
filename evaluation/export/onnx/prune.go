package onnx

import "slices"

// prune removes operations and constants that no output needs.
func (f *File) prune() {
	used := make(map[string]bool)
	f.Graph.prune(used)
	f.tensors = slices.DeleteFunc(f.tensors, func(t tensor) bool { return !used[t.name] })
}

// prune removes operations that no output needs, and adds the names of all values that the graph uses
// to used. It goes through the operations from the last to the first, so that all users of a value have
// been seen before the operation that computes it.
func (g *Graph) prune(used map[string]bool) {
	for _, out := range g.outputs {
		used[out.Name] = true
	}
	var kept []node // in reverse order
	for _, n := range slices.Backward(g.nodes) {
		if !slices.ContainsFunc(n.out, func(name string) bool { return used[name] }) {
			continue
		}
		kept = append(kept, n)
		for _, name := range n.in {
			used[name] = true
		}
		for _, a := range n.attributes {
			if body, isLoop := a.value.(*Graph); isLoop { // it can use values of the graph around it
				body.prune(used)
			}
		}
	}
	slices.Reverse(kept)
	g.nodes = kept
}

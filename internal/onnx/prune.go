package onnx

import "slices"

// prune removes operations and constants that no output needs.
func (f *File) prune() {
	used := f.Graph.prune(make(map[string]bool))
	f.numbers = slices.DeleteFunc(f.numbers, func(t tensor) bool { return !used[t.name] })
}

// prune removes operations that no output needs, and adds all names that the graph uses to used.
func (g *Graph) prune(used map[string]bool) map[string]bool {
	for _, out := range g.outputs {
		used[out.Name] = true
	}
	var kept []node
	for _, n := range slices.Backward(g.nodes) {
		if !slices.ContainsFunc(n.out, func(name string) bool { return used[name] }) {
			continue
		}
		kept = append(kept, n)
		for _, name := range n.in {
			used[name] = true
		}
		for _, a := range n.attributes {
			if body, ok := a.value.(*Graph); ok {
				body.prune(used)
			}
		}
	}
	slices.Reverse(kept)
	g.nodes = kept
	return used
}

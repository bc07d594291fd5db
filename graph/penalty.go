package graph

// Penalty is what a network says of its own weights, or of a pass: a scalar by a
// name, such as a divergence from a prior.
type Penalty struct {
	Name  string // with the prefix of its scope
	Value *Node
}

// Penalty notes a scalar of that name, which an objective may add to its loss (in
// models, Task.Penalty). A network says it of each of its layers.
func (b *Builder) Penalty(name string, value *Node) {
	if b.err == nil && (value == nil || !value.IsScalar()) {
		b.fail("Penalty", Nodes{value}, "%q is not a scalar, such as a Sum", name)
		return
	}
	b.penalties = append(b.penalties, Penalty{b.scope.prefix + name, value})
}

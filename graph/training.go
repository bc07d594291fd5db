package graph

import "fmt"

// Training tells whether this graph is that of a training's step. A prediction's is
// not, nor is that of the loss of validation rows where there are buffers: layers that
// look at the whole batch use their buffers there.
func (b *Builder) Training() bool { return b.training && b.scope.from == nil }

// update is what a buffer becomes after a step.
type update struct {
	name  string
	value *Node // without gradient
}

// Buffer returns numbers that are saved with the model and that no optimizer moves,
// [rows, columns], such as running means: they are what Update makes of them. No
// gradient flows into them.
func (b *Builder) Buffer(name string, rows, columns int, init Init) *Node {
	for i := len(b.updates) - 1; i >= 0; i-- {
		if u := b.updates[i]; u.name == b.scope.prefix+name && b.scope.from == nil {
			return u.value
		}
	}
	frozen := b.scope.frozen
	b.scope.frozen = true
	defer func() { b.scope.frozen = frozen }()
	return b.Param(name, rows, columns, init)
}

// Update says what the buffer of that name becomes after this step of a training. In
// other graphs it does nothing. A later Buffer of the name is value: two passes in a
// step update it twice.
func (b *Builder) Update(name string, value *Node) {
	if !b.Training() || b.err != nil {
		return
	}
	for _, p := range b.params.list {
		if p.Name != b.scope.prefix+name {
			continue
		}
		if !p.Buffer {
			b.fail("Update", Nodes{value}, "%q is a parameter: only what Buffer returns is updated", name)
		} else if value == nil || !value.IsMatrix() || value.Shape()[0] != p.Rows || value.Shape()[1] != p.Columns {
			b.fail("Update", Nodes{value}, "buffer %q is [%d %d]", name, p.Rows, p.Columns)
		} else {
			b.updates = append(b.updates, update{p.Name, b.StopGradient(value)})
		}
		return
	}
	b.Fail(fmt.Errorf("Update: there is no buffer %q", name))
}

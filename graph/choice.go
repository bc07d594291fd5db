package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// Comparisons return 1 where they hold and 0 elsewhere, also where an operand is
// NaN. Shapes are as in Add. No gradient flows.

// Greater returns 1 where x > y, else 0.
func (b *Builder) Greater(x, y *Node) *Node { return b.compare("Greater", gorgonia.Gt, x, y) }

// GreaterEqual returns 1 where x ≥ y, else 0.
func (b *Builder) GreaterEqual(x, y *Node) *Node {
	return b.compare("GreaterEqual", gorgonia.Gte, x, y)
}

// Less returns 1 where x < y, else 0.
func (b *Builder) Less(x, y *Node) *Node { return b.compare("Less", gorgonia.Lt, x, y) }

// LessEqual returns 1 where x ≤ y, else 0.
func (b *Builder) LessEqual(x, y *Node) *Node { return b.compare("LessEqual", gorgonia.Lte, x, y) }

// Equal returns 1 where x = y, else 0.
func (b *Builder) Equal(x, y *Node) *Node { return b.compare("Equal", gorgonia.Eq, x, y) }

func (b *Builder) compare(name string, op func(x, y *Node, retSame bool) (*Node, error), x, y *Node) *Node {
	return b.binary(name, func(x, y *Node) (*Node, error) { return op(x, y, true) }, x, y)
}

// Where returns x where condition > 0, and y elsewhere, also where the condition is
// NaN. Shapes are as in Add. Neither value nor gradient has anything of the side
// that is not chosen, be it infinite or NaN; none flows to the condition. What flows
// to that side is 0, and 0 times an infinite slope further back is NaN, as in PyTorch:
// keep its operand in range, as in Where(x, Log(ClampMin(x, 1e-30)), y).
func (b *Builder) Where(condition, x, y *Node) *Node {
	yes := b.compare("Where", gorgonia.Gt, condition, b.Const(0))
	no := b.compare("Where", gorgonia.Eq, yes, b.Const(0))
	gate := func(x, y *Node) (*Node, error) { return ops.Apply("gate", 0, x, y) }
	return b.binary("Where", gorgonia.Add, b.binary("Where", gate, x, yes), b.binary("Where", gate, y, no))
}

// Min returns the smaller of x and y elementwise, NaN where either is. The gradient
// flows to the smaller, and half of it to each where they are equal; where either is
// NaN, to none. Shapes are as in Add.
func (b *Builder) Min(x, y *Node) *Node {
	return b.binary("Min", func(x, y *Node) (*Node, error) { return ops.Apply("min", 0, x, y) }, x, y)
}

// ClampMax returns x where x < ceiling, for a constant ceiling, and the ceiling
// elsewhere, also for infinite x; but where x is NaN it stays NaN. Where x is not
// below the ceiling, or NaN, the gradient is 0, whatever comes back.
func (b *Builder) ClampMax(x *Node, ceiling float64) *Node {
	return b.apply("ClampMax", Nodes{x}, func() (*Node, error) {
		if err := b.holds(ceiling); err != nil {
			return nil, err
		}
		return ops.Apply("clamp max", ceiling, x)
	})
}

// Clip returns x where low < x < high, and the bound elsewhere: ClampMin and
// ClampMax. The gradient at and beyond the bounds is 0.
func (b *Builder) Clip(x *Node, low, high float64) *Node {
	if low > high {
		b.Fail(fmt.Errorf("Clip(%s): the lower bound %v is above the upper bound %v", shapeOf(x), low, high))
	}
	return b.ClampMax(b.ClampMin(x, low), high)
}

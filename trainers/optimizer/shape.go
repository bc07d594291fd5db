package optimizer

// Shape is the place and the shape of a parameter among the weights of a State or a Link. A layer's
// weight has a row for each input and a column for each unit; its bias has one row.
type Shape struct {
	From          int // index of the parameter's first weight
	Rows, Columns int // the parameter has Rows × Columns weights, row by row
}

// Shaper is a State, or a Link, that treats each parameter separately, as a rule with a learning rate for
// each layer does. Shapes is called once, before Slots, with all parameters except buffers.
type Shaper interface{ Shapes(shapes []Shape) }

// tellShapes calls the method Shapes of x, a State or a Link, with the parameters of groups if x is a
// Shaper. x sees the weights from index first on, so first is subtracted from the place of each
// parameter. A group without parameters counts as a parameter with one row.
func tellShapes(x any, first int, groups ...Group) {
	shaper, ok := x.(Shaper)
	if !ok {
		return
	}
	var shapes []Shape
	for _, g := range groups {
		if len(g.Shapes) == 0 {
			g.Shapes = []Shape{{From: g.From, Rows: 1, Columns: g.To - g.From}}
		}
		for _, p := range g.Shapes {
			p.From -= first
			shapes = append(shapes, p)
		}
	}
	shaper.Shapes(shapes)
}

package optimizer

// Shape is the place and the shape of a parameter among the weights of a State or a
// GradientTransform. A layer's weight matrix has a row for each input and a column for each unit;
// its bias has one row.
type Shape struct {
	From    int // index of the parameter's first weight
	Rows    int
	Columns int // the weights are stored row by row: there are Rows × Columns
}

// Shaper is a State, or a GradientTransform, that treats each parameter separately, as a rule with a
// learning rate for each layer does. SetShapes is called once, before Slots, with all parameters
// except buffers.
type Shaper interface{ SetShapes(shapes []Shape) }

// setShapes calls SetShapes with the parameters of groups if rule, a State or a GradientTransform, is
// a Shaper. The rule's first weight is the weight firstWeight of the network, so the places of the
// parameters are counted from there. A group without parameters counts as a parameter with one
// row.
func setShapes(rule any, firstWeight int, groups ...Group) {
	shaper, ok := rule.(Shaper)
	if !ok {
		return
	}
	var shapes []Shape
	for _, g := range groups {
		parameters := g.Shapes
		if len(parameters) == 0 {
			parameters = []Shape{{From: g.From, Rows: 1, Columns: g.To - g.From}}
		}
		for _, p := range parameters {
			p.From -= firstWeight
			shapes = append(shapes, p)
		}
	}
	shaper.SetShapes(shapes)
}

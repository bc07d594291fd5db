package optimizer

// Shape is the name, the place and the shape of a parameter among the weights of a State or a
// GradientTransform. A layer's weight matrix has a row for each input and a column for each unit;
// its bias has one row.
type Shape struct {
	Name    string // name of the parameter, with the prefix of its scope; "" for a group that lists no parameters
	From    int    // index of the parameter's first weight
	Rows    int
	Columns int // the weights are stored row by row: there are Rows × Columns
}

// Shaper is a State, or a GradientTransform, that treats each parameter separately, as a rule with a
// learning rate for each layer does. SetShapes is called once, before Slots, with all parameters
// except buffers.
type Shaper interface{ SetShapes(shapes []Shape) }

// setShapes tells rule, a State or a GradientTransform, the parameters of groups if it is a Shaper. The rule
// may see only a part of the network's weights, which starts at the weight firstWeight: setShapes subtracts
// firstWeight from the indices. A group without parameters counts as a parameter with one row.
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

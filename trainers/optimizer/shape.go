package optimizer

// Shape is a parameter among the weights that a State or a Link sees: Rows × Columns
// numbers from number From on, row by row. A layer's weight is [inputs units], its bias
// [1 units].
type Shape struct{ From, Rows, Columns int }

// Shaper is a State, or a Link, that looks at parameters one by one, as rules with a
// rate of each layer do. It is told once what there is, before its Slots are asked for;
// buffers are not among them.
type Shaper interface{ Shapes(of []Shape) }

// told tells a state or a link, if it is a Shaper, the parameters of groups, counted from
// a weight on. A group that says none is one row.
func told(x any, from int, groups ...Group) {
	s, ok := x.(Shaper)
	if !ok {
		return
	}
	var shapes []Shape
	for _, g := range groups {
		if len(g.Shapes) == 0 {
			g.Shapes = []Shape{{g.From, 1, g.To - g.From}}
		}
		for _, p := range g.Shapes {
			p.From -= from
			shapes = append(shapes, p)
		}
	}
	s.Shapes(shapes)
}

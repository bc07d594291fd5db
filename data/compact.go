package data

// Compact holds a table's values once, in float32, for any number of trainings
// and predictions over different rows: every column is in units of all rows' mean
// and standard deviation, where float32 loses nothing that matters, unless one
// value is millions of times larger than the others. Rows of it are turned into
// the units of one training as they are gathered.
type Compact struct {
	X, Y []float32 // row-major, as in the table

	x, y Scaler // of all rows
}

// Compact returns the table in float32.
func (t *Table) Compact() *Compact {
	x, y := FitScaler(t.X, len(t.Columns), nil), FitScaler(t.Y, len(t.Targets), nil)
	return &Compact{X: x.Apply(t.X, nil), Y: y.Apply(t.Y, nil), x: x, y: y}
}

// Rows returns the given rows, nil for all, with inputs standardised by x and
// targets by y.
func (c *Compact) Rows(numbers []int, x, y Scaler) Rows {
	r := Rows{X: c.X, Y: c.Y}
	if numbers != nil {
		r.Numbers = make([]int32, len(numbers))
	}
	for i, n := range numbers {
		r.Numbers[i] = int32(n)
	}
	r.XShift, r.XScale = units(c.x, x)
	r.YShift, r.YScale = units(c.y, y)
	return r
}

// units returns what turns values standardised by from into values
// standardised by to.
func units(from, to Scaler) (shift, scale []float32) {
	for j := range to.Mean {
		shift = append(shift, float32((to.Mean[j]-from.Mean[j])/from.Std[j]))
		scale = append(scale, float32(from.Std[j]/to.Std[j]))
	}
	return shift, scale
}

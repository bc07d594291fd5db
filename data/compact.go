package data

// Compact is a table in float32, held once for any number of trainings over
// different rows: every column is in units of all rows' mean and standard
// deviation, where float32 loses nothing that matters. A training turns these
// into the units of its own rows as it gathers a batch.
type Compact struct {
	X, Y []float32 // row-major, as in the table

	x, y Scaler // of all rows
}

// Compact returns the table in float32.
func (t *Table) Compact() *Compact {
	x, y := FitScaler(t.X, len(t.Columns), nil), FitScaler(t.Y, len(t.Targets), nil)
	return &Compact{X: x.Apply(t.X, nil), Y: y.Apply(t.Y, nil), x: x, y: y}
}

// InputUnits returns what turns X into values standardised by s:
// (v − shift)·scale for each column.
func (c *Compact) InputUnits(s Scaler) (shift, scale []float32) { return units(c.x, s) }

// TargetUnits is InputUnits for Y.
func (c *Compact) TargetUnits(s Scaler) (shift, scale []float32) { return units(c.y, s) }

func units(from, to Scaler) (shift, scale []float32) {
	for j := range to.Mean {
		shift = append(shift, float32((to.Mean[j]-from.Mean[j])/from.Std[j]))
		scale = append(scale, float32(from.Std[j]/to.Std[j]))
	}
	return shift, scale
}

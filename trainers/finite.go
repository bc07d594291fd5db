package trainers

import (
	"fmt"
	"math"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// checkFinite returns an error if an input, a target or an extra value of the rows is not finite in
// float32 after it is standardised. If targets are partly known, an unknown one is NaN.
func checkFinite(rows data.Subset, a models.Architecture, partlyKnown bool) error {
	columns := []columnValues{
		{"input", rows.X, a.Inputs, rows.XScale, false},
		{"target", rows.Y, a.Targets, rows.YScale, partlyKnown},
		{"extra", rows.E, len(rows.Extras), nil, false},
	}
	for _, c := range columns {
		for _, row := range rows.RowNumbers(a.Inputs) {
			if err := c.checkRow(int(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// columnValues holds the values of all columns of one kind.
type columnValues struct {
	kind    string    // name of the kind in messages
	values  []float64 // row by row
	columns int
	scalers data.Scalers // nil if the values are not standardised

	mayBeUnknown bool // whether a value may be NaN
}

// checkRow returns an error unless all known values of the row, standardised and rounded to float32 as a
// training does, are finite.
func (c columnValues) checkRow(row int) error {
	for j, v := range c.values[row*c.columns:][:c.columns] {
		if c.mayBeUnknown && math.IsNaN(v) {
			continue
		}
		standardised := v
		if c.scalers != nil {
			standardised = (v - c.scalers[j].Mean) / c.scalers[j].Std
		}
		if !statistics.IsFinite(float64(float32(standardised))) {
			return fmt.Errorf("row %d, %s column %d: %v, or %v when standardised, is not a finite float32 number", row+1, c.kind, j+1, v, standardised)
		}
	}
	return nil
}

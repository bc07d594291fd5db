package trainers

import (
	"fmt"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// checkFinite returns an error if an input, a target or an extra value of the rows is not finite in
// float32 after it is standardised.
func checkFinite(rows data.Subset, a models.Architecture) error {
	columns := []columnValues{
		{"input", rows.X, a.Inputs, rows.XScale},
		{"target", rows.Y, a.Targets, rows.YScale},
		{"extra", rows.E, len(rows.Extras), nil},
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
}

// checkRow returns an error unless all values of the row, standardised and rounded to float32 as a
// training does, are finite.
func (c columnValues) checkRow(row int) error {
	for j, v := range c.values[row*c.columns:][:c.columns] {
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

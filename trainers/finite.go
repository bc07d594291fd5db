package trainers

import (
	"fmt"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// checkFinite returns an error if a number that is to be trained on is not
// finite in float32.
func checkFinite(rows data.Subset, a models.Architecture) error {
	for _, part := range []struct {
		what    string
		values  []float64
		columns int
		scalers data.Scalers
	}{{"input", rows.X, a.Inputs, rows.XScale}, {"target", rows.Y, a.Targets, rows.YScale}, {"extra", rows.E, len(rows.Extras), nil}} {
		for _, r := range rows.RowNumbers(a.Inputs) {
			for j, v := range part.values[int(r)*part.columns:][:part.columns] {
				z := v
				if part.scalers != nil {
					z = (v - part.scalers[j].Mean) / part.scalers[j].Std
				}
				if !statistics.Finite(float64(float32(z))) {
					return fmt.Errorf("row %d, %s column %d: %v is %v in units of the training, which float32 cannot hold", r+1, part.what, j+1, v, z)
				}
			}
		}
	}
	return nil
}

package trainers

import (
	"fmt"

	"sml/data"
	"sml/internal/statistics"
	"sml/models"
)

// finiteRows returns an error if a number that is to be trained on is not
// finite in float32.
func finiteRows(rows data.Subset, a models.Architecture) error {
	for _, part := range []struct {
		what    string
		values  []float64
		columns int
		scale   data.Scaler
	}{{"input", rows.X, a.Inputs, rows.XScale}, {"target", rows.Y, a.Targets, rows.YScale}, {"extra", rows.E, len(rows.Extras), data.Scaler{}}} {
		for _, r := range rows.All(a.Inputs) {
			for j, v := range part.values[int(r)*part.columns:][:part.columns] {
				z := v
				if part.scale.Mean != nil {
					z = (v - part.scale.Mean[j]) / part.scale.Std[j]
				}
				if !statistics.Finite(float64(float32(z))) {
					return fmt.Errorf("row %d, %s column %d: %v is %v in units of the training, which float32 cannot hold", r+1, part.what, j+1, v, z)
				}
			}
		}
	}
	return nil
}

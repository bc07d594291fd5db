package trainers

import (
	"fmt"
	"math"

	"sml/data"
	"sml/models"
)

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// classesOf returns an error if a target that is to be trained on is no class, where the
// method has some.
func classesOf(rows data.Subset, method string, a models.Architecture) error {
	m, err := models.Lookup(method)
	if err != nil || m.Classes == 0 {
		return err
	}
	for _, r := range rows.All(a.Inputs) {
		for j, v := range rows.Y[int(r)*a.Targets:][:a.Targets] {
			if class := int(max(-1, min(v, float64(m.Classes)))); class < 0 || class >= m.Classes || float64(class) != v {
				name := ""
				if len(rows.TargetNames) == a.Targets {
					name = " " + rows.TargetNames[j]
				}
				return fmt.Errorf("row %d of the table: the target%s is %v, and method %s is for the classes 0 to %d", r+1, name, v, m.Name, m.Classes-1)
			}
		}
	}
	return nil
}

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
				if !finite(float64(float32(z))) {
					return fmt.Errorf("row %d, %s column %d: %v is %v in units of the training, which float32 cannot hold", r+1, part.what, j+1, v, z)
				}
			}
		}
	}
	return nil
}

package trainers

import (
	"fmt"
	"math"

	"sml/data"
	"sml/models"
)

// checkTargets returns an error if a target is outside the method's support, or if targets that are
// classes would be standardised.
func checkTargets(spec models.Spec, rows data.Subset) error {
	for _, scaler := range rows.YScale {
		isStandardised := scaler.Mean != 0 || scaler.Std != 1
		if spec.Architecture.Classes > 0 && isStandardised {
			return fmt.Errorf("the target %s would be standardised, and method %s needs the numbers of its classes; use data.IdentityScalers", scaler.Name, spec.Method)
		}
	}
	targets := spec.Architecture.Targets
	for _, row := range rows.RowNumbers(spec.Architecture.Inputs) {
		for j, y := range rows.Y[int(row)*targets:][:targets] {
			if spec.PartlyKnown && math.IsNaN(y) {
				continue
			}
			err := spec.CheckTarget(y)
			if err == nil {
				continue
			}
			name := ""
			if rows.YScale != nil {
				name = " " + rows.YScale[j].Name
			}
			return fmt.Errorf("row %d of the table: the target%s is %w", row+1, name, err)
		}
	}
	return nil
}

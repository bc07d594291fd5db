package trainers

import (
	"fmt"

	"sml/data"
	"sml/models"
)

// checkTargets returns an error if the method cannot learn a target, or if the scalers would change
// the numbers of classes.
func checkTargets(spec models.Spec, rows data.Subset) error {
	targets := spec.Architecture.Targets
	for _, c := range rows.YScale {
		if spec.Architecture.Classes > 0 && (c.Mean != 0 || c.Std != 1) {
			return fmt.Errorf("the target %s would be standardised, and method %s needs the numbers of its classes; use data.UnitScalers", c.Name, spec.Method)
		}
	}
	for _, r := range rows.RowNumbers(spec.Architecture.Inputs) {
		for j, y := range rows.Y[int(r)*targets:][:targets] {
			if err := spec.CheckTarget(y); err != nil {
				name := ""
				if rows.YScale != nil {
					name = " " + rows.YScale[j].Name
				}
				return fmt.Errorf("row %d of the table: the target%s is %w", r+1, name, err)
			}
		}
	}
	return nil
}

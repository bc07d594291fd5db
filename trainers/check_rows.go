package trainers

import (
	"cmp"
	"fmt"
	"strings"

	"sml/data"
	"sml/models"
)

// checkRows returns an error if the rows do not fit the spec, or if a value cannot be trained on.
func checkRows(spec models.Spec, rows data.Subset) error {
	a := spec.Architecture
	n := len(rows.Y) / a.Targets
	for _, row := range rows.Indices {
		if row < 0 || int(row) >= n {
			return fmt.Errorf("there is no row %d in a table of %d", row, n)
		}
	}
	if n == 0 || len(rows.X) != n*a.Inputs || len(rows.Y) != n*a.Targets {
		return fmt.Errorf("%d input and %d target values are not rows of %d inputs and %d targets", len(rows.X), len(rows.Y), a.Inputs, a.Targets)
	}
	err := cmp.Or(
		checkLength("scalers of the inputs", rows.XScale, a.Inputs),
		checkLength("scalers of the targets", rows.YScale, a.Targets),
		checkLength("values that separate the rows", rows.Separation.Values, n),
		checkLength("classes that separate the rows", rows.Separation.Classes, n),
	)
	if err != nil {
		return err
	}
	if len(rows.E) != n*len(rows.Extras) {
		return fmt.Errorf("%d values are not rows of the %d extra columns %s", len(rows.E), len(rows.Extras), strings.Join(rows.Extras, ", "))
	}
	return cmp.Or(
		checkRowWeights(spec, rows, n),
		checkPartlyKnown(spec, rows),
		checkFinite(rows, a, spec.PartlyKnown),
		checkTargets(spec, rows),
	)
}

// checkLength returns an error unless the slice is nil or has the given length. name is the name of its contents in the error.
func checkLength[S ~[]E, E any](name string, slice S, length int) error {
	if slice != nil && len(slice) != length {
		return fmt.Errorf("there are %d %s: want %d, or nil for none", len(slice), name, length)
	}
	return nil
}

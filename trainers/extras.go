package trainers

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/models"
)

// MissingColumnError is the error of a training whose objective looks at a further column that
// its rows do not have.
type MissingColumnError struct {
	Method, Column string
	Available      []string // further columns of the rows
}

func (e *MissingColumnError) Error() string {
	has := "the table has no further columns"
	if len(e.Available) > 0 {
		has = "the table's further columns are: " + strings.Join(e.Available, ", ")
	}
	return fmt.Sprintf("the objective of method %s looks at the column %q, and %s; read it as an extra column", e.Method, e.Column, has)
}

// checkExtraColumns returns an error if the objective looks at a column that is not there.
func checkExtraColumns(spec models.Spec, rows data.Subset) error {
	asked, err := spec.Columns()
	if err != nil {
		return err
	}
	for _, name := range asked {
		if !slices.Contains(rows.Extras, name) {
			return &MissingColumnError{spec.Method, name, rows.Extras}
		}
	}
	return nil
}

// unreadColumns lists the further columns that the objective does not look at.
func unreadColumns(spec models.Spec, rows data.Subset) ([]string, error) {
	if len(rows.Extras) == 0 {
		return nil, nil
	}
	asked, err := spec.Columns()
	return slices.DeleteFunc(slices.Clone(rows.Extras), func(name string) bool { return slices.Contains(asked, name) }), err
}

// gatherColumn copies one of the further columns, as it is, for the given rows.
func gatherColumn(dst []float32, rows data.Subset, name string, numbers []int32) {
	column, columns := slices.Index(rows.Extras, name), len(rows.Extras)
	for i, r := range numbers {
		dst[i] = float32(rows.E[int(r)*columns+column])
	}
}

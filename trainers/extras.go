package trainers

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/models"
)

// MissingColumnError is the error of a training whose objective reads an extra column that the rows do
// not have.
type MissingColumnError struct {
	Method    string
	Column    string   // name of the missing column
	Available []string // extra columns of the rows
}

// Error returns a message that names the missing column, and lists the extra columns that there are.
func (e *MissingColumnError) Error() string {
	available := "the table has no extra columns"
	if len(e.Available) > 0 {
		available = "the table's extra columns are: " + strings.Join(e.Available, ", ")
	}
	return fmt.Sprintf("the objective of method %s reads the column %q, and %s; read it as an extra column", e.Method, e.Column, available)
}

// checkExtraColumns returns a *MissingColumnError if the objective reads a column that is not among the extra columns
// of the rows.
func checkExtraColumns(spec models.Spec, extras []string) error {
	required, err := spec.Columns()
	if err != nil {
		return err
	}
	for _, name := range required {
		if !slices.Contains(extras, name) {
			return &MissingColumnError{Method: spec.Method, Column: name, Available: extras}
		}
	}
	return nil
}

// unreadColumns returns the extra columns that neither the objective nor a measure reads.
func unreadColumns(spec models.Spec, rows data.Subset, measured []string) ([]string, error) {
	if len(rows.Extras) == 0 {
		return nil, nil
	}
	required, err := spec.Columns()
	if err != nil {
		return nil, err
	}
	var unread []string
	for _, name := range rows.Extras {
		if !slices.Contains(required, name) && !slices.Contains(measured, name) {
			unread = append(unread, name)
		}
	}
	return unread, nil
}

// gatherColumn copies the named extra column of the given rows to dst. The values are not
// standardised.
func gatherColumn(dst []float32, rows data.Subset, name string, indices []int32) {
	column := slices.Index(rows.Extras, name)
	columns := len(rows.Extras)
	for i, row := range indices {
		dst[i] = float32(rows.E[int(row)*columns+column])
	}
}

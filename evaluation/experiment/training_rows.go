package experiment

import (
	"fmt"

	"sml/data"
	"sml/internal/rowset"
	"sml/models"
)

// Parent is the model that a training starts from.
type Parent struct {
	models.Parent
	Rows *rowset.Set `json:"training_rows,omitempty"` // nil if they are not known
}

// hashRows returns the hashes of rows of a table, given by their numbers (nil for all).
// Inputs are hashed after preparation and before they are standardised, targets as read.
func hashRows(prepared, read *data.Table, numbers []int) []uint64 {
	inputs, targets := len(prepared.Columns), len(read.Targets)
	hash := func(r int) uint64 {
		return rowset.Hash(prepared.X[r*inputs:(r+1)*inputs], read.Y[r*targets:(r+1)*targets])
	}
	if numbers == nil {
		hashes := make([]uint64, read.Rows())
		for r := range hashes {
			hashes[r] = hash(r)
		}
		return hashes
	}
	hashes := make([]uint64, len(numbers))
	for i, r := range numbers {
		hashes[i] = hash(r)
	}
	return hashes
}

// trainingRows returns the rows that decide the weights: the training rows, including the
// rows for validation, and the parent's training rows. It returns nil if the parent's are
// not known.
func (e *Experiment) trainingRows() *rowset.Set {
	rows := rowset.New(hashRows(e.prepared, e.table.Table, e.Rows.Train))
	switch {
	case e.Parent == nil:
		return rows
	case e.Parent.Rows == nil:
		return nil
	}
	return rows.Union(e.Parent.Rows)
}

// checkCalibrationRows returns an error if the parent was trained on the rows to
// calibrate on.
func (e *Experiment) checkCalibrationRows() error {
	o := e.parentOverlap(e.Rows.Calibration)
	if o.ExplainedByChance() {
		return nil
	}
	return fmt.Errorf("it was trained on %d of the %d rows that are kept to calibrate on: keep the rows that its own training kept, or calibrate the new model on other rows", len(o.Equal), o.Rows)
}

// ParentOverlap compares the test rows with the training rows of the parent.
func (e *Experiment) ParentOverlap() rowset.Overlap { return e.parentOverlap(e.Rows.Test) }

// parentOverlap compares rows of the table with the training rows of the parent.
func (e *Experiment) parentOverlap(numbers []int) rowset.Overlap {
	if e.Parent == nil || e.Parent.Rows == nil || len(numbers) == 0 {
		return rowset.Overlap{Rows: len(numbers)}
	}
	return e.Parent.Rows.Compare(hashRows(e.prepared, e.table.Table, numbers))
}

// Overlap compares rows of a table, given by their numbers (nil for all), with the training
// rows of a model. It takes the table as prepared for the model and as read. It returns
// false if the training rows are not known.
func TrainingOverlap(m *models.Model, prepared, read *data.Table, numbers []int) (rowset.Overlap, bool) {
	if m.TrainingRows == nil {
		return rowset.Overlap{}, false
	}
	return m.TrainingRows.Compare(hashRows(prepared, read, numbers)), true
}

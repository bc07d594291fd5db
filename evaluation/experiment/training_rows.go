package experiment

import (
	"fmt"

	"sml/data"
	"sml/data/rowset"
	"sml/models"
)

// Parent is the model that a training starts from.
type Parent struct {
	models.Parent
	Rows *rowset.Set `json:"training_rows,omitempty"` // nil if they are not known
}

// Parent returns the model that the training starts from, nil if it starts from none.
func (e *Experiment) Parent() *Parent { return e.parent }

// hashRows returns the hashes of rows of a table, by their numbers (nil for all): of
// their inputs as the network gets them before they are standardised, and of their
// targets as they were read.
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

// trainingRows returns the rows that decide the weights: the training rows, of which some
// may be for validation, and those of the parent.
func (e *Experiment) trainingRows() *rowset.Set {
	rows := rowset.New(hashRows(e.prepared, e.table.Table, e.TrainRows()))
	switch {
	case e.parent == nil:
		return rows
	case e.parent.Rows == nil:
		return nil
	}
	return rows.Union(e.parent.Rows)
}

// checkCalibrationRows returns an error if the parent was trained on the rows to
// calibrate on.
func (e *Experiment) checkCalibrationRows() error {
	o := e.parentOverlap(e.fold.calibration)
	if o.ByChance() {
		return nil
	}
	return fmt.Errorf("it was trained on %d of the %d rows that are kept to calibrate on: keep the rows that its own training kept, or calibrate the new model on other rows", len(o.Equal), o.Rows)
}

// ParentOverlap says how many of the rows that are held out were trained on by the model
// that the training starts from.
func (e *Experiment) ParentOverlap() rowset.Overlap { return e.parentOverlap(e.fold.test) }

func (e *Experiment) parentOverlap(numbers []int) rowset.Overlap {
	if e.parent == nil || e.parent.Rows == nil || len(numbers) == 0 {
		return rowset.Overlap{Rows: len(numbers)}
	}
	return e.parent.Rows.Compare(hashRows(e.prepared, e.table.Table, numbers))
}

// Overlap says how many rows of a table, by their numbers (nil for all), a model was
// trained on: as prepared for the model, and as read. known is false if the model does
// not keep its training rows.
func Overlap(m *models.Model, prepared, read *data.Table, numbers []int) (o rowset.Overlap, known bool) {
	if m.TrainingRows == nil {
		return o, false
	}
	return m.TrainingRows.Compare(hashRows(prepared, read, numbers)), true
}

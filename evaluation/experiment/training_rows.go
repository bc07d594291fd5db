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
	Rows *rowset.Set `json:"training_rows,omitempty"` // its training rows; nil if they are unknown
}

// hashRows returns the hash of each row of a table, whose numbers are given (nil for all). It
// hashes prepared inputs before they are standardised, and targets as they were read.
func hashRows(prepared, read *data.Table, numbers []int) []uint64 {
	inputs := len(prepared.Columns)
	targets := len(read.Targets)
	if numbers == nil {
		numbers = rowsUpTo(read.Rows())
	}
	hashes := make([]uint64, len(numbers))
	for i, row := range numbers {
		hashes[i] = rowset.Hash(prepared.X[row*inputs:(row+1)*inputs], read.Y[row*targets:(row+1)*targets])
	}
	return hashes
}

// trainingRows returns the hashes of all rows on which the weights depend: the training rows, including
// the validation rows, and the parent's training rows. It returns nil if the parent's training
// rows are unknown.
func (e *Experiment) trainingRows() *rowset.Set {
	rows := rowset.New(hashRows(e.prepared, e.table.Table, e.Rows.Train))
	if e.Parent == nil {
		return rows
	}
	if e.Parent.Rows == nil {
		return nil
	}
	return rows.Union(e.Parent.Rows)
}

// checkCalibrationRows returns an error if the parent m was trained on the rows that calibrate the model. It
// ignores as many equal rows as chance explains.
func (e *Experiment) checkCalibrationRows(m *Model) error {
	if e.keepsFolds(m) {
		return nil
	}
	overlap := e.parentOverlap(e.Settings.calibrationRows(e.Rows))
	if overlap.ExplainedByChance() {
		return nil
	}
	return fmt.Errorf("it was trained on %d of the %d calibration rows: choose the calibration rows of its own training, or calibrate the new model on other rows", len(overlap.Equal), overlap.Rows)
}

// keepsFolds reports whether each member keeps the weights of the member of m that was trained without the same rows
// of a cross-validation or a bootstrap. Every calibration row is then predicted by members that were not trained on it, although m
// was trained on all of them.
func (e *Experiment) keepsFolds(m *Model) bool {
	own, parent := e.Training, m.Settings.Training
	return own.KeepWeights && own.RotatesValidation() &&
		own.CrossValidation == parent.CrossValidation && own.Bootstrap == parent.Bootstrap &&
		own.Members == parent.Members && own.FoldSeed() == parent.FoldSeed() && e.Table.Checksum == m.Settings.Table.Checksum
}

// ParentOverlap returns which test rows are training rows of the parent: none if there is no
// parent or if its training rows are unknown.
func (e *Experiment) ParentOverlap() rowset.Overlap { return e.parentOverlap(e.Rows.Test) }

// parentOverlap returns which of the rows with these numbers are training rows of the parent.
func (e *Experiment) parentOverlap(numbers []int) rowset.Overlap {
	if e.Parent == nil || e.Parent.Rows == nil || len(numbers) == 0 {
		return rowset.Overlap{Rows: len(numbers)}
	}
	return e.Parent.Rows.Compare(hashRows(e.prepared, e.table.Table, numbers))
}

// TrainingOverlap returns which of the rows with these numbers (nil for all) are training rows
// of the model. prepared is the table as prepared for the model, and read the same table as it
// was read. TrainingOverlap returns false if the model's training rows are unknown.
func TrainingOverlap(m *models.Model, prepared, read *data.Table, numbers []int) (rowset.Overlap, bool) {
	if m.TrainingRows == nil {
		return rowset.Overlap{}, false
	}
	return m.TrainingRows.Compare(hashRows(prepared, read, numbers)), true
}

package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/internal/strict"
)

// Result is the outcome of a cell: scores, or the reason why there are none.
type Result struct {
	Failed string `json:"failed,omitempty"` // reason for the absence of scores; "" if there are scores

	Warnings []string `json:"warnings,omitempty"` // problems of a training that came to its end

	Loss      strict.Number `json:"loss"`                 // mean over the members of the loss in their last epochs
	Train     *rowScores    `json:"train,omitempty"`      // nil if the split does not report training rows
	Test      *rowScores    `json:"test,omitempty"`       // nil if the cell failed
	TrainRows int           `json:"train_rows,omitempty"` // number of training rows

	// Mean and standard deviation of the first target on the training rows, which standardise its predictions.
	TargetMean strict.Number `json:"target_mean,omitempty"`
	TargetStd  strict.Number `json:"target_std,omitempty"`

	Files map[string]string `json:"files,omitempty"` // checksums of the prediction files, by file name
}

// rowScores holds the scores on some rows, in standardised units, by the measures that were
// registered when the cell was run.
type rowScores struct {
	Rows            int            `json:"rows"` // number of rows
	Scores          measure.Scores `json:"scores"`
	DropoutFraction *strict.Number `json:"dropout_std_fraction,omitempty"` // mean fraction of σ_drop in σ_total; nil if the method does not drop units

	ignoredColumns []string // Evaluation.IgnoredColumns of an evaluation in this process; nil in a read file
}

// maxReasonBytes is the largest length of the reason of a failure; longer ones are cut.
const maxReasonBytes = 10_000

// failedResult returns the result of a cell that failed with an error.
func failedResult(err error) Result {
	reason := err.Error()
	if len(reason) > maxReasonBytes {
		reason = strings.ToValidUTF8(reason[:maxReasonBytes], "") + " …" // the cut may have split a letter
	}
	return Result{Failed: reason}
}

// check returns an error unless the cell can have this result. The error completes a sentence about the result's file.
func (r Result) check(c PlannedCell) error {
	for name := range r.Files {
		suffix, hasCellName := strings.CutPrefix(name, c.Name+".")
		if !hasCellName || !slices.Contains(predictionFileSuffixes, suffix) {
			return fmt.Errorf("it lists the file %q, which does not belong to the cell", name)
		}
	}
	if r.Failed != "" {
		if r.Test != nil || r.Train != nil {
			return errors.New("it has scores and a reason for their absence; want one of the two")
		}
		return nil
	}
	return r.checkScores(c)
}

// checkScores returns an error unless the result has the scores of a finished cell: the scores of the test rows and, if
// the cell's split reports the training rows, their scores by the same measures.
func (r Result) checkScores(c PlannedCell) error {
	if r.Test == nil {
		return errors.New("it has neither scores nor a reason for their absence")
	}
	if err := r.Test.check(); err != nil {
		return err
	}
	hasTrain := r.Train != nil
	if hasTrain != c.scoresTrainingRows() {
		return errors.New("it has scores of training rows although its split does not report them, or none although it does")
	}
	if !hasTrain {
		return nil
	}
	if err := r.Train.check(); err != nil {
		return err
	}
	names := r.Train.Scores.Names()
	want := slices.DeleteFunc(r.Test.Scores.Names(), func(name string) bool { return name == recalibrated }) // only test rows have it
	if !slices.Equal(names, want) {
		return fmt.Errorf("it has scores %v of training rows; want %v, as of test rows", names, want)
	}
	return nil
}

// check returns an error if the rows or the scores are missing.
func (s *rowScores) check() error {
	if s.Rows < 1 || len(s.Scores) == 0 {
		return fmt.Errorf("it has %d scores of %d rows: want at least one of each", len(s.Scores), s.Rows)
	}
	return nil
}

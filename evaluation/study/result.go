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

	Loss      strict.Number `json:"loss"`            // mean over the members of their last epochs' losses
	Train     *rowScores    `json:"train,omitempty"` // nil if the split does not report training rows
	Test      *rowScores    `json:"test,omitempty"`  // nil if the cell failed
	TrainRows int           `json:"train_rows,omitempty"`

	// Mean and standard deviation of the target on the training rows: predictions are
	// standardised by them.
	TargetMean strict.Number `json:"target_mean,omitempty"`
	TargetStd  strict.Number `json:"target_std,omitempty"`

	Files map[string]string `json:"files,omitempty"` // checksums of the kept files, by file name
}

// rowScores are the scores on some rows, in standardised units, by the measures that were
// registered when the cell was run.
type rowScores struct {
	Rows            int            `json:"rows"`
	Scores          measure.Scores `json:"scores"`
	DropoutFraction *strict.Number `json:"dropout_std_fraction,omitempty"` // nil if the method does not drop units
}

// maxReason is the largest length of the reason of a failure, in bytes; longer ones are cut.
const maxReason = 10_000

// failedResult returns the result of a cell that failed.
func failedResult(failure error) Result {
	reason := failure.Error()
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "") + " …"
	}
	return Result{Failed: reason}
}

// check returns an error unless the cell can have this result.
func (r Result) check(c PlannedCell) error {
	for name := range r.Files {
		suffix, ok := strings.CutPrefix(name, c.Name+".")
		if !ok || !slices.Contains(predictionFileSuffixes, suffix) {
			return fmt.Errorf("it lists %q, which is no file of the cell", name)
		}
	}
	switch {
	case r.Failed != "" && r.Test == nil && r.Train == nil:
		return nil
	case r.Failed != "":
		return errors.New("it has scores, and a reason for their absence")
	case r.Test == nil:
		return errors.New("it has neither scores nor a reason for their absence")
	case (r.Train != nil) != c.scoresTrainingRows():
		return errors.New("scores of training rows are those of splits that report them, such as random, and of no other")
	}
	if err := r.Test.check(); err != nil {
		return err
	}
	if r.Train == nil {
		return nil
	}
	if err := r.Train.check(); err != nil {
		return err
	}
	want := slices.DeleteFunc(r.Test.Scores.Names(), func(name string) bool { return name == recalibrated })
	if got := r.Train.Scores.Names(); !slices.Equal(got, want) {
		return fmt.Errorf("it has other scores of training rows, %v, than of test rows, %v", got, r.Test.Scores.Names())
	}
	return nil
}

func (s *rowScores) check() error {
	if s.Rows < 1 || len(s.Scores) == 0 {
		return fmt.Errorf("it has %d scores of %d rows: want some of both", len(s.Scores), s.Rows)
	}
	return nil
}

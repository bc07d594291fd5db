package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/internal/strict"
)

// Result is what a cell's training came to.
type Result struct {
	Failed string `json:"failed,omitempty"` // why there are no scores

	Warnings []string `json:"warnings,omitempty"` // of the training

	Loss      strict.Number `json:"loss"` // of the last epoch, mean over members
	Train     *RowScores    `json:"train,omitempty"`
	Test      *RowScores    `json:"test,omitempty"`
	TrainRows int           `json:"train_rows,omitempty"`

	TargetMean strict.Number `json:"target_mean,omitempty"` // of the training rows: predictions are
	TargetStd  strict.Number `json:"target_std,omitempty"`  // in units of this, from that

	Files map[string]string `json:"files,omitempty"` // checksums of what is kept beside, by file name
}

// RowScores are the scores on some rows, in standardised units, by the measures
// that were registered when the cell was run.
type RowScores struct {
	Rows      int            `json:"rows"`
	Scores    measure.Scores `json:"scores"`
	DropShare *strict.Number `json:"sigma_drop_share,omitempty"`
}

// check tells whether a result is one that a cell can have.
func (r Result) check(c Planned) error {
	for name := range r.Files {
		if suffix, ok := strings.CutPrefix(name, c.Name+"."); !ok || !slices.Contains(suffixes, suffix) {
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
	case (r.Train != nil) != c.judgesTraining():
		return errors.New("scores of training rows are those of splits that report them, such as random, and of no other")
	}
	want := slices.DeleteFunc(r.Test.Scores.Names(), func(name string) bool { return name == recalibrated })
	for _, part := range slices.DeleteFunc([]*RowScores{r.Test, r.Train}, func(j *RowScores) bool { return j == nil }) {
		if part.Rows < 1 || len(part.Scores) == 0 {
			return fmt.Errorf("it has %d scores of %d rows: want some of both", len(part.Scores), part.Rows)
		}
		if measures := part.Scores.Names(); part == r.Train && !slices.Equal(measures, want) {
			return fmt.Errorf("it has other scores of training rows, %v, than of test rows, %v", measures, r.Test.Scores.Names())
		}
	}
	return nil
}

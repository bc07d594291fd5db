package study

import (
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

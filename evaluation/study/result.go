package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data/strict"
	"sml/evaluation"
)

// Measures lists what is measured, in the order of tables and files.
var Measures = []string{"rmse", "nll", "ece", "ws", "ks", "r2", "mae"}

// Result is what a cell's training came to.
type Result struct {
	Failed string `json:"failed,omitempty"` // why there are no scores

	Warnings []string `json:"warnings,omitempty"` // of the training

	Loss      strict.Number `json:"loss"` // of the last epoch, mean over members
	Train     *Judged       `json:"train,omitempty"`
	Test      *Judged       `json:"test,omitempty"`
	TrainRows int           `json:"train_rows,omitempty"`

	TargetMean strict.Number `json:"target_mean,omitempty"` // of the training rows: predictions are
	TargetStd  strict.Number `json:"target_std,omitempty"`  // in units of this, from that

	Files map[string]string `json:"files,omitempty"` // checksums of what is kept beside, by file name
}

// Judged are the scores on some rows, in standardised units.
type Judged struct {
	Rows      int                      `json:"rows"`
	Scores    map[string]strict.Number `json:"scores"`
	DropShare *strict.Number           `json:"sigma_drop_share,omitempty"`
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
	case (r.Train != nil) != (kindOf(c.Split).Train != ""):
		return errors.New("scores of training rows are those of splits that report them, such as random, and of no other")
	}
	for _, part := range []*Judged{r.Test, r.Train} {
		if part == nil {
			continue
		}
		if part.Rows < 1 || len(part.Scores) != len(Measures) {
			return fmt.Errorf("it has %d scores of %d rows: want %d", len(part.Scores), part.Rows, len(Measures))
		}
		for _, m := range Measures {
			if _, ok := part.Scores[m]; !ok {
				return fmt.Errorf("it has no score %q", m)
			}
		}
	}
	return nil
}

func judged(e evaluation.Evaluation) *Judged {
	s := e.Standardised
	j := &Judged{Rows: e.Rows, Scores: map[string]strict.Number{
		"rmse": strict.Number(s.RMSE), "nll": strict.Number(s.NLL), "ece": strict.Number(s.ECE), "ws": strict.Number(s.WS),
		"ks": strict.Number(s.KS), "r2": strict.Number(s.R2), "mae": strict.Number(s.MAE),
	}}
	if e.DropShare != nil {
		share := strict.Number(*e.DropShare)
		j.DropShare = &share
	}
	return j
}

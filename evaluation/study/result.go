package study

import (
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

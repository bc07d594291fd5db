package study

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"sml/evaluation"
)

// Measures lists what is measured, in the order of tables and files.
var Measures = []string{"rmse", "nll", "ece", "ws", "ks", "r2", "mae"}

// number is a float64 that JSON can hold: what is not finite is a string.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(fmt.Sprint(v))
	}
	return json.Marshal(float64(n))
}

func (n *number) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(math.IsNaN(v) || math.IsInf(v, 0)) {
			return fmt.Errorf("%s is not a number", text)
		}
		*n = number(v)
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Result is what a cell's training came to.
type Result struct {
	Failed string `json:"failed,omitempty"` // why there are no scores

	Warnings []string `json:"warnings,omitempty"` // of the training

	Loss      number  `json:"loss"` // of the last epoch, mean over members
	Train     *Judged `json:"train,omitempty"`
	Test      *Judged `json:"test,omitempty"`
	TrainRows int     `json:"train_rows,omitempty"`

	TargetMean number `json:"target_mean,omitempty"` // of the training rows: predictions are
	TargetStd  number `json:"target_std,omitempty"`  // in units of this, from that

	Files map[string]string `json:"files,omitempty"` // checksums of what is kept beside, by file name
}

// Judged are the scores on some rows, in standardised units.
type Judged struct {
	Rows      int               `json:"rows"`
	Scores    map[string]number `json:"scores"`
	DropShare *number           `json:"sigma_drop_share,omitempty"`
}

func judged(e evaluation.Evaluation) *Judged {
	s := e.Standardised
	j := &Judged{Rows: e.Rows, Scores: map[string]number{
		"rmse": number(s.RMSE), "nll": number(s.NLL), "ece": number(s.ECE), "ws": number(s.WS),
		"ks": number(s.KS), "r2": number(s.R2), "mae": number(s.MAE),
	}}
	if e.DropShare != nil {
		share := number(*e.DropShare)
		j.DropShare = &share
	}
	return j
}

package tune

import (
	"math"

	"sml/internal/strict"
)

// Trial is a set of values that a search strategy has proposed, and its outcome.
type Trial struct {
	Number int      // number of the trial, from 1
	Values []string // one value per dimension of the space; "" if the setting does not apply to the trial

	Method   string
	Settings []Setting // the settings that apply to the trial, with their values

	Label  string // method and settings, in the form of a study's labels
	State  State
	Reason string // why the trial failed; "" if it did not
	Rungs  []Rung // cross-validations, ascending by epochs; the last one decides the trial's score
}

// State says how a trial ended.
type State string

// States of a trial.
const (
	Complete State = "complete"
	Stopped  State = "stopped" // not trained for all epochs, since other trials were better
	Failed   State = "failed"  // a training failed, or the score is NaN or ∞; worse than any other trial
)

// Rung is a cross-validation of a trial: one training per fold, all for the same number of epochs. Successive
// halving trains the better trials again with more epochs: they climb to the next rung.
type Rung struct {
	Epochs int             `json:"epochs"`
	Scores []strict.Number `json:"scores"` // by fold; NaN for a failed training
	Mean   strict.Number   `json:"mean"`   // mean of Scores
	Std    strict.Number   `json:"std"`    // sample standard deviation of Scores

	loss float64 // measure.Badness of Mean, lower is better; +∞ if the trial failed
}

// Score returns the last rung of the trial, the only one that counts. Its mean is NaN if a training failed. Score
// returns the zero Rung if the trial was never trained.
func (t Trial) Score() Rung {
	if len(t.Rungs) == 0 {
		return Rung{}
	}
	return t.Rungs[len(t.Rungs)-1]
}

// loss returns the loss of the last rung, or +∞ if the trial failed or was never trained. Lower is better.
func (t Trial) loss() float64 {
	if len(t.Rungs) == 0 || t.State == Failed {
		return math.Inf(1)
	}
	return t.Score().loss
}

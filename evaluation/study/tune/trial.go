package tune

import (
	"math"

	"sml/internal/strict"
)

// Trial is a set of values that a strategy has drawn, and its outcome.
type Trial struct {
	Number int      // number of the trial, from 1
	Values []string // values by dimension; "" if the method has no such hyperparameter

	Method   string
	Settings []Setting // values of the dimensions that the method has

	Label  string // method and settings, in the form of a study's labels
	State  State
	Reason string // why the trial failed; "" if it did not
	Rungs  []Rung // cross-validations in the order of their epochs; the last one judges the trial
}

// State is the outcome of a trial.
type State string

const (
	Complete State = "complete"
	Stopped  State = "stopped" // not trained for all epochs, since other trials were better
	Failed   State = "failed"  // a training failed, or the score is NaN or ∞; such a trial is worse than any other
)

// Rung is a cross-validation of a trial: a training on each fold, for the same number of epochs.
type Rung struct {
	Epochs int             `json:"epochs"`
	Scores []strict.Number `json:"scores"` // by fold
	Mean   strict.Number   `json:"mean"`   // mean of Scores
	Std    strict.Number   `json:"std"`    // sample standard deviation of Scores

	loss float64 // mean, or its negative if higher scores are better
}

// Score returns the last rung, which judges the trial. Its mean is NaN if the trial failed. Score
// returns the zero Rung if the trial was never trained.
func (t Trial) Score() Rung {
	if len(t.Rungs) == 0 {
		return Rung{}
	}
	return t.Rungs[len(t.Rungs)-1]
}

// loss returns the loss of the last rung, +∞ if the trial failed. Lower is better.
func (t Trial) loss() float64 {
	if len(t.Rungs) == 0 || t.State == Failed {
		return math.Inf(1)
	}
	return t.Score().loss
}

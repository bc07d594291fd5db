package tune

import (
	"math"

	"sml/internal/strict"
)

// Trial is a drawing of values and its outcome.
type Trial struct {
	Number int      // from 1
	Values []string // by dimension; "" if the method has no such hyperparameter

	Method   string
	Settings []Setting // values of the dimensions that the method has

	Label  string // method and settings, as a study labels them
	State  State
	Reason string // why the trial failed; "" if it did not
	Rungs  []Rung // the last one counts
}

// State says how a trial ended.
type State string

const (
	Complete State = "complete"
	Stopped  State = "stopped" // not trained for all epochs, since others were better
	Failed   State = "failed"  // on a fold, or with a score of NaN or ∞; counts as worst
)

// Rung is a cross-validation of a trial.
type Rung struct {
	Epochs int             `json:"epochs"`
	Scores []strict.Number `json:"scores"` // by fold
	Mean   strict.Number   `json:"mean"`
	Std    strict.Number   `json:"std"` // sample standard deviation

	loss float64 // mean, or its negative if higher scores are better
}

// Score returns the rung that the trial was judged by last. Its mean is NaN if the trial
// failed; it is the zero value if the trial was never trained.
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

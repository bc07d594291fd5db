package tune

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"sml/evaluation/study"
	"sml/internal/strict"
)

// Trial is a set of values that a search strategy has proposed, and its outcome.
type Trial struct {
	Number   int      `json:"trial"` // number of the trial, from 1
	State    State    `json:"state"`
	Method   string   `json:"method"`
	Settings Settings `json:"settings"`         // the settings that apply to the trial
	Rungs    []Rung   `json:"rungs"`            // cross-validations, ascending by epochs; the last one decides the trial's score
	Reason   string   `json:"reason,omitempty"` // why the trial failed; "" if it did not

	Values []string `json:"-"` // one value per dimension of the space; "" if the setting does not apply to the trial
}

// label returns the method, the settings and further settings as a label of a study, such as "sml beta=0.25 lr=0.01 by
// sgd". The optimizer comes last.
func (t Trial) label(further ...Setting) string {
	label := t.Method
	optimizer := ""
	for _, s := range slices.Concat(t.Settings, further) {
		switch {
		case s.Key == methodKey:
			// the label begins with the method
		case s.Key == optimizerKey && !s.Hyperparameter:
			optimizer = study.OptimizerSeparator + s.Value
		default:
			label += " " + s.Key + "=" + s.Value
		}
	}
	return label + optimizer
}

// Setting is one setting of a trial, with its value.
type Setting struct {
	Key            string
	Value          string
	Hyperparameter bool // a hyperparameter of the method or its network, not a setting of the training
}

// Settings are the settings of a trial.
type Settings []Setting

// MarshalJSON returns an object with the values by key: numbers as numbers, other values as strings.
func (s Settings) MarshalJSON() ([]byte, error) {
	values := make(map[string]any)
	for _, setting := range s {
		if v, err := strconv.ParseFloat(setting.Value, 64); err == nil {
			values[setting.Key] = strict.Number(v)
		} else {
			values[setting.Key] = setting.Value
		}
	}
	return json.Marshal(values)
}

// State says how a trial ended.
type State string

// States of a trial.
const (
	Complete State = "complete"
	Stopped  State = "stopped" // not trained for all epochs or on all folds, since other trials were better or the time limit was over
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

// Score returns the last rung of the trial, the only one that counts. Its mean is NaN if a training failed, or if the trial
// has no rung.
func (t Trial) Score() Rung {
	if len(t.Rungs) == 0 {
		nan := strict.Number(math.NaN())
		return Rung{Mean: nan, Std: nan}
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

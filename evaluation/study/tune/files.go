package tune

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"sml/internal/strict"
)

// Setting is a value that a trial has.
type Setting struct {
	Key, Value     string
	Hyperparameter bool // of the method, and not one of the training
}

// Settings are the values of a trial, those that its method has.
func (r *Result) Settings(t Trial) []Setting {
	var list []Setting
	method := r.Tuning.method(t.Values)
	for i, d := range r.Tuning.Space {
		if v := t.Values[i]; v != "" {
			list = append(list, Setting{d.Key, v, declares(method, d.Key)})
		}
	}
	return list
}

// Method is that of a trial.
func (r *Result) Method(t Trial) string { return r.Tuning.method(t.Values) }

// Score is what a trial was judged by last: NaN where it failed.
func (t Trial) Score() Rung {
	if len(t.Rungs) == 0 {
		return Rung{}
	}
	return t.Rungs[len(t.Rungs)-1]
}

// Failed counts trials that failed.
func (r *Result) Failed() int {
	n := 0
	for _, t := range r.Trials {
		if t.State == Failed {
			n++
		}
	}
	return n
}

// WriteCSV writes a line for each trial: its number, how it ended, epochs, mean and
// standard deviation of the score over the folds, every setting (empty: its method has
// none), and why it failed. Numbers have all their digits.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"trial", "state", "epochs", r.Measure.Name, "std"}
	for _, d := range r.Tuning.Space {
		if d.Key != "epochs" {
			header = append(header, d.Key)
		}
	}
	out.Write(append(header, "reason")) // an error of Write is kept for Error
	for _, t := range r.Trials {
		s := t.Score()
		record := []string{strconv.Itoa(t.Number), string(t.State), strconv.Itoa(s.Epochs), number(float64(s.Mean)), number(float64(s.Std))}
		for i, d := range r.Tuning.Space {
			if d.Key != "epochs" {
				record = append(record, t.Values[i])
			}
		}
		out.Write(append(record, t.Reason))
	}
	out.Flush()
	return out.Error()
}

// WriteJSON writes an array of the trials, each with its settings and the scores of every
// fold after every number of epochs that it was judged at.
func (r *Result) WriteJSON(w io.Writer) error {
	type trial struct {
		Number   int            `json:"trial"`
		State    State          `json:"state"`
		Method   string         `json:"method"`
		Settings map[string]any `json:"settings"`
		Rungs    []Rung         `json:"rungs"`
		Reason   string         `json:"reason,omitempty"`
	}
	list := make([]trial, 0, len(r.Trials))
	for _, t := range r.Trials {
		list = append(list, trial{t.Number, t.State, r.Method(t), Values(r.Settings(t)), t.Rungs, t.Reason})
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Values are settings by their keys, as JSON has them: numbers as numbers.
func Values(settings []Setting) map[string]any {
	values := make(map[string]any)
	for _, s := range settings {
		if v, err := strconv.ParseFloat(s.Value, 64); err == nil {
			values[s.Key] = strict.Number(v)
		} else {
			values[s.Key] = s.Value
		}
	}
	return values
}

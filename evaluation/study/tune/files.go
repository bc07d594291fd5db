package tune

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"sml/internal/strict"
)

// WriteCSV writes a header and one line per trial: its number, state and epochs, the mean and standard deviation
// of its score over the folds, its settings, and why it failed. A setting that does not apply to the trial is
// empty. Numbers have all digits that they need to be read again exactly.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(r.csvHeader())
	for _, t := range r.Trials {
		out.Write(r.csvRecord(t))
	}
	out.Flush()
	return out.Error() // the first error of any Write
}

// csvHeader returns the names of the columns of WriteCSV. If the space has the key "epochs", the column "epochs" has its
// values already.
func (r *Result) csvHeader() []string {
	header := []string{"trial", "state", "epochs", r.Measure.Name, "std"}
	for _, d := range r.Tuning.Space {
		if d.Key != epochsKey {
			header = append(header, d.Key)
		}
	}
	return append(header, "reason")
}

// csvRecord returns the fields of a trial in the columns of csvHeader.
func (r *Result) csvRecord(t Trial) []string {
	score := t.Score()
	record := []string{
		strconv.Itoa(t.Number),
		string(t.State),
		strconv.Itoa(score.Epochs),
		formatNumber(float64(score.Mean)),
		formatNumber(float64(score.Std)),
	}
	for i, d := range r.Tuning.Space {
		if d.Key != epochsKey {
			record = append(record, t.Values[i])
		}
	}
	return append(record, t.Reason)
}

// trialJSON is the JSON form of a trial.
type trialJSON struct {
	Number   int            `json:"trial"`
	State    State          `json:"state"`
	Method   string         `json:"method"`
	Settings map[string]any `json:"settings"`
	Rungs    []Rung         `json:"rungs"`
	Reason   string         `json:"reason,omitempty"`
}

// WriteJSON writes a JSON array of the trials, each with its settings and, for every rung, the scores of all
// folds.
func (r *Result) WriteJSON(w io.Writer) error {
	trials := make([]trialJSON, 0, len(r.Trials))
	for _, t := range r.Trials {
		trials = append(trials, trialJSON{
			Number:   t.Number,
			State:    t.State,
			Method:   t.Method,
			Settings: Values(t.Settings),
			Rungs:    t.Rungs,
			Reason:   t.Reason,
		})
	}
	text, err := json.MarshalIndent(trials, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Values returns the values of settings by key, as JSON has them: numbers as numbers, other values as strings.
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

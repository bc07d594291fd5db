package tune

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// Result is the outcome of a tuning.
type Result struct {
	Tuning   Tuning              // the tuning, with its defaults filled in
	Trials   []Trial             // all trials, ascending by number
	Best     int                 // index in Trials of the best trial; -1 if no trial is complete
	Settings experiment.Settings // settings of the best trial for a training on all training rows, as "sml train" has them
	Complete int                 // number of complete trials
	Failed   int                 // number of failed trials
	TimedOut bool                // whether Options.TimeLimit ended the tuning before its trials
	Rows     int                 // number of training rows; each training of a trial leaves out one fold of them
	Measure  measure.Measure     // the measure that compares trials
}

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

// WriteJSON writes a JSON array of the trials, each with its settings and, for every rung, the scores of all
// folds.
func (r *Result) WriteJSON(w io.Writer) error {
	text, _ := json.MarshalIndent(r.Trials, "", " ") // cannot fail
	_, err := w.Write(append(text, '\n'))
	return err
}

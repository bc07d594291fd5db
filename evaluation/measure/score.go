package measure

import (
	"encoding/json"

	"sml/internal/strict"
)

// Score is one measure of one method on one data set, over folds and seeds, in
// units of the standardised target.
type Score struct {
	Dataset string
	Method  string // a label of the command line: "sml" or "sml beta=0.25"
	Split   string // which rows, of which kind of split: train, test, pca-interpolate, …
	Measure string

	// Mean and sample standard deviation (n−1; 0 for one) over the trainings that
	// have a score: infinite or NaN as soon as one of them is, NaN if none has.
	Mean, Std float64

	Folds  int // trainings, one for each fold and seed; not those still to be run
	Failed int // how many of them ended without a score
}

// scoreJSON is Score as it is stored.
type scoreJSON struct {
	Dataset string        `json:"dataset"`
	Method  string        `json:"method"`
	Split   string        `json:"split"`
	Measure string        `json:"measure"`
	Mean    strict.Number `json:"mean"`
	Std     strict.Number `json:"std"`
	Folds   int           `json:"folds"`
	Failed  int           `json:"failed"`
}

// MarshalJSON writes an object with the keys dataset, method, split, measure,
// mean, std, folds and failed, in this order.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(scoreJSON{s.Dataset, s.Method, s.Split, s.Measure, strict.Number(s.Mean), strict.Number(s.Std), s.Folds, s.Failed})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Score) UnmarshalJSON(text []byte) error {
	var v scoreJSON
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*s = Score{v.Dataset, v.Method, v.Split, v.Measure, float64(v.Mean), float64(v.Std), v.Folds, v.Failed}
	return nil
}

// Single returns scores as those of a single training.
func (s Scores) Single(dataset, method, split string) []Score {
	var list []Score
	for _, v := range s {
		list = append(list, Score{Dataset: dataset, Method: method, Split: split, Measure: v.Measure, Mean: v.Score, Folds: 1})
	}
	return list
}

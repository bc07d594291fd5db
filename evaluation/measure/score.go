package measure

import (
	"encoding/json"

	"sml/internal/strict"
)

// Score is the score of one method on one data set by one measure, over the folds and seeds of a
// study. It refers to the standardised target.
type Score struct {
	Dataset string
	Method  string // label of the method, such as "sml" or "sml beta=0.25"
	Split   string // scored rows and kind of split: train, test, pca-interpolate, …
	Measure string // name of the measure

	// Mean and Std are the mean and the sample standard deviation over the trainings that have a
	// score. The standard deviation of n scores has the divisor n − 1, and is 0 for a single score.
	// Both are infinite or NaN if a score is, and NaN if there is no score.
	Mean, Std float64

	Folds  int // number of finished trainings, one for each fold and seed
	Failed int // number of finished trainings without a score
}

// MarshalJSON returns an object with the keys dataset, method, split, measure, mean, std, folds
// and failed, in this order.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Dataset string        `json:"dataset"`
		Method  string        `json:"method"`
		Split   string        `json:"split"`
		Measure string        `json:"measure"`
		Mean    strict.Number `json:"mean"`
		Std     strict.Number `json:"std"`
		Folds   int           `json:"folds"`
		Failed  int           `json:"failed"`
	}{s.Dataset, s.Method, s.Split, s.Measure, strict.Number(s.Mean), strict.Number(s.Std), s.Folds, s.Failed})
}

// Single converts the scores of a single training to a Score for each measure.
func (s Scores) Single(dataset, method, split string) []Score {
	var scores []Score
	for _, v := range s {
		scores = append(scores, Score{
			Dataset: dataset,
			Method:  method,
			Split:   split,
			Measure: v.Measure,
			Mean:    v.Score,
			Folds:   1,
		})
	}
	return scores
}

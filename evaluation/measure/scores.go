package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"sml/internal/strict"
)

// Scores has the scores of the predictions of one target by several measures, in their order. Measures
// that need a part which the predictions do not have are left out.
type Scores []Value

// Value is the score by one measure.
type Value struct {
	Measure string // name of the measure
	Score   float64
}

// Has reports whether there is a score by the measure with this name.
func (s Scores) Has(measure string) bool {
	return slices.ContainsFunc(s, func(v Value) bool { return v.Measure == measure })
}

// Get returns the score by the measure with this name. It returns NaN if there is none, which is
// never mistaken for a perfect 0.
func (s Scores) Get(measure string) float64 {
	i := slices.IndexFunc(s, func(v Value) bool { return v.Measure == measure })
	if i < 0 {
		return math.NaN()
	}
	return s[i].Score
}

// Names returns the names of the measures with a score.
func (s Scores) Names() []string {
	var names []string
	for _, v := range s {
		names = append(names, v.Measure)
	}
	return names
}

// InUnit returns standardised scores converted to the unit of a target with this standard
// deviation. Scores by an unregistered measure are unchanged.
func (s Scores) InUnit(std float64) Scores {
	s = slices.Clone(s)
	for i, v := range s {
		m, _ := Lookup(v.Measure)
		s[i].Score = m.Unit.Convert(v.Score, std)
	}
	return s
}

// MarshalJSON returns an object with a key for each measure, in their order.
func (s Scores) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, v := range s {
		number, err := json.Marshal(strict.Number(v.Score))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", v.Measure, number)
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads an object as MarshalJSON writes it. It reads null as NaN, since earlier versions
// wrote null for NaN and infinite numbers.
func (s *Scores) UnmarshalJSON(text []byte) error {
	tokens := json.NewDecoder(bytes.NewReader(text))
	token, err := tokens.Token()
	if err != nil || token != json.Delim('{') {
		return fmt.Errorf("scores are %.20s; want a JSON object", text)
	}
	var read Scores
	for tokens.More() {
		name, err := tokens.Token()
		if err != nil {
			return err
		}
		var score *strict.Number
		if err := tokens.Decode(&score); err != nil {
			return fmt.Errorf("score %q: %w", name, err)
		}
		if score == nil {
			score = new(strict.Number(math.NaN()))
		}
		read = append(read, Value{name.(string), float64(*score)})
	}
	*s = read
	return nil
}

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

package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"sml/internal/strict"
)

// Scores are what measures say of one prediction of one target column, in the
// order of All when they were computed. A measure that needs what the prediction does
// not have is not among them.
type Scores []Value

// Value is what a measure says.
type Value struct {
	Measure string // its name
	Score   float64
}

// Has tells whether there is a score by a measure.
func (s Scores) Has(measure string) bool {
	return slices.ContainsFunc(s, func(v Value) bool { return v.Measure == measure })
}

// Of returns the score by a measure, NaN if there is none: it is never mistaken
// for a perfect 0.
func (s Scores) Of(measure string) float64 {
	if i := slices.IndexFunc(s, func(v Value) bool { return v.Measure == measure }); i >= 0 {
		return s[i].Score
	}
	return math.NaN()
}

// Names returns the measures that there are scores of.
func (s Scores) Names() []string {
	var names []string
	for _, v := range s {
		names = append(names, v.Measure)
	}
	return names
}

// In returns standardised scores in the unit of a target with that standard
// deviation. Those of a measure that is not registered stay as they are.
func (s Scores) InUnit(std float64) Scores {
	s = slices.Clone(s)
	for i, v := range s {
		m, _ := Lookup(v.Measure)
		s[i].Score = m.Unit.Convert(v.Score, std)
	}
	return s
}

// MarshalJSON writes an object with a key for each measure, in their order.
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

// UnmarshalJSON reads what MarshalJSON writes, and null as NaN: so models of
// earlier versions have whatever is not finite.
func (s *Scores) UnmarshalJSON(text []byte) error {
	tokens := json.NewDecoder(bytes.NewReader(text))
	if token, err := tokens.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("scores are %.20s; want an object", text)
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

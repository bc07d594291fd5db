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

package measure

import (
	"encoding/json"
	"math"
	"testing"

	"sml/internal/expect"
	"sml/internal/strict"
)

// What is not finite has a word, and is read again, in the order of the file: a
// measure that nobody has registered too.
func TestScoresJSON(t *testing.T) {
	in := Scores{{"rmse", 0.5}, {"nll", math.Inf(-1)}, {"mine", 1e-300}, {"ws", math.Inf(1)}, {"ks", 0}, {"r2", math.NaN()}}
	text, err := json.Marshal(in)
	if want := `{"rmse":0.5,"nll":"-Inf","mine":1e-300,"ws":"+Inf","ks":0,"r2":"NaN"}`; err != nil || string(text) != want {
		t.Errorf("got  %s, %v\nwant %s", text, err, want)
	}
	for name, read := range map[string]func([]byte, any) error{"json": json.Unmarshal, "strict": strict.Unmarshal} {
		var out Scores
		if err := read(text, &out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compare(t, out, in, 0)
	}
	if text, err := json.Marshal(Scores(nil)); err != nil || string(text) != "{}" {
		t.Errorf("no scores are %s, %v", text, err)
	}
}

// Models of earlier versions have null for what is not finite, and lack measures.
func TestScoresOfEarlierModels(t *testing.T) {
	var s Scores
	expect.NoError(t, json.Unmarshal([]byte(`{"rmse": 1, "nll": null}`), &s))
	compare(t, s, Scores{{"rmse", 1}, {"nll", math.NaN()}}, 0)
	near(t, "absent", s.Get("ece"), math.NaN(), 0)
}

func TestScoresJSONRefuses(t *testing.T) {
	for _, text := range []string{`{"rmse":"low"}`, `{"rmse":[1]}`, `[1]`, `7`, `"rmse"`, `{"rmse":"inf"}`} {
		s := Scores{{"rmse", 7}}
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s was read as scores", text)
		}
		compare(t, s, Scores{{"rmse", 7}}, 0)
	}
}

func TestScoreJSON(t *testing.T) {
	in := Score{"concrete", "sml beta=0.25", "test", "ws", math.Inf(1), math.NaN(), 10, 2}
	text, err := json.Marshal(in)
	if want := `{"dataset":"concrete","method":"sml beta=0.25","split":"test","measure":"ws","mean":"+Inf","std":"NaN","folds":10,"failed":2}`; err != nil || string(text) != want {
		t.Errorf("got  %s, %v\nwant %s", text, err, want)
	}
}

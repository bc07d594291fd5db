package evaluation

import (
	"encoding/json"
	"math"
	"testing"
)

func TestScoresJSON(t *testing.T) {
	text, err := json.Marshal(Scores{RMSE: 0.5, NLL: -1.25, ECE: 0.1, WS: 0.2, KS: 0, R2: 0.75, MAE: 1e-300})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rmse":0.5,"nll":-1.25,"ece":0.1,"ws":0.2,"ks":0,"r2":0.75,"mae":1e-300}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestScoresJSONNotFinite(t *testing.T) {
	in := struct{ Scores Scores }{Scores{RMSE: 0.5, NLL: math.Inf(-1), ECE: 0.1, WS: math.Inf(1), KS: 0.3, R2: math.NaN(), MAE: 0.4}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"Scores":{"rmse":0.5,"nll":null,"ece":0.1,"ws":null,"ks":0.3,"r2":null,"mae":0.4}}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	out := in
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	compare(t, out.Scores, Scores{RMSE: 0.5, NLL: nan, ECE: 0.1, WS: nan, KS: 0.3, R2: nan, MAE: 0.4}, 0)
}

func TestScoresJSONAbsent(t *testing.T) {
	var s Scores
	if err := json.Unmarshal([]byte(`{"rmse":1,"nll":2}`), &s); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	compare(t, s, Scores{RMSE: 1, NLL: 2, ECE: nan, WS: nan, KS: nan, R2: nan, MAE: nan}, 0)
}

func TestScoresJSONWrongType(t *testing.T) {
	s := Scores{RMSE: 7}
	if err := json.Unmarshal([]byte(`{"rmse":"low"}`), &s); err == nil {
		t.Error("a string was read as a score")
	}
	if s.RMSE != 7 {
		t.Errorf("RMSE = %v after an error; want it untouched", s.RMSE)
	}
}

package evaluation

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/strict"
	"sml/models"
)

// The twelve rows of measure's TestScores.
var (
	someMean = []float64{0.3, -1.2, 0.7, 2.1, -0.4, 0.05, 1.5, -2.2, 0.9, -0.15, 0.6, 3.3}
	someStd  = []float64{0.5, 0.4, 1.1, 0.263, 0.25, 0.9, 2.0, 0.7, 0.15, 0.6, 0.8, 1.4}
	someY    = []float64{0.1, -0.7, 1.9, 2.0, -0.9, 0.05, -1.1, -2.9, 1.35, 0.2, 0.75, 1.2}
)

// Scores in the target's unit are those that its own numbers have, and stay
// finite in units whose squares would not.
func TestEvaluateInTheTargetsUnit(t *testing.T) {
	for _, unit := range []float64{1, 3.5, 1e250, 1e-250} {
		p := &Predictions{Targets: 1}
		y := make([]float64, len(someY))
		for i := range someY {
			p.Values = append(p.Values, normal(someMean[i], someStd[i]))
			y[i] = someY[i]*unit + 10*unit
		}
		e := expect.Must(Evaluate(p, Truth{Y: y, Columns: data.Scalers{{Name: "y", Mean: 10 * unit, Std: unit}}}, data.Sound, nil))
		// NumPy 1.24.2, as in measure's TestScores; the NLL of a density in a unit u is that of the unit 1 plus log u.
		near(t, "RMSE", e.Original.Get("rmse")/unit, 1.0800270058351937, 1e-12)
		near(t, "MAE", e.Original.Get("mae")/unit, 0.7375, 1e-12)
		near(t, "NLL", e.Original.Get("nll"), 0.36556387533094026+math.Log(unit), 1e-9)
		near(t, "WS", e.Original.Get("ws"), 0.3228802376778434, 1e-9)
		near(t, "R2", e.Original.Get("r2"), 0.3663601640967603, 1e-12)
	}
}

// A finite target that is none in units of the training is named as it was written.
func TestEvaluateTooFar(t *testing.T) {
	p := &Predictions{Targets: 1, Values: []models.Prediction{normal(0, 1), normal(0, 1)}}
	_, err := Evaluate(p, Truth{Y: []float64{1, 1.7e308}, Columns: data.Scalers{{Name: "y", Std: 0.1}}}, data.Sound, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "row 2 to be scored: target y is 1.7e+308, more than") {
		t.Errorf("got %v", err)
	}
}

// An evaluation is written into models, and printed, whatever its scores are, and
// read again; so are those of earlier models, which have null where there is a
// word now.
func TestEvaluationJSON(t *testing.T) {
	p := &Predictions{Targets: 2, Samples: 3, Values: []models.Prediction{normal(1, 0), normal(2, 1)}}
	e := expect.Must(Evaluate(p, Truth{Y: []float64{0, 2}, Columns: data.Scalers{{Name: "a", Std: 1}, {Name: "b", Std: 1}}}, data.Sound, nil))
	share := strict.Number(math.Inf(1)) // as a predictor may make it
	e.DropoutFraction = &share
	text, err := json.Marshal(e)
	if err != nil || !bytes.Contains(text, []byte(`"ws":"+Inf"`)) || !bytes.Contains(text, []byte(`"r2":"NaN"`)) || bytes.Contains(text, []byte("null")) {
		t.Fatalf("%s, %v", text, err)
	}
	var back Evaluation
	expect.NoError(t, strict.Unmarshal(text, &back))
	if again, err := json.Marshal(back); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s\ncomes back as %s, %v", text, again, err)
	}
	earlier := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`"+Inf"`), []byte("null")), []byte(`"NaN"`), []byte("null"))
	if err := json.Unmarshal(earlier, &back); err != nil || !math.IsNaN(back.Standardised.Get("ws")) || back.Columns[1].Standardised.Get("rmse") != 0 {
		t.Errorf("%s\nis read as %+v, %v", earlier, back, err)
	}
}

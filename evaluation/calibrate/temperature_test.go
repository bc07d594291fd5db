package calibrate

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// classRows are predictions of three classes.
func classRows() Rows {
	family := distribution.Categorical(3)
	r := Rows{Predictions: &evaluation.Predictions{Family: family, Targets: 1}}
	for _, p := range [][]float64{{.7, .2, .1}, {.1, .5, .4}, {.3, .3, .4}, {.5, .45, .05}, {.2, .2, .6}, {.25, .5, .25}} {
		logs := make([]float64, len(p))
		for i, q := range p {
			logs[i] = math.Log(q)
		}
		r.Predictions.Values = append(r.Predictions.Values, models.NewPrediction(family, logs, nil))
	}
	r.Y = []float64{0, 1, 0, 2, 2, 1}
	return r
}

// The temperature, and the log loss and probabilities by it, of SciPy 1.10.1:
// minimize_scalar(lambda T: log_loss(y, softmax(log(p)/T, 1)), bounds=(0.05, 20),
// method="bounded", options={"xatol": 1e-12}).
func TestTemperature(t *testing.T) {
	for _, c := range []struct {
		weights                   []float64
		temperature, firstOfFirst float64
	}{
		{nil, 1.85386713, 0.53797227},
		{[]float64{3, 2, 0.5, 0.1, 1, 1.5}, 0.25423783, 0.99234051},
	} {
		r := classRows()
		r.Weights = c.weights
		fitted := expect.Must(Fit(r, Options{Kind: "temperature"}))
		if got := fitted.Groups[0].Targets[0].Temperature; math.Abs(got-c.temperature) > 1e-6 {
			t.Errorf("the temperature is %v, want %v", got, c.temperature)
		}
		p := fitted.Apply(r.Predictions, nil).Values[0].Distribution.(distribution.Classes)
		if math.Abs(p[0]-c.firstOfFirst) > 1e-6 || math.Abs(p[0]+p[1]+p[2]-1) > 1e-12 {
			t.Errorf("calibrated %v, want %v first", p, c.firstOfFirst)
		}
		if err := fitted.Check(r.Predictions.Family); err != nil {
			t.Error(err)
		}
		if err := fitted.Check(distribution.Normal); err == nil {
			t.Error("a temperature of numbers is taken")
		}
		text, _ := json.Marshal(fitted)
		if !strings.Contains(string(text), `"temperature":`) {
			t.Errorf("%s", text)
		}
	}
}

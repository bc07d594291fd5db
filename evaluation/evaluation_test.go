package evaluation

import (
	"math"
	"strings"
	"testing"

	"sml/data"
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
			p.Values = append(p.Values, models.Prediction{Mean: someMean[i], Std: someStd[i]})
			y[i] = someY[i]*unit + 10*unit
		}
		e, err := Evaluate(p, y, []models.Column{{Name: "y", Mean: 10 * unit, Std: unit}}, data.Sound)
		if err != nil {
			t.Fatal(err)
		}
		// NumPy 1.24.2, as in measure's TestScores; the NLL of a density in a unit u is that of the unit 1 plus log u.
		near(t, "RMSE", e.Original.Of("rmse")/unit, 1.0800270058351937, 1e-12)
		near(t, "MAE", e.Original.Of("mae")/unit, 0.7375, 1e-12)
		near(t, "NLL", e.Original.Of("nll"), 0.36556387533094026+math.Log(unit), 1e-9)
		near(t, "WS", e.Original.Of("ws"), 0.3228802376778434, 1e-9)
		near(t, "R2", e.Original.Of("r2"), 0.3663601640967603, 1e-12)
	}
}

// A finite target that is none in units of the training is named as it was written.
func TestEvaluateTooFar(t *testing.T) {
	p := &Predictions{Targets: 1, Values: []models.Prediction{{Std: 1}, {Std: 1}}}
	_, err := Evaluate(p, []float64{1, 1.7e308}, []models.Column{{Name: "y", Std: 0.1}}, data.Sound)
	if err == nil || !strings.HasPrefix(err.Error(), "row 2 of those judged: the target y is 1.7e+308, more than") {
		t.Errorf("got %v", err)
	}
}

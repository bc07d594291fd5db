package evaluation

import (
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/models"
)

// A panic in a measure is an error with its line, as in a predictor. The measure
// panics here alone: other tests have their scores by it, too.
func TestMeasurePanics(t *testing.T) {
	broken := false
	measure.Register(measure.Measure{Name: "broken", Title: "broken", Unit: measure.None, Compute: func(*measure.Column) float64 {
		if broken {
			panic("out of order")
		}
		return 0
	}})
	broken = true
	defer func() { broken = false }()
	p := &Predictions{Targets: 1, Values: []models.Prediction{normal(1, 1)}}
	_, err := Evaluate(p, Truth{Y: []float64{1}, Columns: data.Scalers{{Name: "y", Std: 1}}}, data.Sound, nil)
	expect.Error(t, err, "the measure broken: out of order (at measure_panic_test.go:")
}

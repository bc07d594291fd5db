package models_test

import (
	"math"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// A step refuses to run until masks, progress and every input that the objective reads are set, and says how.
// Without masks, units that drop would all be 0; without rows, a mean over them would be NaN.
func TestStepRefusesWhatIsNotSet(t *testing.T) {
	models.Register(models.Method{
		Name:            "reads-all",
		DropLayers:      models.AllLayers,
		Predict:         methods.PredictFullNetwork,
		Hyperparameters: []models.Hyperparameter{{Name: "weight", Default: 1.0, Range: models.Range{Min: 0, Max: 10}}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			_, std := t.TargetScale()
			extra := b.Mul(t.Column("flag"), b.Mean(b.Mul(std, t.InputRange())))
			f := b.Add(t.Forward(graph.Drop(0)), extra)
			return b.WeightedSum(
				graph.Term{Name: "fit", Weight: 1, Value: t.MSE(f, t.Y)},
				t.Term("rest", "weight", b.Div(t.Progress(), t.TrainingRows())),
			)
		},
	})
	spec := expect.Must(models.NewSpec("reads-all", models.Hyperparameters{"weight": "linear(0,1,1)"}, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{4}, Dropout: 0.5}))
	spec.Weighted = true
	step := expect.Must(spec.NewStep(graph.Compiled, new(graph.Params), 2))
	defer step.Close()
	var position models.Position
	for _, c := range []struct {
		set  func()
		want string // error after set; "" for none
	}{
		{func() {}, `input "x" is NaN, as before it is set: fill Step.X`},
		{func() { step.X[0] = 1 }, `number 2 of the input "x"`},
		{func() { step.X[1] = 1 }, `"y" is NaN, as before it is set: fill Step.Y`},
		{func() { clear(step.Y) }, "call Scale with the scalers"},
		{func() { _ = step.Scale(nil, data.Scalers{{Std: 2}}) }, `fill the Values of "flag" in Step.Extras`},
		{func() { clear(step.Extras[0].Values) }, "fill Step.InputRange"},
		{func() { step.InputRange[0] = 4 }, "fill Step.Weight"},
		{func() { copy(step.Weight, []float32{1, 1}) }, "call Run with Step, Steps and Rows"},
		{func() { position = models.Position{Step: 1, Rows: 2} }, "call Run with"},
		{func() { position = models.Position{Step: 1, Steps: 2} }, "call Run with"},
		{func() { position = models.Position{Step: 1, Steps: 2, Rows: 2} }, ""},
		{func() { position = models.Position{Step: 2, Steps: 2} }, "call Run with"},
	} {
		c.set()
		err := step.Run(position)
		if c.want == "" {
			expect.NoError(t, err)
			continue
		}
		expect.Error(t, err, c.want)
	}
	if math.IsNaN(float64(step.Loss())) {
		t.Errorf("the loss is %v", step.Loss())
	}
}

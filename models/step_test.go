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

// hessianSpec returns a spec of a small network with the given method, dropout and smooth units.
func hessianSpec(t *testing.T, method string) models.Spec {
	t.Helper()
	return expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{5, 4}, Activation: "tanh", Dropout: 0.2}))
}

// runBatch fills a step with a batch of four rows and runs it.
func runBatch(t *testing.T, step *models.Step) {
	t.Helper()
	copy(step.X, []float32{0.5, -1, 1.5, 0.25, -0.75, 1, 0, -0.5})
	copy(step.Y, []float32{1, -0.5, 0.25, 2})
	expect.NoError(t, step.Scale(nil, nil))
	expect.NoError(t, step.Run(models.Position{Step: 3, Steps: 10, Epochs: 1, Rows: 4, Masks: graph.MaskKey{Seed: 7, Step: 3}}))
}

// A product of the Hessian with a vector agrees with central differences of the gradient along the vector, and
// CopyBatch gives the loss and the gradient of the same batch to the byte.
func TestHessianVectorByDifferences(t *testing.T) {
	for _, method := range []string{"mc", "pu"} {
		spec := hessianSpec(t, method)
		params := expect.Must(spec.NewParams(1))
		step := expect.Must(spec.NewStep(graph.Compiled, params, 4))
		defer step.Close()
		hessian := expect.Must(spec.NewHessianStep(graph.Compiled, params, 4))
		defer hessian.Close()
		runBatch(t, step)
		hessian.CopyBatch(step)
		values := params.Float32s()
		v, product := make([]float32, len(values)), make([]float32, len(values))
		for i := range v {
			v[i] = float32(math.Sin(float64(i)))
		}
		expect.NoError(t, hessian.Product(product, v))
		if hessian.Loss() != step.Loss() {
			t.Errorf("%s: the loss is %v, and in the step %v", method, hessian.Loss(), step.Loss())
		}
		const h = 4e-3
		differences := make([]float64, len(values))
		for _, sign := range []float64{1, -1} {
			for i, u := range v {
				values[i] += float32(sign * h * float64(u))
			}
			runBatch(t, step)
			for i, g := range step.Gradient() {
				differences[i] += sign * float64(g) / (2 * h)
			}
			for i, u := range v {
				values[i] -= float32(sign * h * float64(u))
			}
		}
		size, distance := 0.0, 0.0
		for i, p := range product {
			size = math.Max(size, math.Abs(float64(p)))
			distance = math.Max(distance, math.Abs(float64(p)-differences[i]))
		}
		if !(distance < 2e-4*size) {
			t.Errorf("%s: products of up to %v differ from differences by up to %v", method, size, distance)
		}
	}
}

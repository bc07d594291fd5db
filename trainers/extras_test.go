package trainers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

func init() {
	register := func(name string, objective models.Objective) {
		models.Register(models.Method{Name: name, Summary: name, Source: "a test", Objective: objective, Predict: methods.PredictFullNetwork})
	}
	register("test-signed", func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.MSE(t.Forward(graph.Full), b.Mul(t.Y, t.Column("sign")))
	})
	register("test-unweighted", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.MSE(t.Forward(graph.Full), t.Y)
	})
}

// weightedSpec returns the spec of a method whose loss uses weights of the rows if weighted is set.
func weightedSpec(t *testing.T, method string, weighted bool) models.Spec {
	t.Helper()
	s := specOf(t, method)
	s.Weighted = weighted
	return s
}

// Targets with random signs can be learned only from an extra column with the signs, and only if each row
// gets its own value: on every engine, in batches and in a subset.
func TestColumnReachesItsRows(t *testing.T) {
	r := wave(100)
	r.Extras = []string{"noise", "sign"}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range r.Y {
		sign := float64(2*rng.IntN(2) - 1)
		r.Y[i] *= sign
		r.E = append(r.E, 100*rng.Float64(), sign)
		if i%5 > 0 {
			r.Indices = append(r.Indices, int32(i))
		}
	}
	for _, engine := range graph.Engines() {
		s := Settings{Epochs: 60, Batch: 10, LearningRate: 0.02, Engine: engine, Protocol: data.Sound}
		result := mustTrain(t, specOf(t, "test-signed"), r, s, Options{})
		if last := result.History.Rows[59].Values[0]; last > 0.02 {
			t.Errorf("%s: the last loss is %v", engine, last)
		}
		if want := []string{`method test-signed does not read the column "noise"`}; !slices.Equal(result.Warnings, want) {
			t.Errorf("%s: warnings %q, want %q", engine, result.Warnings, want)
		}
	}
}

func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= 1e-5*max(1, math.Abs(float64(b))) })
}

// fullGradient returns the gradient of a method's loss of all rows, by a step of gradient descent with the rate 1 and no
// momentum.
func fullGradient(t *testing.T, spec models.Spec, r data.Subset) []float32 {
	t.Helper()
	spec.Weighted = r.W != nil
	spec.PartlyKnown = slices.ContainsFunc(r.Y, math.IsNaN)
	result := mustTrain(t, spec, r, Settings{
		Epochs: 1, Batch: len(r.RowNumbers(2)), LearningRate: 1, Members: 1, Protocol: data.Sound,
		Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.0},
	}, Options{})
	g := slices.Clone(expect.Must(spec.NewParams(memberSeed(Settings{}.FoldSeed(), 0))).Float32s())
	for i, v := range result.Members[0].Float32s() {
		g[i] -= v
	}
	return g
}

// A row with the weight 0 changes no bit of the gradient, and equal weights are as good as none. A row with twice the
// weight of others counts as two rows.
func TestWeightsInTheGradient(t *testing.T) {
	r := wave(12)
	r.W = slices.Repeat([]float64{3e200}, 12)
	r.W[5] = 0
	before := fullGradient(t, specOf(t, "de"), r)
	r.Y[5], r.X[10] = 77, -3
	if !slices.Equal(before, fullGradient(t, specOf(t, "de"), r)) {
		t.Error("a row with the weight 0 changes the gradient")
	}
	without := wave(12)
	without.Indices = []int32{0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11}
	if !near(before, fullGradient(t, specOf(t, "de"), without)) {
		t.Error("a row with the weight 0 is not as good as none")
	}
	r = wave(12)
	r.W = slices.Repeat([]float64{0.5}, 12)
	r.W[3] = 1
	twice := wave(12)
	twice.Indices = append(twice.RowNumbers(2), 3)
	if got := fullGradient(t, specOf(t, "de"), r); !near(got, fullGradient(t, specOf(t, "de"), twice)) || near(got, fullGradient(t, specOf(t, "de"), wave(12))) {
		t.Error("a row with twice the weight is not as good as two")
	}
}

// The validation loss is Σ w·l / Σ w over the validation rows, l being the loss of a
// row alone.
func TestValidationLossIsWeighted(t *testing.T) {
	r := wave(40)
	for i := range r.Y {
		r.W = append(r.W, float64(i%4))
	}
	m := newTestMember(t, weightedSpec(t, "de", true), Settings{Epochs: 1, Batch: 8, Validation: 0.5, Members: 1, Protocol: data.Sound}, r)
	got := expect.Must(m.validateEpoch())
	sum, weights := 0.0, 0.0
	for _, i := range m.validationRows {
		step := expect.Must(m.trainingStep(1))
		m.loadRows(step, []int32{i}, 1)
		copy(step.Weight, []float32{1})
		expect.NoError(t, step.Run(models.Position{}))
		sum += r.W[i] * float64(step.Loss())
		weights += r.W[i]
	}
	if want := sum / weights; math.Abs(got-want) > 1e-6*want {
		t.Errorf("validation loss %v, want %v", got, want)
	}
}

func TestMistakesWithColumnsAndWeights(t *testing.T) {
	r := wave(10)
	with := func(change func(*data.Subset)) data.Subset {
		r := wave(10)
		change(&r)
		return r
	}
	weights := func(w ...float64) data.Subset {
		return with(func(r *data.Subset) { r.W = append(slices.Repeat([]float64{1}, 10-len(w)), w...) })
	}
	for _, c := range []struct {
		method   string
		weighted bool
		rows     data.Subset
		want     string
	}{
		{"test-signed", false, r, `the objective of method test-signed reads the column "sign", and the table has no extra columns; read it as an extra column`},
		{"test-signed", false, with(func(r *data.Subset) { r.Extras, r.E = []string{"a", "b"}, make([]float64, 20) }),
			`the objective of method test-signed reads the column "sign", and the table's extra columns are: a, b; read it as an extra column`},
		{"test-signed", false, with(func(r *data.Subset) { r.Extras, r.E = []string{"sign"}, make([]float64, 9) }), "9 values are not rows of the 1 extra columns sign"},
		{"test-signed", false, with(func(r *data.Subset) { r.Extras, r.E = []string{"sign"}, slices.Repeat([]float64{1e300}, 10) }),
			"row 1, extra column 1: 1e+300, or 1e+300 when standardised, is not a finite float32 number"},
		{"test-unweighted", true, weights(2), "rows have weights, and the objective of method test-unweighted ignores them"},
		{"de", false, with(func(r *data.Subset) { r.XScale = data.Scalers{{Std: 1}} }), "there are 1 scalers of the inputs: want 2, or nil for none"},
		{"de", false, with(func(r *data.Subset) { r.YScale = data.Scalers{} }), "there are 0 scalers of the targets: want 1"},
		{"de", false, with(func(r *data.Subset) { r.Separation.Values = []float64{1} }), "there are 1 values that separate the rows: want 10"},
		{"de", false, with(func(r *data.Subset) { r.Separation.Classes = []float64{1} }), "there are 1 classes that separate the rows: want 10"},
		{"de", true, r, "the loss weights rows (Spec.Weighted), and the rows have no weights"},
		{"de", false, weights(2), "the rows have weights, and the loss does not use them: set Spec.Weighted"},
		{"de", true, with(func(r *data.Subset) { r.W = []float64{1} }), "1 weights for 10 rows: want one weight for each row"},
		{"de", true, weights(-1), "row 10: its weight is -1: want a finite number of 0 or more"},
		{"de", true, weights(math.NaN()), "row 10: its weight is NaN"},
		{"de", true, with(func(r *data.Subset) { r.W = make([]float64, 10) }), "the weights of all 10 rows are 0"},
	} {
		expect.Error(t, trainError(t, weightedSpec(t, c.method, c.weighted), c.rows, Settings{Epochs: 1, Batch: 5}, Options{}), c.want)
	}
}

// twoTargets returns rows with a second target, which is known in every third row alone if partly is set.
func twoTargets(n int, partly bool) data.Subset {
	rows := wave(n)
	var y []float64
	for i, first := range rows.Y {
		second := first - rows.X[2*i]
		if partly && i%3 != 0 {
			second = math.NaN()
		}
		y = append(y, first, second)
	}
	rows.Y = y
	return rows
}

// ofTwoTargets returns the spec of a method of two targets.
func ofTwoTargets(method string) models.Spec {
	return expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 2, Hidden: []int{8}}))
}

// headGradient returns the gradient of the last layer's weights for the second target, of the loss of all rows.
func headGradient(t *testing.T, rows data.Subset) (gradient []float64) {
	t.Helper()
	all := fullGradient(t, ofTwoTargets("de"), rows)
	last := len(all) - 8*2 - 2 // weights [8, 2] of the last layer, and its biases
	for i := last + 1; i < len(all); i += 2 {
		gradient = append(gradient, float64(all[i]))
	}
	return gradient
}

// The loss is a mean over the known targets: the layer that only the second target uses learns as from a table of the
// rows that have this target. With 24 and 8 known targets in place of 8 and 8, its gradient is half as large.
func TestUnknownTargetIsNoRowOfItsHead(t *testing.T) {
	partly := headGradient(t, twoTargets(24, true))
	rows := twoTargets(24, false)
	for i := int32(0); i < 24; i += 3 {
		rows.Indices = append(rows.Indices, i)
	}
	for i, want := range headGradient(t, rows) {
		if math.Abs(2*partly[i]-want) > 1e-6 {
			t.Errorf("gradient %d is %v, want half of %v", i, partly[i], want)
		}
	}
}

func TestPartlyKnownMistakes(t *testing.T) {
	none := twoTargets(6, true)
	none.Y[4] = math.NaN()
	infinite := twoTargets(6, true)
	infinite.Y[0] = math.Inf(1)
	for _, c := range []struct {
		method string
		rows   data.Subset
		want   string
	}{
		{"de", none, "row 3 has none of the 2 targets: want at least one"},
		{"de", infinite, "row 1, target column 1: +Inf"},
		{"test-unweighted", twoTargets(6, true), "some rows lack a target, whose weight is 0, and the objective of method test-unweighted ignores them: end it with Task.Mean"},
	} {
		spec := ofTwoTargets(c.method)
		spec.PartlyKnown = true
		expect.Error(t, trainError(t, spec, c.rows, Settings{Epochs: 1, Batch: 6}, Options{}), c.want)
	}
}

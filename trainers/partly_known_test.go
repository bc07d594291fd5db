package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// twoTargets returns rows with a second target, which is known in every third row alone if partly is set.
func twoTargets(n int, partly bool) data.Subset {
	rows := rowsOf(n)
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

// trainTwoTargets returns the weights before and after a training of one step of gradient descent with the rate 1.
func trainTwoTargets(t *testing.T, rows data.Subset, method string) (initial, trained []float32, err error) {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 2, Hidden: []int{8}, Activation: "relu"}))
	spec.Weighted = rows.W != nil
	spec.PartlyKnown = slices.ContainsFunc(rows.Y, math.IsNaN)
	params, err := spec.NewParams(memberSeed(Settings{}.FoldSeed(), 0))
	if err != nil {
		return nil, nil, err
	}
	result, err := Train(t.Context(), spec, rows, Settings{
		Epochs: 1, Batch: len(rows.RowNumbers(2)), LearningRate: 1, Members: 1, Protocol: data.Sound,
		Optimizer: "sgd", OptimizerHyperparameters: models.Hyperparameters{"momentum": 0.0},
	}, Options{})
	if err != nil {
		return nil, nil, err
	}
	return params.Float32s(), result.Members[0].Float32s(), nil
}

// headGradient returns the gradient of the last layer's weights for the second target, of the loss of all rows.
func headGradient(t *testing.T, rows data.Subset) []float64 {
	t.Helper()
	initial, trained, err := trainTwoTargets(t, rows, "de")
	expect.NoError(t, err)
	last := len(initial) - 8*2 - 2 // weights [8, 2] of the last layer, and its biases
	var gradient []float64
	for i := last + 1; i < len(initial); i += 2 {
		gradient = append(gradient, float64(initial[i])-float64(trained[i]))
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

// Row weights that are all equal have no effect.
func TestWeightsOfPartlyKnownRows(t *testing.T) {
	rows := twoTargets(24, true)
	rows.W = slices.Repeat([]float64{3}, 24)
	_, want, err := trainTwoTargets(t, rows, "de")
	expect.NoError(t, err)
	rows.W = slices.Repeat([]float64{1}, 24)
	_, got, err := trainTwoTargets(t, rows, "de")
	expect.NoError(t, err)
	if !near(got, want) {
		t.Error("equal weights change the training")
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
		{"laplace-ll", twoTargets(6, true), "method laplace-ll reads all targets of the training rows after the training, and some rows lack a target"},
		{"test-unweighted", twoTargets(6, true), "some rows lack a target, whose weight is 0, and the objective of method test-unweighted ignores them: end it with Task.Mean"},
	} {
		_, _, err := trainTwoTargets(t, c.rows, c.method)
		expect.Error(t, err, c.want)
	}
}

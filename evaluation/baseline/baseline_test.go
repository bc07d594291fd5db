package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// drawRows returns rows of three features whose targets are 1 + 2a − 3b + noise·N(0, 1); the third feature is
// constant.
func drawRows(n int, noise float64) Rows {
	random := rand.New(rand.NewPCG(1, 2))
	r := Rows{Inputs: 3}
	for i := range n {
		a, b := random.NormFloat64(), 100*random.NormFloat64()
		r.X = append(r.X, a, b, 7)
		r.Numbers = append(r.Numbers, i)
		r.Y = append(r.Y, 1+2*a-3*b+noise*random.NormFloat64())
	}
	return r
}

// Ridge regression finds a linear function, and the standard deviation of the noise around it.
func TestRidgeFindsLinearFunction(t *testing.T) {
	train := drawRows(2000, 0.5)
	predictions := expect.Must(Predict(train, drawRows(10, 0)))
	ridge := predictions[0].Column
	for row, mean := range ridge.Mean {
		if math.Abs(mean-ridge.Y[row]) > 0.1 {
			t.Errorf("row %d: %v is predicted for %v", row, mean, ridge.Y[row])
		}
	}
	if math.Abs(ridge.Std[0]-0.5) > 0.03 { // three standard errors: 0.5/√4000 each
		t.Errorf("the standard deviation is %v; want 0.5", ridge.Std[0])
	}
}

// Targets whose squares overflow are an error, and no panic.
func TestHugeTargets(t *testing.T) {
	train := drawRows(30, 1)
	for i := range train.Y {
		train.Y[i] *= 1e200
	}
	if _, err := Predict(train, train); err == nil {
		t.Error("there is no error")
	}
}

// A weight of 2 counts as two rows, and a weight of 0 as none.
func TestWeights(t *testing.T) {
	weighted := drawRows(40, 20)
	var repeated Rows
	repeated.X, repeated.Inputs = weighted.X, weighted.Inputs
	for i, y := range weighted.Y {
		weighted.Weights = append(weighted.Weights, float64(i%3))
		for range i % 3 {
			repeated.Numbers = append(repeated.Numbers, i)
			repeated.Y = append(repeated.Y, y)
		}
	}
	got, want := predictConstant(weighted, weighted), predictConstant(repeated, weighted)
	if math.Abs(got.Mean[0]-want.Mean[0]) > 1e-12 {
		t.Errorf("the mean is %v; want %v", got.Mean[0], want.Mean[0])
	}
	for _, level := range []float64{0.1, 0.5, 0.9} {
		difference := math.Abs(got.Distributions[0].Quantile(level) - want.Distributions[0].Quantile(level))
		if difference > 100 { // of targets with a standard deviation of 300
			t.Errorf("the quantiles at %v differ by %v", level, difference)
		}
	}
	first, _ := fitWithPenalty(weighted, weighted)
	second, _ := fitWithPenalty(repeated, weighted)
	for row := range first {
		if math.Abs(first[row]-second[row]) > 1e-9 {
			t.Errorf("row %d: %v with weights; want %v", row, first[row], second[row])
		}
	}
}

// fitWithPenalty returns the predicted means of the test rows by a ridge regression with the penalty 0.1, and its
// errors.
func fitWithPenalty(train, test Rows) (means []float64, errors ridgeErrors) {
	const penalty = 0.1
	r := ridge{scaling: chooseFeatures(train, maxFeatures), intercept: train.meanTarget()}
	r.weights, errors = r.multiply(train).solve(penalty)
	return r.predict(test).Mean, errors
}

// The degrees of freedom are the trace of the matrix that maps targets to fitted values: the sum of the changes of
// each fitted value with its own target. The criterion is Golub, Heath and Wahba's equation 1.4.
func TestGeneralisedCrossValidation(t *testing.T) {
	train := drawRows(12, 1)
	fitted, errors := fitWithPenalty(train, train)
	n := float64(len(train.Y))
	trace := 0.0
	squares := 0.0
	for i, y := range train.Y {
		train.Y[i] = y + 1 // the fitted values are linear in the targets: any step is exact
		changed, _ := fitWithPenalty(train, train)
		train.Y[i] = y
		trace += changed[i] - fitted[i]
		squares += (y - fitted[i]) * (y - fitted[i])
	}
	want := squares / n / ((1 - trace/n) * (1 - trace/n))
	if math.Abs(errors.crossValidated/want-1) > 1e-9 {
		t.Errorf("the criterion is %v; want %v", errors.crossValidated, want)
	}
	if want := squares / (n - trace); math.Abs(errors.variance/want-1) > 1e-9 {
		t.Errorf("the variance is %v; want %v", errors.variance, want)
	}
}

// The constant predicts the mean of the training targets and their distribution.
func TestConstant(t *testing.T) {
	train := Rows{X: []float64{0, 0, 0, 0}, Inputs: 1, Numbers: []int{0, 1, 2, 3}, Y: []float64{4, 1, 3, 2}}
	test := Rows{X: train.X, Inputs: 1, Numbers: []int{0}, Y: []float64{2}}
	predictions := expect.Must(Predict(train, test))
	column := predictions[1].Column
	if column.Mean[0] != 2.5 || column.Protocol != data.Sound {
		t.Errorf("the prediction is %v by protocol %s", column.Mean[0], column.Protocol)
	}
	// numpy.quantile([1, 2, 3, 4], 0.9) is 3.7.
	if q := column.Distributions[0].Quantile(0.9); math.Abs(q-3.7) > 1e-12 {
		t.Errorf("the quantile at 0.9 is %v; want 3.7", q)
	}
	// Without a feature that varies, ridge regression predicts the mean, too.
	if mean := predictions[0].Column.Mean[0]; mean != 2.5 {
		t.Errorf("ridge regression predicts %v; want 2.5", mean)
	}
}

// Many features are reduced to those that correlate with the target, and many rows to evenly spaced ones.
func TestLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const inputs = maxFeatures + 20
	train := Rows{Inputs: inputs}
	for i := range 60 {
		for range inputs {
			train.X = append(train.X, random.NormFloat64())
		}
		train.Numbers = append(train.Numbers, i)
		train.Y = append(train.Y, train.X[i*inputs+inputs-1])
	}
	r := fitRidge(train)
	if len(r.features) != maxFeatures || r.features[maxFeatures-1] != inputs-1 {
		t.Errorf("%d features are used, the last is %d", len(r.features), r.features[len(r.features)-1])
	}
	limit := int(maxProducts / (maxFeatures * maxFeatures))
	many := Rows{Inputs: inputs, Numbers: make([]int, 2*limit), Y: make([]float64, 2*limit)}
	if got := len(many.thin(maxRidgeRows(inputs)).Numbers); got != limit {
		t.Errorf("%d rows are used; want %d", got, limit)
	}
}

package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/internal/linear"
	"sml/internal/newton"
)

// threeClasses returns twelve rows of two features and three classes.
func threeClasses() Rows {
	r := Rows{
		X:       []float64{1, 5, 2, 3, 3, 8, 4, 1, 5, 9, 6, 2, 7, 7, 8, 4, 9, 6, 10, 2, 11, 9, 12, 3},
		Inputs:  2,
		Classes: 3,
		Y:       []float64{0, 0, 1, 0, 1, 2, 1, 2, 1, 2, 2, 2},
	}
	for i := range r.Y {
		r.Numbers = append(r.Numbers, i)
	}
	return r
}

// fitWithLogisticPenalty returns a logistic regression of the rows with this penalty.
func fitWithLogisticPenalty(train Rows, penalty float64) logistic {
	l := newLogistic(train)
	loss := l.newLoss(train)
	loss.penalty = penalty
	l.weights = newton.Minimise(loss.at, l.weights)
	return l
}

// checkScores compares the scores of predictions of classes.
func checkScores(t *testing.T, name string, column *measure.Column, want measure.Scores) {
	t.Helper()
	measures := expect.Must(measure.Select(want.Names()))
	for _, score := range column.Score(measures) {
		if difference := math.Abs(score.Score - want.Get(score.Measure)); difference > 1e-9 {
			t.Errorf("%s: the %s is %.12f; want %.12f", name, score.Measure, score.Score, want.Get(score.Measure))
		}
	}
}

// The scores of logistic regression and of the class frequencies. Source: scikit-learn 1.2.1 on the standardised
// features (population standard deviation), LogisticRegression(C=1/(0.1*12), tol=1e-12, multi_class="multinomial",
// solver="newton-cg"), sklearn.metrics.log_loss and accuracy_score; the Brier score is the mean of ((P − T)²).sum(1).
func TestClassScoresAgreeWithScikitLearn(t *testing.T) {
	train := threeClasses()
	checkScores(t, logisticName, fitWithLogisticPenalty(train, 0.1).predict(train), measure.Scores{
		{Measure: "log-loss", Score: 0.460930314123},
		{Measure: "brier", Score: 0.252283470020},
		{Measure: "accuracy", Score: 0.833333333333},
	})
	checkScores(t, constantName, predictConstant(train, train), measure.Scores{
		{Measure: "log-loss", Score: 1.077556327067},
		{Measure: "brier", Score: 0.652777777778},
		{Measure: "accuracy", Score: 0.416666666667},
	})
}

// The same with weights of the rows, which also weight the means and standard deviations of the features.
func TestWeightedLogisticAgreesWithScikitLearn(t *testing.T) {
	train := threeClasses()
	train.Weights = []float64{1, 2, 1, 0.5, 1, 1, 3, 1, 1, 1, 2, 1}
	checkScores(t, logisticName, fitWithLogisticPenalty(train, 0.1).predict(train), measure.Scores{
		{Measure: "log-loss", Score: 0.478276607980},
	})
}

// The gradient and the products with the Hessian are the differences of the loss and of the gradient.
func TestLogisticDerivatives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	train := threeClasses()
	train.Weights = []float64{1, 2, 0, 0.5, 1, 1, 3, 1, 1, 1, 2, 1}
	loss := newLogistic(train).newLoss(train)
	loss.penalty = 0.3
	weights := make([]float64, 9)
	direction := make([]float64, 9)
	for i := range weights {
		weights[i] = random.NormFloat64()
		direction[i] = random.NormFloat64()
	}
	at := loss.at(weights)
	const step = 1e-5
	for i := range weights {
		unit := make([]float64, len(weights))
		unit[i] = 1
		after, before := loss.at(moved(weights, step, unit)), loss.at(moved(weights, -step, unit))
		if got := (after.Value - before.Value) / (2 * step); math.Abs(got-at.Gradient[i]) > 1e-9 {
			t.Errorf("derivative %d is %v; by differences %v", i, at.Gradient[i], got)
		}
	}
	product := at.Multiply(direction)
	after, before := loss.at(moved(weights, step, direction)), loss.at(moved(weights, -step, direction))
	for i := range product {
		if got := (after.Gradient[i] - before.Gradient[i]) / (2 * step); math.Abs(got-product[i]) > 1e-9 {
			t.Errorf("element %d of the product with the Hessian is %v; by differences %v", i, product[i], got)
		}
	}
}

// moved returns x + length·direction.
func moved(x []float64, length float64, direction []float64) []float64 {
	y := append([]float64(nil), x...)
	linear.AddScaled(y, length, direction)
	return y
}

// All derivatives are 0 at the fitted weights, with the smallest and the largest penalty.
func TestLogisticMinimum(t *testing.T) {
	train := drawClasses(300)
	for _, penalty := range []float64{penalties[0], penalties[len(penalties)-1]} {
		l := fitWithLogisticPenalty(train, penalty)
		loss := l.newLoss(train)
		loss.penalty = penalty
		for i, derivative := range loss.at(l.weights).Gradient {
			if math.Abs(derivative) > 1e-8 {
				t.Errorf("penalty %v: derivative %d is %v", penalty, i, derivative)
			}
		}
	}
}

// drawClasses returns rows of four features and three classes, whose log odds are linear in the first two features.
func drawClasses(n int) Rows {
	random := rand.New(rand.NewPCG(9, 10))
	r := Rows{Inputs: 4, Classes: 4} // no row has the class 2
	for i := range n {
		a, b := random.NormFloat64(), random.NormFloat64()
		r.X = append(r.X, a, 10*b, random.NormFloat64(), 3)
		r.Numbers = append(r.Numbers, i)
		scores := []float64{2 * a, 2 * b, math.Inf(-1), 0}
		best := 0
		for class := range scores {
			scores[class] -= math.Log(random.ExpFloat64()) // the largest has the probabilities of a softmax (Gumbel)
			if scores[class] > scores[best] {
				best = class
			}
		}
		r.Y = append(r.Y, float64(best))
	}
	return r
}

// A logistic regression finds the function that made the classes: the log odds of the classes 0 and 3 rise by 2 for each
// unit of the first feature. A class without training rows has the probability 0.
func TestLogisticFindsFunction(t *testing.T) {
	train := drawClasses(5000)
	l := fitLogistic(train)
	test := Rows{X: []float64{0, 0, 0, 3, 1, 0, 0, 3}, Inputs: 4, Classes: 4, Numbers: []int{0, 1}, Y: []float64{0, 0}}
	predictions := expect.Must(Predict(train, test))
	if len(l.features) != 3 {
		t.Errorf("%d features are used; want the 3 that vary", len(l.features))
	}
	logOdds := func(row int) float64 {
		d := predictions[0].Column.Distributions[row]
		return d.LogDensity(0) - d.LogDensity(3)
	}
	if rise := logOdds(1) - logOdds(0); math.Abs(rise-2) > 0.25 { // about four standard errors
		t.Errorf("the log odds rise by %v; want 2", rise)
	}
	if absent := predictions[0].Column.Distributions[0].LogDensity(2); !math.IsInf(absent, -1) {
		t.Errorf("the log probability of the absent class is %v", absent)
	}
}

// The chosen penalty has the lowest log loss on every fifth row, for fits to the other rows, by trial of all penalties.
func TestLogisticPenalty(t *testing.T) {
	train := drawClasses(60)
	var fitted, heldOut []int
	for i := range train.Numbers {
		if i%5 == 4 {
			heldOut = append(heldOut, i)
		} else {
			fitted = append(fitted, i)
		}
	}
	best := 0.0
	lowest := math.Inf(1)
	for _, penalty := range penalties {
		column := fitWithLogisticPenalty(train.choose(fitted), penalty).predict(train.choose(heldOut))
		loss := 0.0
		for row, y := range column.Y {
			loss -= column.Distributions[row].LogDensity(y)
		}
		if loss < lowest {
			lowest = loss
			best = penalty
		}
	}
	if got := newLogistic(train).choosePenalty(train); got != best {
		t.Errorf("the penalty is %v; want %v", got, best)
	}
}

// Separable classes, whose weights would grow without bound, and very few rows have a finite fit.
func TestLogisticOfFewRows(t *testing.T) {
	train := Rows{X: []float64{1, 2, 3, 4, 5, 6}, Inputs: 1, Classes: 2, Numbers: []int{0, 1, 2, 3, 4, 5}, Y: []float64{0, 0, 0, 1, 1, 1}}
	for _, rows := range []int{2, 4, 6} {
		positions := []int{0, 5, 1, 4, 2, 3}[:rows]
		predictions := expect.Must(Predict(train.choose(positions), train))
		column := predictions[0].Column
		if p := math.Exp(column.Distributions[5].LogDensity(1)); !(p > 0.5 && p <= 1) {
			t.Errorf("%d rows: the probability of the right class is %v", rows, p)
		}
	}
}

// Of many features, those that correlate with membership in a class are used; of many rows, evenly spaced ones.
func TestLogisticLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const inputs = maxLogisticFeatures + 20
	train := Rows{Inputs: inputs, Classes: 3}
	for i := range 300 {
		class := float64(i % 3)
		for range inputs - 1 {
			train.X = append(train.X, random.NormFloat64())
		}
		train.X = append(train.X, class)
		train.Numbers = append(train.Numbers, i)
		train.Y = append(train.Y, class)
	}
	s := chooseFeatures(train, maxLogisticFeatures)
	if len(s.features) != maxLogisticFeatures || s.features[maxLogisticFeatures-1] != inputs-1 {
		t.Errorf("%d features are used, the last is %d", len(s.features), s.features[len(s.features)-1])
	}
}

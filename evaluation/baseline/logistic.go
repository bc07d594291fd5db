package baseline

import (
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/linear"
	"sml/internal/newton"
	"sml/internal/portable"
	"sml/models/distribution"
)

const (
	// maxLogisticFeatures is the maximum number of features of a logistic regression.
	maxLogisticFeatures = 100

	// maxLogisticWork is the maximum of rows · features · classes, about the number of multiplications of one
	// gradient; a fit takes some hundred of them. Of more rows, evenly spaced ones are used.
	maxLogisticWork = 2e6

	// heldOutEvery chooses the rows that the penalty is chosen by: every fifth training row.
	heldOutEvery = 5
)

// logistic is a multinomial logistic regression: the logarithms of the probabilities of the classes are linear functions
// of standardised features, up to a common number.
//
// The weights minimise the mean log loss plus penalty/2 times the sum of the squares of all weights but the intercepts.
// Of the penalties of ridge regression, the one is chosen whose fit to the other training rows has the lowest log loss on
// every fifth. They are tried from the largest on, until the log loss rises.
//
// Source: Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning, section 4.4.
type logistic struct {
	scaling
	classes int       // number of classes; one without training rows has the probability 0
	present []int     // classes with training rows, ascending
	weights []float64 // of the features and the intercept of each present class
}

// fitLogistic fits a logistic regression to the training rows.
func fitLogistic(train Rows) logistic {
	l := newLogistic(train)
	loss := l.newLoss(train)
	loss.penalty = l.choosePenalty(train)
	l.weights = newton.Minimise(loss.at, l.weights)
	return l
}

// maxLogisticRows returns the maximum number of rows that a logistic regression of this number of inputs and classes
// uses.
func maxLogisticRows(inputs, classes int) int {
	features := max(1, min(inputs, maxLogisticFeatures))
	return max(2, int(maxLogisticWork/float64(features*classes)))
}

// newLogistic returns a logistic regression with weights of 0 for the features and classes of the training rows.
func newLogistic(train Rows) logistic {
	l := logistic{scaling: chooseFeatures(train, maxLogisticFeatures), classes: train.Classes}
	for class, frequency := range train.classFrequencies() {
		if frequency > 0 {
			l.present = append(l.present, class)
		}
	}
	l.weights = make([]float64, len(l.present)*(len(l.features)+1))
	return l
}

// choosePenalty returns the penalty whose fit to the other training rows predicts every fifth row best. It returns 1 if
// there are too few rows to tell.
func (l logistic) choosePenalty(train Rows) float64 {
	var fitted, heldOut []int // positions of rows
	for i := range train.Numbers {
		if i%heldOutEvery == heldOutEvery-1 {
			heldOut = append(heldOut, i)
		} else {
			fitted = append(fitted, i)
		}
	}
	chosen := 1.0
	if train.choose(heldOut).totalWeight() == 0 || train.choose(fitted).totalWeight() == 0 {
		return chosen
	}
	loss := l.newLoss(train.choose(fitted))
	validation := l.newLoss(train.choose(heldOut)) // without a penalty
	weights := l.weights
	lowest := math.Inf(1)
	for _, penalty := range slices.Backward(penalties) {
		loss.penalty = penalty
		weights = newton.Minimise(loss.at, weights) // from the last minimum, which is near
		value := validation.at(weights).Value
		if value > lowest {
			break
		}
		lowest = value
		chosen = penalty
	}
	return chosen
}

// predict returns the predictions of the test rows.
func (l logistic) predict(test Rows) *measure.Column {
	column := &measure.Column{Y: test.Y, Weights: test.Weights, Protocol: data.Sound}
	x := make([]float64, len(l.features)+1)
	p := make([]float64, len(l.present))
	for i := range test.Numbers {
		l.setInputs(x, test.features(i))
		setProbabilities(p, l.weights, x)
		classes := make(distribution.Classes, l.classes)
		for k, class := range l.present {
			classes[class] = p[k]
		}
		column.Distributions = append(column.Distributions, classes)
	}
	return column
}

// setInputs sets x to the standardised features of a row and a 1 for the intercept.
func (l logistic) setInputs(x, features []float64) {
	l.standardise(x, features)
	x[len(x)-1] = 1
}

// setProbabilities sets p to the probabilities of the classes for a row with the inputs x, and returns the log of the sum
// of the exponentials of their scores.
func setProbabilities(p, weights, x []float64) (logSum float64) {
	for k := range p {
		p[k] = linear.Dot(weights[k*len(x):(k+1)*len(x)], x)
	}
	highest := slices.Max(p)
	sum := 0.0
	for k, score := range p {
		p[k] = portable.Exp(score - highest)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return highest + portable.Log(sum)
}

// logisticLoss is the penalised mean log loss of training rows as a function of the weights.
type logisticLoss struct {
	inputs    [][]float64 // of each row
	classes   []int       // of each row, as an index of logistic.present
	fractions []float64   // weight of each row, divided by the sum of all
	count     int         // number of present classes
	penalty   float64
}

// newLoss returns the log loss of the rows without a penalty.
func (l logistic) newLoss(rows Rows) *logisticLoss {
	loss := &logisticLoss{inputs: linear.NewMatrix(len(rows.Numbers), len(l.features)+1), count: len(l.present)}
	total := rows.totalWeight()
	for i, y := range rows.Y {
		l.setInputs(loss.inputs[i], rows.features(i))
		loss.classes = append(loss.classes, slices.Index(l.present, int(y)))
		loss.fractions = append(loss.fractions, rows.weight(i)/total)
	}
	return loss
}

// at returns the loss and its derivatives at the weights.
func (f *logisticLoss) at(weights []float64) newton.Point {
	value := 0.0
	gradient := make([]float64, len(weights))
	probabilities := linear.NewMatrix(len(f.inputs), f.count)
	factors := make([]float64, f.count) // of the row's inputs in the gradient, by class
	for i, x := range f.inputs {
		p := probabilities[i]
		logSum := setProbabilities(p, weights, x)
		if f.fractions[i] == 0 { // the class may be absent
			continue
		}
		class := f.classes[i]
		score := linear.Dot(weights[class*len(x):(class+1)*len(x)], x)
		value += float64(f.fractions[i] * (logSum - score))
		copy(factors, p)
		factors[class]--
		addOuter(gradient, f.fractions[i], factors, x)
	}
	value += float64(f.addPenalty(gradient, weights) / 2)
	return newton.Point{
		X:        weights,
		Value:    value,
		Gradient: gradient,
		Multiply: func(v []float64) []float64 { return f.multiply(probabilities, v) },
	}
}

// multiply returns the product of the Hessian, at weights with these probabilities of the classes, and a vector v: the
// sum over the rows of w·(diag(p) − p pᵀ)·V x times xᵀ, where V has a row of v for each class.
func (f *logisticLoss) multiply(probabilities [][]float64, v []float64) []float64 {
	product := make([]float64, len(v))
	factors := make([]float64, f.count)
	for i, x := range f.inputs {
		p := probabilities[i]
		for k := range factors {
			factors[k] = linear.Dot(v[k*len(x):(k+1)*len(x)], x)
		}
		mean := linear.Dot(p, factors)
		for k := range factors {
			factors[k] = float64(p[k] * (factors[k] - mean))
		}
		addOuter(product, f.fractions[i], factors, x)
	}
	f.addPenalty(product, v)
	return product
}

// addOuter adds fraction·factors·xᵀ to a gradient.
func addOuter(gradient []float64, fraction float64, factors, x []float64) {
	for k, factor := range factors {
		linear.AddScaled(gradient[k*len(x):(k+1)*len(x)], float64(fraction*factor), x)
	}
}

// addPenalty adds penalty·weights to the gradient, without the intercepts, and returns the penalty times the sum of the
// squares of these weights.
func (f *logisticLoss) addPenalty(gradient, weights []float64) float64 {
	inputs := len(weights) / f.count
	sum := 0.0
	for i, weight := range weights {
		isIntercept := i%inputs == inputs-1
		if isIntercept {
			continue
		}
		gradient[i] += float64(f.penalty * weight)
		sum += float64(f.penalty * weight * weight)
	}
	return sum
}

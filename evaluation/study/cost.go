package study

import "sml/models"

// maxCost is in seconds: far more than anybody waits, and little enough that sums of it can
// be printed as a time.
const maxCost = 1e12

// passesPerStep is how many times as long a training step takes as a step of a plain network,
// such as pu's, as measured. Other methods take 1.
var passesPerStep = map[string]float64{
	"sml": 1.8, "sml-de": 1.8, "w-dropout": 4.2, "concrete": 3.2, "bayes": 2, "adv-de": 2,
	"evidential": 1.5, "student-t": 1.5, "mdn": 1.3,
}

// Measured seconds of one core.
const (
	costPerMultiplication = 2.2e-11
	costPerStep           = 1e-5
	costPerSample         = 8e-8 // of a row, without multiplications
)

// cost estimates the seconds that the cell takes on one core. It returns 0 for an unknown
// method.
//
// Each product is rounded before it is added to, float64(x*y) + z, since compilers for some
// CPUs would fuse the two: shards follow from costs, and must not depend on the machine.
func (c Cell) cost() float64 {
	method, err := models.Lookup(c.Spec.Method)
	if err != nil {
		return 0
	}
	seconds := c.trainingCost()
	if method.Stochastic {
		seconds += c.samplingCost()
	}
	return min(seconds, maxCost)
}

func (c Cell) trainingCost() float64 {
	passes, ok := passesPerStep[c.Spec.Method]
	if !ok {
		passes = 1
	}
	weights, _ := c.countWeights()
	rows := float64(c.countRows()) * 0.9 * (1 - c.Training.Validation)
	steps := float64(c.Training.Epochs*c.Training.Members) * rows / float64(c.Training.Batch)
	multiplications := 3 * passes * weights * float64(c.Training.Batch)
	return float64(steps * (costPerStep + float64(multiplications*costPerMultiplication)))
}

// samplingCost estimates the cost of the sub-networks' predictions, for a tenth of the rows
// unless the training rows are judged, too. The first hidden layer is computed once for all
// sub-networks.
func (c Cell) samplingCost() float64 {
	_, behindFirst := c.countWeights()
	rows := float64(c.countRows())
	if splitKind(c.Training.Split).Train == "" {
		rows *= 0.1
	}
	perSample := costPerSample + float64(behindFirst*costPerMultiplication)
	return float64(rows * float64(c.Prediction.Samples) * perSample)
}

// countRows returns the number of rows of the table and its test file.
func (c Cell) countRows() int {
	rows := c.Table.Rows
	if c.Table.Test != nil {
		rows += c.Table.Test.Rows
	}
	return rows
}

// countWeights returns the number of weights up to the last hidden layer, and how many of
// them follow the first hidden layer. A linear model has one weight for each input.
func (c Cell) countWeights() (all, behindFirst float64) {
	inputs := float64(c.Spec.Architecture.Inputs)
	if len(c.Spec.Architecture.Hidden) == 0 {
		return inputs, 0
	}
	for i, units := range c.Spec.Architecture.Hidden {
		layer := float64(inputs * float64(units))
		all += layer
		if i > 0 {
			behindFirst += layer
		}
		inputs = float64(units)
	}
	return all, behindFirst
}

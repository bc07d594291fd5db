package study

import "sml/models"

// maxCost is the largest estimate, in seconds: 30,000 years. Sums of estimates must stay small enough to be printed as a
// time.
const maxCost = 1e12

// passesPerStep is the measured time of a training step of a method, as a multiple of the time of a plain network such as
// method pu has. Unlisted methods take 1.
var passesPerStep = map[string]float64{
	"sml": 1.8, "sml-de": 1.8, "w-dropout": 4.2, "concrete": 3.2, "bayes": 2, "adv-de": 2,
	"evidential": 1.5, "student-t": 1.5, "mdn": 1.3,
}

// Measured times on one core, in seconds.
const (
	costPerMultiplication = 2.2e-11
	costPerStep           = 1e-5 // fixed part of a training step
	costPerSample         = 8e-8 // fixed part of a sub-network's prediction of one row
)

// backwardPasses is the work of a training step relative to a forward pass: a forward pass, and gradients of the weights
// and of the inputs of each layer.
const backwardPasses = 3

// Fractions of the rows that most splits train on and hold out. Estimates need not be exact.
const (
	typicalTrainFraction = 0.9
	typicalTestFraction  = 0.1
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
	if method.UsesSubNetworks {
		seconds += c.samplingCost()
	}
	return min(seconds, maxCost)
}

// trainingCost estimates the seconds of the training on one core.
func (c Cell) trainingCost() float64 {
	passes, isListed := passesPerStep[c.Spec.Method]
	if !isListed {
		passes = 1
	}
	products, _ := c.countProducts()
	rows := float64(c.countRows()) * typicalTrainFraction * (1 - c.Training.Validation)
	steps := float64(c.Training.Epochs*c.Training.Members) * rows / float64(c.Training.Batch)
	multiplications := backwardPasses * passes * products * float64(c.Training.Batch)
	return float64(steps * (costPerStep + float64(multiplications*costPerMultiplication)))
}

// samplingCost estimates the seconds of the sub-networks' predictions on one core: of the test rows, or of all rows if the
// training rows are scored, too. The first hidden layer is computed once for all sub-networks.
func (c Cell) samplingCost() float64 {
	_, afterFirst := c.countProducts()
	rows := float64(c.countRows())
	if splitKind(c.Training.Split).Train == "" {
		rows *= typicalTestFraction
	}
	perSample := costPerSample + float64(afterFirst*costPerMultiplication)
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

// countProducts returns the number of multiplications for a row up to the last hidden layer, with embeddings, and how
// many of them follow the first hidden layer. There is one for each weight, and behind the first layer one for each
// copy of the network. A linear model has one for each input of its layer.
func (c Cell) countProducts() (all, afterFirst float64) {
	a := c.Spec.Architecture
	for _, e := range a.Embeddings {
		all += float64(e.Categories * a.EmbeddingWidth)
	}
	inputs := float64(a.FirstLayerInputs())
	if len(a.Hidden) == 0 {
		return all + inputs, 0
	}
	for i, units := range a.Hidden {
		layer := float64(inputs * float64(units))
		if i > 0 {
			layer = float64(layer * float64(a.CopyCount()))
			afterFirst += layer
		}
		all += layer
		inputs = float64(units)
	}
	return all, afterFirst
}

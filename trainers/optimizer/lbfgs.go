package optimizer

import (
	"fmt"

	"sml/internal/kernels"
	"sml/models"
)

// maxPairs is the maximum number of pairs that L-BFGS remembers. Its slots hold twice as many numbers for each weight,
// and two numbers besides: see MaxSlots.
const maxPairs = (MaxSlots - 2) / 2

// lbfgs is L-BFGS with a backtracking line search.
var lbfgs = Optimizer{
	Name:         "lbfgs",
	Title:        "L-BFGS",
	Summary:      "steps along the gradient times an approximate inverse of the Hessian, from the latest steps, halved until the batch's loss falls; for large batches; computes two gradients a step or more",
	Source:       "Nocedal and Wright 2006, algorithms 3.1 and 7.4, with both gradients of a pair from one batch as in Schraudolph et al. 2007",
	LearningRate: 0.1,
	Hyperparameters: []models.Hyperparameter{
		{Name: "pairs", Default: 5.0, Range: models.Range{Min: 1, Max: maxPairs}, Help: "number of latest steps from which the inverse is computed, rounded down"},
	},
	Transforms: func(h models.Hyperparameters, weights int) []GradientTransform {
		return []GradientTransform{newLBFGS(int(h.Float("pairs")), weights)}
	},
	New: func(models.Hyperparameters, int) State { return descentState{} },
}

// lbfgsTransform is the GradientTransform that computes the direction of a step of L-BFGS.
type lbfgsTransform struct {
	pairs    []lbfgsPair // ring of the latest pairs
	position []float32   // number of valid pairs, and index of the next pair to be replaced

	batch     Batch
	weights   []float32 // copy of the weights while others stand in their place
	gradient  []float32 // copy of the gradient
	candidate lbfgsPair // pair of the present step, before it replaces another
	factors   []float64 // α of each pair, between the two loops
}

// lbfgsPair is a step, and the change of the gradient that the step caused.
type lbfgsPair struct {
	step   []float32 // s
	change []float32 // y
}

// newLBFGS returns the transform for the given numbers of pairs and weights.
func newLBFGS(pairs, weights int) *lbfgsTransform {
	newPair := func() lbfgsPair {
		return lbfgsPair{step: make([]float32, weights), change: make([]float32, weights)}
	}
	l := &lbfgsTransform{
		pairs:     make([]lbfgsPair, pairs),
		position:  make([]float32, 2),
		weights:   make([]float32, weights),
		gradient:  make([]float32, weights),
		candidate: newPair(),
		factors:   make([]float64, pairs),
	}
	for i := range l.pairs {
		l.pairs[i] = newPair()
	}
	return l
}

// UseBatch sets the batch with which Apply searches for the length of a step.
func (l *lbfgsTransform) UseBatch(b Batch) { l.batch = b }

// Apply replaces the gradient by the direction of the step, and divides the learning rate of the step by a power of 2 with
// which the loss of the batch falls. Without a pair, the direction is the gradient, divided by the sum of its sizes if
// this is above 1, as in torch.optim.LBFGS. If the loss falls with no power of 2, the rate becomes 0, and the pairs are
// forgotten.
func (l *lbfgsTransform) Apply(values, grad []float32, info StepInfo) StepInfo {
	copy(l.weights, values)
	copy(l.gradient, grad)
	if l.position[0] == 0 {
		limitSum(grad)
	} else {
		l.multiply(grad)
	}
	slope := dotProduct(l.gradient, grad)
	info.Rate = l.search(values, grad, info.Rate, slope)
	if info.Rate > 0 {
		l.addPair(values)
	} else {
		l.position[0] = 0
	}
	copy(values, l.weights)
	return info
}

// search returns the first of rate, rate/2, rate/4, … with which a step along −direction lowers the loss of the batch
// by at least a small part of rate·slope, or 0 if no rate of maxHalvings does. It leaves in values the
// weights after the step, and in candidate.change their gradient.
// Source: Nocedal and Wright 2006, algorithm 3.1 with c = 1e-4 and ρ = 1/2.
func (l *lbfgsTransform) search(values, direction []float32, rate, slope float64) float64 {
	const maxHalvings = 10
	const sufficient = 1e-4
	before := l.batch.Loss()
	for range maxHalvings {
		for i, w := range l.weights {
			values[i] = w - float32(rate*float64(direction[i]))
		}
		after := l.batch.Gradient(l.candidate.change)
		if after <= before-float64(sufficient*rate*slope) && kernels.Finite(l.candidate.change) {
			return rate
		}
		rate /= 2
	}
	return 0
}

// limitSum divides grad by the sum of its sizes if the sum is above 1.
func limitSum(grad []float32) {
	sum := 0.0
	for _, g := range grad {
		sum += float64(max(g, -g))
	}
	if sum <= 1 {
		return
	}
	for i := range grad {
		grad[i] /= float32(sum)
	}
}

// addPair stores the step to the weights values and the change of the batch's gradient that the step causes:
// candidate.change holds the gradient after it. It leaves out a pair along which the gradient does not grow: the
// approximation would not be positive definite.
func (l *lbfgsTransform) addPair(values []float32) {
	c := l.candidate
	for i, w := range values {
		c.step[i] = w - l.weights[i]
		c.change[i] -= l.gradient[i]
	}
	const smallestCurvature = 1e-8 // of a loss per squared weight; losses of standardised targets have about 1
	if !(dotProduct(c.step, c.change) > float64(smallestCurvature*dotProduct(c.step, c.step))) {
		return
	}
	valid := int(l.position[0])
	next := int(l.position[1])
	copy(l.pairs[next].step, c.step)
	copy(l.pairs[next].change, c.change)
	l.position[0] = float32(min(valid+1, len(l.pairs)))
	l.position[1] = float32((next + 1) % len(l.pairs))
}

// pair returns the pair of a given age, 0 for the latest.
func (l *lbfgsTransform) pair(age int) lbfgsPair {
	next := int(l.position[1])
	return l.pairs[(next-1-age+2*len(l.pairs))%len(l.pairs)]
}

// multiply multiplies q by the approximate inverse of the Hessian: the two loops of Nocedal and Wright 2006,
// algorithm 7.4, which start from the scaled identity of equation 7.20.
func (l *lbfgsTransform) multiply(q []float32) {
	valid := int(l.position[0])
	for age := range valid { // from the latest pair to the oldest
		p := l.pair(age)
		l.factors[age] = dotProduct(p.step, q) / dotProduct(p.step, p.change)
		addScaled(q, -l.factors[age], p.change)
	}
	latest := l.pair(0)
	scale := dotProduct(latest.step, latest.change) / dotProduct(latest.change, latest.change)
	for i := range q {
		q[i] = float32(scale * float64(q[i]))
	}
	for age := valid - 1; age >= 0; age-- {
		p := l.pair(age)
		beta := dotProduct(p.change, q) / dotProduct(p.step, p.change)
		addScaled(q, l.factors[age]-beta, p.step)
	}
}

// addScaled adds scale·values to sum.
func addScaled(sum []float32, scale float64, values []float32) {
	for i, v := range values {
		sum[i] += float32(scale * float64(v))
	}
}

// Slots returns the pairs and their position in the ring.
func (l *lbfgsTransform) Slots() []Slot {
	slots := []Slot{{Name: "position", Values: l.position}}
	for i, p := range l.pairs {
		slots = append(slots,
			Slot{Name: fmt.Sprintf("step%d", i), Values: p.step},
			Slot{Name: fmt.Sprintf("change%d", i), Values: p.change})
	}
	return slots
}

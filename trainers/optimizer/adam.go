package optimizer

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/portable"
	"sml/models"
)

var adam = Optimizer{
	Name:    "adam",
	Title:   "Adam",
	Summary: "steps of about the learning rate in every weight, by running moments of its gradient",
	Source:  "Kingma and Ba 2015, algorithm 1; decay as in Loshchilov and Hutter 2019, algorithm 2",
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta1", Default: 0.9, Range: betaRange, Help: "decay of Adam's first moment"},
		{Name: "beta2", Default: 0.999, Range: betaRange, Help: "decay of Adam's second moment"},
		// An epsilon below 1e-15 is negligible compared with the root of the smallest
		// second moment that float32 holds. Above 1, Adam becomes gradient descent.
		{Name: "epsilon", Default: 1e-8, Range: models.Range{Min: 1e-15, Max: 1}, Help: "what Adam adds to the second moment's root"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &adamState{
			beta1:   h.Float("beta1"),
			beta2:   h.Float("beta2"),
			epsilon: h.Float("epsilon"),
			m:       make([]float32, weights),
			v:       make([]float32, weights),
		}
	},
}

// betaRange is the range of the fraction β that a running mean or sum keeps in a step. Above
// 0.999999, float32 rounds 1−β by up to a twentieth.
var betaRange = models.Range{Min: 0, Max: 0.999999}

// adamState is the State of Adam.
type adamState struct {
	beta1, beta2, epsilon float64
	m, v                  []float32 // running means of the gradient and of its square, per weight

	pool           *graph.Pool                // divides large steps; nil without Share
	stepBlocksFunc func(worker, from, to int) // method stepBlocks, stored so that a step allocates nothing
	current        adamStep                   // arguments of the present step
}

// adamStep holds the arguments of one step.
type adamStep struct {
	values, grad             []float32
	rate                     float32
	correction1, correction2 float32 // 1/(1−β1ᵗ) and 1/(1−β2ᵗ) at step t, against the moments' bias towards 0
	decay                    float32
}

// Share makes the pool's workers divide large steps.
func (a *adamState) Share(p *graph.Pool) { a.pool, a.stepBlocksFunc = p, a.stepBlocks }

// Step makes one step of Adam: see kernels.Adam.
func (a *adamState) Step(values, grad []float32, at At) {
	a.current = adamStep{
		values:      values,
		grad:        grad,
		rate:        float32(at.Rate),
		correction1: float32(1 / (1 - portable.Power(a.beta1, at.Step))),
		correction2: float32(1 / (1 - portable.Power(a.beta2, at.Step))),
		decay:       float32(at.Decay),
	}
	const arrays = 7 // reads of values, grad, m and v; writes of values, m and v
	if n := len(values); a.pool.ShouldShare(0, arrays*n) {
		a.pool.Do((n+weightsPerBlock-1)/weightsPerBlock, a.stepBlocksFunc)
	} else {
		a.stepWeights(0, n)
	}
}

// weightsPerBlock is the number of weights in a block, the unit of work of a pool.
const weightsPerBlock = 4096

// stepBlocks makes the step of the weights in the blocks from to to−1.
func (a *adamState) stepBlocks(_, from, to int) {
	a.stepWeights(from*weightsPerBlock, min(to*weightsPerBlock, len(a.current.values)))
}

// stepWeights makes the step of the weights from to to−1.
func (a *adamState) stepWeights(from, to int) {
	s := &a.current
	kernels.Adam(s.values[from:to], s.grad[from:to], a.m[from:to], a.v[from:to], s.rate,
		float32(a.beta1), float32(a.beta2), float32(a.epsilon), s.correction1, s.correction2, s.decay)
}

// Slots returns the two moments.
func (a *adamState) Slots() []Slot {
	return []Slot{{Name: "m", Values: a.m}, {Name: "v", Values: a.v, NonNegative: true}}
}

// EndEpoch replaces infinite second moments by the largest finite number, because an infinite
// running mean could never become smaller again.
func (a *adamState) EndEpoch() {
	if kernels.Finite(a.v) {
		return
	}
	for i := range a.v {
		a.v[i] = min(a.v[i], math.MaxFloat32)
	}
}

// Warning returns a warning if second moments became so large that their weights have hardly
// moved since.
func (a *adamState) Warning(network string, rate float64) string {
	const large = 1e9 // ordinary gradients are between 1e-6 and 1e3
	steep, frozen := 0.0, 0
	for _, v := range a.v {
		if g := math.Sqrt(float64(v)); g > large {
			steep = max(steep, g)
			frozen++
		}
	}
	if frozen == 0 {
		return ""
	}
	return fmt.Sprintf("gradients%s of up to %.0e have all but stopped %d of %d weights: Adam remembers the size of gradients for thousands of steps; clip gradients, or try a smaller learning rate than %g", network, steep, frozen, len(a.v), rate)
}

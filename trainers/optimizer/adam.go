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
		{Name: "beta1", Default: 0.9, Range: shareKept, Help: "decay of Adam's first moment"},
		{Name: "beta2", Default: 0.999, Range: shareKept, Help: "decay of Adam's second moment"},
		// Below 1e-15, epsilon is lost beside the root of the smallest second moment
		// that float32 holds; above 1, Adam is gradient descent.
		{Name: "epsilon", Default: 1e-8, Range: models.Range{Min: 1e-15, Max: 1}, Help: "what Adam adds to the second moment's root"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &adamState{
			beta1: h.Float("beta1"), beta2: h.Float("beta2"), epsilon: h.Float("epsilon"),
			m: make([]float32, weights), v: make([]float32, weights),
		}
	},
}

// shareKept is the range of the share that a running mean or sum keeps at a step:
// above 0.999999, float32 knows 1−β to less than a twentieth.
var shareKept = models.Range{Min: 0, Max: 0.999999}

type adamState struct {
	beta1, beta2, epsilon float64
	m, v                  []float32 // first and second moment of the gradient

	pool *graph.Pool
	part func(worker, from, to int)
	now  adamStep
}

// adamStep is a step that is being made.
type adamStep struct {
	values, grad                          []float32
	rate, correction1, correction2, decay float32
}

func (a *adamState) Share(p *graph.Pool) { a.pool, a.part = p, a.blocks }

func (a *adamState) Step(values, grad []float32, at At) {
	a.now = adamStep{
		values, grad, float32(at.Rate),
		float32(1 / (1 - portable.Power(a.beta1, at.Step))), float32(1 / (1 - portable.Power(a.beta2, at.Step))),
		float32(at.Decay),
	}
	const arrays = 7 // that are read or written
	if n := len(values); a.pool.Worth(0, arrays*n) {
		a.pool.Do((n+adamBlock-1)/adamBlock, a.part)
	} else {
		a.move(0, n)
	}
}

// adamBlock is how many weights make a unit for a pool.
const adamBlock = 4096

func (a *adamState) blocks(_, from, to int) {
	a.move(from*adamBlock, min(to*adamBlock, len(a.now.values)))
}

// move makes the step of some weights.
func (a *adamState) move(from, to int) {
	s := &a.now
	kernels.Adam(s.values[from:to], s.grad[from:to], a.m[from:to], a.v[from:to], s.rate,
		float32(a.beta1), float32(a.beta2), float32(a.epsilon), s.correction1, s.correction2, s.decay)
}

func (a *adamState) Slots() []Slot {
	return []Slot{{Name: "m", Values: a.m}, {Name: "v", Values: a.v, NonNegative: true}}
}

// EndEpoch sets second moments that have overflowed to the largest number, from
// which they can fall again.
func (a *adamState) EndEpoch() {
	if kernels.Finite(a.v) {
		return
	}
	for i := range a.v {
		a.v[i] = min(a.v[i], math.MaxFloat32)
	}
}

// Warning tells of second moments so large that their weights have hardly moved
// since.
func (a *adamState) Warning(of string, rate float64) string {
	const large = 1e9 // where ordinary gradients are between 1e-6 and 1e3
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
	return fmt.Sprintf("gradients%s of up to %.0e have all but stopped %d of %d weights: Adam remembers the size of gradients for thousands of steps; clip gradients, or try a smaller learning rate than %g", of, steep, frozen, len(a.v), rate)
}

package optimizer

import (
	"math"

	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/portable"
	"sml/models"
)

// adam is Adam, the default optimizer.
var adam = Optimizer{
	Name:    "adam",
	Title:   "Adam",
	Summary: "moves each weight by about the learning rate, scaled by running moments of its gradient",
	Source:  "Kingma and Ba 2015, algorithm 1; decay as in Loshchilov and Hutter 2019, algorithm 2",
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta1", Default: 0.9, Range: betaRange, Help: "fraction of Adam's first moment that a step keeps"},
		{Name: "beta2", Default: 0.999, Range: betaRange, Help: "fraction of Adam's second moment that a step keeps"},
		{Name: "epsilon", Default: 1e-8, Range: epsilonRange, Help: "number that Adam adds to the root of the second moment"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &adamState{
			beta1:   h.Float("beta1"),
			beta2:   h.Float("beta2"),
			epsilon: h.Float("epsilon"),
			m:       make([]float32, weights),

			secondMoment: secondMoment{title: "Adam", v: make([]float32, weights)},
		}
	},
}

// betaRange is the range of the fraction β of a running mean or sum that a step keeps. Above
// 0.999999, float32 rounds 1−β by up to a twentieth.
var betaRange = models.Range{Min: 0, Max: 0.999999}

// epsilonRange is the range of the number added to the root of a second moment. Below 1e-15, the number is
// negligible compared with the root of the smallest second moment that float32 holds. Above 1, the rule becomes
// gradient descent.
var epsilonRange = models.Range{Min: 1e-15, Max: 1}

// adamState is the State of Adam.
type adamState struct {
	beta1   float64   // fraction of the first moment that a step keeps
	beta2   float64   // fraction of the second moment that a step keeps
	epsilon float64   // added to the root of the second moment
	m       []float32 // first moment: running mean of the gradient, per weight
	secondMoment

	pool           *graph.Pool                // divides large steps among workers; nil until UsePool is called
	stepBlocksFunc func(worker, from, to int) // method stepBlocks, stored so that a step allocates nothing
	current        adamStep                   // arguments of the present step
}

// adamStep holds the arguments of one step.
type adamStep struct {
	values      []float32 // weights
	grad        []float32 // gradient, per weight
	rate        float32   // learning rate
	correction1 float32   // 1/(1−β1ᵗ) at step t, which corrects the first moment's bias towards 0
	correction2 float32   // 1/(1−β2ᵗ) at step t, which corrects the second moment's bias towards 0
	decay       float32   // decoupled weight decay
}

// UsePool makes the pool's workers divide large steps. Each weight moves by itself, so the result has the
// same bytes for any number of workers.
func (a *adamState) UsePool(p *graph.Pool) {
	a.pool = p
	a.stepBlocksFunc = a.stepBlocks
}

// Step makes one step of Adam (see kernels.Adam), on the workers of the pool if it is large.
func (a *adamState) Step(values, grad []float32, info StepInfo) {
	a.current = adamStep{
		values:      values,
		grad:        grad,
		rate:        float32(info.Rate),
		correction1: float32(1 / (1 - portable.Power(appliedBeta(a.beta1), info.Step))),
		correction2: float32(1 / (1 - portable.Power(appliedBeta(a.beta2), info.Step))),
		decay:       float32(info.Decay),
	}
	const memoryAccesses = 7 // per weight: reads of values, grad, m and v; writes of values, m and v
	weights := len(values)
	if !a.pool.ShouldShare(0, memoryAccesses*weights) { // also if the pool is nil
		a.stepWeights(0, weights)
		return
	}
	blocks := (weights + weightsPerBlock - 1) / weightsPerBlock
	a.pool.Do(blocks, a.stepBlocksFunc)
}

// appliedBeta returns the fraction β that the bias correction of a moment is for. The kernel rounds β to float32. Near 1
// that changes 1−β, and so the first moments, by up to a twentieth, and the correction must be for the rounded β.
// Elsewhere it is for β itself, as in the publication.
func appliedBeta(beta float64) float64 {
	const negligible = 1e-3 // change of 1−β relative to it: a step changes by half of it
	rounded := float64(float32(beta))
	if math.Abs(rounded-beta) > float64(negligible*(1-beta)) {
		return rounded
	}
	return beta
}

// weightsPerBlock is the number of weights in a block, the unit of work of a pool.
const weightsPerBlock = 4096

// stepBlocks makes the step of the weights in the blocks from, …, to−1. A worker of the pool calls it.
func (a *adamState) stepBlocks(_, from, to int) {
	a.stepWeights(from*weightsPerBlock, min(to*weightsPerBlock, len(a.current.values)))
}

// stepWeights makes the step of the weights from, …, to−1.
func (a *adamState) stepWeights(from, to int) {
	s := &a.current
	kernels.Adam(s.values[from:to], s.grad[from:to], a.m[from:to], a.v[from:to], s.rate,
		float32(a.beta1), float32(a.beta2), float32(a.epsilon), s.correction1, s.correction2, s.decay)
}

// Slots returns the two moments.
func (a *adamState) Slots() []Slot {
	return []Slot{
		{Name: "m", Values: a.m},
		{Name: "v", Values: a.v},
	}
}

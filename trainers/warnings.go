package trainers

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
)

// grown is the part of its value before the first step by which a loss may
// grow before that is worth a word: what batches and draws of masks change is less.
const grown = 0.25

// warnings says what looks wrong about a training that has come to its end, of
// networks that were trained as members of an ensemble, if they are several.
func warnings(networks []*network) ([]string, error) {
	var list []string
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	n := networks[0]
	if rows := len(n.train); rows == 1 {
		warn("there is a single training row: every network that meets it has learnt all there is")
	} else {
		for j := range n.spec.Architecture.Targets {
			if n.constantTarget(j) {
				warn("target column %d is %v in all %d training rows: there is nothing to learn", j+1, n.rows.Y[int(n.train[0])*n.spec.Architecture.Targets+j], rows)
			}
		}
	}
	for _, n := range networks {
		of := ""
		if len(networks) > 1 {
			of = fmt.Sprintf(" of member %d", n.member)
		}
		first, err := n.startingLoss()
		if err != nil {
			return nil, err
		}
		h := n.state.History
		if last := h[len(h)-1].Values[0]; !(last <= first+float64(grown*math.Abs(first))) {
			warn("the loss%s grew from %.4g before training to %.4g in the last epoch: try a smaller learning rate than %g", of, first, last, n.settings.LearningRate)
		}
		if steep, frozen := n.steepest(); frozen > 0 {
			warn("gradients%s of up to %.0e have all but stopped %d of %d weights: Adam remembers the size of gradients for thousands of steps; clip gradients, or try a smaller learning rate than %g", of, steep, frozen, n.params.Len(), n.settings.LearningRate)
		}
		if n.still() {
			warn("the weights%s have hardly moved in %d steps: try a larger learning rate than %g", of, n.state.Step, n.settings.LearningRate)
		}
	}
	return list, nil
}

// startingLoss is the loss of the first batches with the weights from before
// the first step.
func (n *network) startingLoss() (float64, error) {
	const most = 10
	trained := slices.Clone(n.params.Float32s())
	defer copy(n.params.Float32s(), trained)
	copy(n.params.Float32s(), n.initial)
	rows := min(n.settings.Batch, len(n.train))
	step, err := n.stepOf(rows)
	if err != nil {
		return 0, err
	}
	batches := min(most, len(n.train)/rows)
	sum := 0.0
	for i := range batches {
		n.load(step, n.train[i*rows:][:rows])
		step.SampleMasks(graph.MaskKey{Seed: n.seed, Step: uint32(i)})
		if err := step.Run(); err != nil {
			return 0, err
		}
		sum += float64(step.Loss())
	}
	return sum / float64(batches), nil
}

// saturate sets second moments that have overflowed to the largest number, from
// which they can fall again.
func saturate(v []float32) {
	if graph.Finite(v) {
		return
	}
	for i := range v {
		v[i] = min(v[i], math.MaxFloat32)
	}
}

// steepest returns the root of the largest second moment, if it is so large
// that the weight has hardly moved since, and the number of such weights.
func (n *network) steepest() (gradient float64, weights int) {
	const large = 1e9 // where ordinary gradients are between 1e-6 and 1e3
	for _, v := range n.state.V {
		if g := math.Sqrt(float64(v)); g > large {
			gradient = max(gradient, g)
			weights++
		}
	}
	return gradient, weights
}

// constantTarget tells whether all training rows have the same value of a
// target.
func (n *network) constantTarget(j int) bool {
	targets := n.spec.Architecture.Targets
	first := n.rows.Y[int(n.train[0])*targets+j]
	for _, r := range n.train {
		if n.rows.Y[int(r)*targets+j] != first {
			return false
		}
	}
	return true
}

// still tells whether a training has left the weights where they were, but
// for a millionth.
func (n *network) still() bool {
	var moved, size float64
	for i, v := range n.params.Float32s() {
		d := float64(v) - float64(n.initial[i])
		moved += float64(d * d)
		size += float64(float64(v) * float64(v))
	}
	return moved <= 1e-12*size
}

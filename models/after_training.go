package models

import (
	"context"
	"fmt"
	"slices"

	"sml/graph"
)

// AfterTrainingRows gives Method.AfterTraining the training rows of a network.
type AfterTrainingRows struct {
	Count   int
	Weights []float64 // of mean 1; nil if all rows count alike

	Prepare func(s *Step) error         // fills the inputs of a new step without rows
	Load    func(s *Step, from, to int) // fills the other inputs for the rows from, …, to−1
}

// AfterTrainingOptions say how Method.AfterTraining runs. Only Params, Kept and Seed change its
// result.
type AfterTrainingOptions struct {
	Params   *graph.Params // trained weights
	Kept     []Matrix      // matrices that Method.AfterStep kept
	Seed     uint64        // of dropout masks
	Engine   graph.Engine
	Workers  int                   // goroutines; default 1
	Progress func(done, total int) // called with the rows done in the present pass over them; may be nil
}

// RunAfterTraining calls the method's AfterTraining and returns the matrices that it stores. It
// returns none if the method has no such function, and an error if the function stores nothing.
func (s Spec) RunAfterTraining(ctx context.Context, rows AfterTrainingRows, o AfterTrainingOptions) ([]Matrix, error) {
	m, err := Lookup(s.Method)
	if err != nil || m.AfterTraining == nil {
		return nil, err
	}
	if o.Engine == "" {
		o.Engine = graph.Compiled
	}
	n := &TrainedNetwork{Hyperparameters: s.Hyperparameters, spec: s, rows: rows, o: o}
	if err := n.call(ctx, m); err != nil {
		return nil, err
	}
	if err := n.storeSubNetworks(); err != nil {
		return nil, err
	}
	if len(n.stored) == 0 {
		return nil, fmt.Errorf("the function after the training of method %s stores no matrix%s", m.Name, sourceLine(m.AfterTraining))
	}
	return n.stored, nil
}

// call calls the method's AfterTraining. A panic is an error.
func (n *TrainedNetwork) call(ctx context.Context, m Method) (err error) {
	who := fmt.Sprintf("the function after the training of method %s", m.Name)
	defer graph.Recover(&err, who)
	if err := m.AfterTraining(ctx, n); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w", who, err)
	}
	return ctx.Err()
}

// CheckStored returns an error unless all members of an ensemble have matrices of the same names
// and shapes, in one order.
func CheckStored(members [][]Matrix) error {
	for k, list := range members {
		if want, got := shapesOf(members[0]), shapesOf(list); !slices.Equal(got, want) {
			return fmt.Errorf("member %d stores the matrices %v, and member 0 %v: want the same names and shapes", k, got, want)
		}
	}
	return nil
}

// triedRows is the number of invented rows that AfterTraining is tried on.
const triedRows = 8

// tryAfterTraining returns what AfterTraining stores for an untrained network and invented rows, or
// nil if the method has no such function.
func (s Spec) tryAfterTraining(m Method) ([]Matrix, error) {
	if m.AfterTraining == nil {
		return nil, nil
	}
	params, err := s.NewParams(1)
	if err != nil {
		return nil, err
	}
	rows := AfterTrainingRows{
		Count:   triedRows,
		Prepare: func(*Step) error { return nil },
		Load:    func(step *Step, from, to int) { step.fillInvented(s, m, from, to) },
	}
	if s.Weighted {
		rows.Weights = slices.Repeat([]float64{1}, triedRows)
	}
	kept, err := s.tryAfterStep(m, params)
	if err != nil {
		return nil, err
	}
	return s.RunAfterTraining(context.Background(), rows, AfterTrainingOptions{Params: params, Kept: kept, Seed: 1})
}

// AddsSubNetworks reports whether the method's AfterTraining adds sub-networks, by a try with an
// untrained network.
func (s Spec) AddsSubNetworks() (bool, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return false, err
	}
	stored, err := s.tryAfterTraining(m)
	return SubNetworksOf(stored).Len() > 0, err
}

// fillInvented fills the step with invented rows from, …, to−1.
func (s *Step) fillInvented(spec Spec, m Method, from, to int) {
	fill := func(values []float32, value func(i int) float64) {
		width := len(values) / s.rows
		for i := range (to - from) * width {
			values[i] = float32(value(from*width + i))
		}
	}
	fill(s.X, func(i int) float64 { return float64(float64(i*5%7)/3) - 1 })
	fill(s.Y, func(i int) float64 { return spec.typicalTarget(m, float64(float64(i*3%5)/2)-1) })
	for _, e := range s.Extras {
		fill(e.Values, func(i int) float64 { return float64(i % 2) })
	}
	if s.Weight != nil {
		fill(s.Weight, func(int) float64 { return 1 })
	}
	s.At(Progress{Step: 1, Steps: 1, Rows: triedRows})
}

// examineAfterTraining returns what tryAfterTraining returns. It returns an error if the method's
// AfterTraining fails for invented rows, or stores something else the second time.
func (s Spec) examineAfterTraining(m Method) ([]Matrix, error) {
	first, err := s.tryAfterTraining(m)
	if err != nil || first == nil {
		return nil, err
	}
	second, err := s.tryAfterTraining(m)
	if err != nil {
		return nil, err
	}
	if !SameStored(first, second) {
		return nil, fmt.Errorf("the function after the training of method %s stores other matrices the second time: let it keep nothing between calls, and take nothing from a clock, a generator or the order of a map%s", m.Name, sourceLine(m.AfterTraining))
	}
	return first, nil
}

// SameStored reports whether two lists of matrices are the same, to the bit.
func SameStored(first, second []Matrix) bool {
	return slices.EqualFunc(first, second, func(a, b Matrix) bool {
		return a.matrixShape == b.matrixShape && slices.Equal(a.Values, b.Values)
	})
}

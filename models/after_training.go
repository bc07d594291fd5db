package models

import (
	"context"
	"fmt"
	"slices"

	"sml/graph"
)

// AfterTrainingRows describes the training rows of a network for Method.AfterTraining. Its functions fill
// the inputs of steps.
type AfterTrainingRows struct {
	Count    int       // number of rows
	Weights  []float64 // weight of each row, with mean 1; nil if the rows have no weights
	Position Position  // end of the training

	Prepare func(s *Step) error         // fills the inputs of a new step that do not depend on the rows
	Load    func(s *Step, from, to int) // fills the other inputs with the rows from, …, to−1
}

// AfterTrainingOptions configures a call of Method.AfterTraining. Only Params, KeptMatrices and Seed change its
// result.
type AfterTrainingOptions struct {
	Params       *graph.Params         // trained weights
	KeptMatrices []Matrix              // matrices that Method.AfterStep kept
	Seed         uint64                // seed of dropout masks and random numbers
	Engine       graph.Engine          // default graph.Compiled
	Workers      int                   // number of goroutines; default 1
	Progress     func(done, total int) // called with the rows done in the current pass over the rows; may be nil
}

// RunAfterTraining calls the method's AfterTraining and returns the matrices that it stores, or nil if the
// method has no AfterTraining. It returns an error if the function fails or stores nothing.
func (s Spec) RunAfterTraining(ctx context.Context, rows AfterTrainingRows, o AfterTrainingOptions) ([]Matrix, error) {
	m, err := Lookup(s.Method)
	if err != nil || m.AfterTraining == nil {
		return nil, err
	}
	if o.Engine == "" {
		o.Engine = graph.Compiled
	}
	n := &TrainedNetwork{Hyperparameters: s.Hyperparameters, spec: s, rows: rows, options: o}
	if err := n.callAfterTraining(ctx, m); err != nil {
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

// callAfterTraining calls the method's AfterTraining and turns a panic into an error.
func (n *TrainedNetwork) callAfterTraining(ctx context.Context, m Method) (err error) {
	function := fmt.Sprintf("the function after the training of method %s", m.Name) // its name in errors
	defer graph.Recover(&err, function)
	err = m.AfterTraining(ctx, n)
	if ctx.Err() != nil { // then any other error is probably a consequence
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", function, err)
	}
	return nil
}

// CheckStored returns an error unless all members of an ensemble have matrices of the same names
// and shapes, in one order.
func CheckStored(members [][]Matrix) error {
	for k, matrices := range members {
		got := shapesOf(matrices)
		want := shapesOf(members[0])
		if !slices.Equal(got, want) {
			return fmt.Errorf("member %d stores the matrices %v, and member 0 %v: want the same names and shapes", k, got, want)
		}
	}
	return nil
}

// inventedRows is the number of invented rows on which AfterTraining is tried.
const inventedRows = 8

// tryAfterTraining returns the matrices that AfterTraining stores for an untrained network and invented
// rows, or nil if the method has no AfterTraining.
func (s Spec) tryAfterTraining(m Method) ([]Matrix, error) {
	if m.AfterTraining == nil {
		return nil, nil
	}
	params, err := s.NewParams(1)
	if err != nil {
		return nil, err
	}
	rows := AfterTrainingRows{
		Count:    inventedRows,
		Position: Position{Step: 1, Steps: 1, Rows: inventedRows},
		Prepare:  func(*Step) error { return nil },
		Load:     func(step *Step, from, to int) { step.fillInvented(s, m, from, to) },
	}
	if s.Weighted {
		rows.Weights = slices.Repeat([]float64{1}, inventedRows)
	}
	kept, err := s.tryAfterStep(m, params)
	if err != nil {
		return nil, err
	}
	return s.RunAfterTraining(context.Background(), rows, AfterTrainingOptions{Params: params, KeptMatrices: kept, Seed: 1})
}

// AddsSubNetworks reports whether the method's AfterTraining adds sub-networks. To find out, it calls
// AfterTraining for an untrained network and invented rows.
func (s Spec) AddsSubNetworks() (bool, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return false, err
	}
	stored, err := s.tryAfterTraining(m)
	return findSubNetworks(stored).Len() > 0, err
}

// fillInvented fills the inputs of the step with the invented rows from, …, to−1. Value i of all rows
// follows from i alone, so that a row is the same in every block: inputs go up and down between −1 and
// 1, targets are made from numbers between −1 and 1.
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
}

// examineAfterTraining returns the matrices of tryAfterTraining. It returns an error if the method's
// AfterTraining fails for invented rows, or stores different matrices in a second call.
func (s Spec) examineAfterTraining(m Method) ([]Matrix, error) {
	first, err := s.tryAfterTraining(m)
	if err != nil || first == nil {
		return nil, err
	}
	second, err := s.tryAfterTraining(m)
	if err != nil {
		return nil, err
	}
	if !EqualMatrices(first, second) {
		return nil, fmt.Errorf("the function after the training of method %s stores different matrices in a second call: it must not store anything between calls, or use a clock, a generator or the order of a map%s", m.Name, sourceLine(m.AfterTraining))
	}
	return first, nil
}

// EqualMatrices reports whether two lists of matrices have the same names, shapes and bits.
func EqualMatrices(first, second []Matrix) bool {
	return slices.EqualFunc(first, second, func(a, b Matrix) bool {
		return a.matrixShape == b.matrixShape && slices.Equal(a.Values, b.Values)
	})
}

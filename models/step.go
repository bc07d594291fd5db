package models

import (
	"fmt"

	"sml/graph"
)

// Step is the objective of a spec over a batch of so many rows, with its gradient:
// what a step of a training runs. Fill X and Y, and Extras and Weight where there are
// any, say where the training is (At), sample the masks, and Run it. Close it at the
// end.
//
// Output 0 is the loss, and the outputs behind it are its terms.
type Step struct {
	*graph.Runner
	X, Y  []float32 // the batch, standardised: [rows, inputs] and [rows, targets]
	Terms []string  // names of the loss's terms

	// Competing reports whether terms move one group of parameters alone: their sum, the loss,
	// is then nothing that a training lowers.
	Competing bool

	Watched []string // names of watched nodes, in the order of WatchedValues; none outside of a training
	filling

	outputs int // with the gradients
	spec    Spec
	params  *graph.Params
	rows    int
	masks   graph.MaskKey
	updated []int // the buffers that the outputs behind them are for
}

// NewStep builds the objective and its gradient over params, which it declares if
// they are new, and opens them on an engine.
func (s Spec) NewStep(engine graph.Engine, params *graph.Params, rows int) (*Step, error) {
	return s.newStep(engine, params, rows, true)
}

// NewEvaluation is NewStep outside of a training, for the loss of rows that are not
// learnt from: layers that look at the whole batch use their buffers, and there is no
// gradient.
func (s Spec) NewEvaluation(engine graph.Engine, params *graph.Params, rows int) (*Step, error) {
	return s.newStep(engine, params, rows, false)
}

func (s Spec) newStep(engine graph.Engine, params *graph.Params, rows int, training bool) (*Step, error) {
	b := graph.New(graph.Float32, params)
	loss, task, err := s.loss(b, rows, training)
	if err != nil {
		return nil, err
	}
	step := &Step{spec: s, params: params, rows: rows}
	outputs := graph.Nodes{loss}
	for _, t := range graph.Inspect(b).AllTerms {
		step.Terms = append(step.Terms, t.Name)
		step.Competing = step.Competing || t.Group != ""
		outputs = append(outputs, t.Value)
	}
	if training {
		outputs = append(outputs, b.Gradients(loss)...)
		if err := b.Err(); err != nil {
			return nil, fmt.Errorf("the objective of method %s: %w", s.Method, err)
		}
	}
	step.outputs = len(outputs)
	var updates graph.Nodes
	updates, step.updated = graph.Inspect(b).Updates()
	outputs = append(outputs, updates...)
	if training {
		for _, w := range graph.Inspect(b).WatchedNodes {
			step.Watched = append(step.Watched, w.Name)
			outputs = append(outputs, w.Node)
		}
	}
	if step.Runner, err = graph.NewRunner(engine, b, outputs...); err != nil {
		return nil, err
	}
	step.X, step.Y = step.Input(InputX), step.Input(InputY)
	if step.filling, err = s.fillingOf(step.Runner); err != nil {
		return nil, err
	}
	step.scales.frozen = task.frozen
	return step, step.Scale(nil, nil)
}

// Loss is the loss of the last run.
func (s *Step) Loss() float32 { return s.Output(0)[0] }

// WatchedValues returns the values of watched node i in the last run. The next run overwrites
// them.
func (s *Step) WatchedValues(i int) []float32 { return s.Output(s.outputs + len(s.updated) + i) }

// Commit gives buffers the values that the last run says, behind the optimizer's step.
func (s *Step) Commit() {
	for i, number := range s.updated {
		copy(graph.ParamValues(s.params, s.params.Float32s(), number), s.Output(s.outputs+i))
	}
}

// Gradient is that of the last run, of all parameters in the order of their
// values: until the next run it is the caller's.
func (s *Step) Gradient() []float32 { return s.Outputs(1+len(s.Terms), s.outputs) }

// SampleMasks fills every mask of the step.
func (s *Step) SampleMasks(k graph.MaskKey) {
	s.masks = k
	s.Runner.SampleMasks(k)
}

// Fault looks for the first number of the last run that is not finite, in the loss and
// its gradient: operation by operation, over a graph that it builds again. It is nil
// if none is found.
func (s *Step) Fault() *graph.Fault {
	b := graph.New(graph.Float32, s.params)
	graph.Inspect(b).TraceLines()
	loss, err := s.spec.Loss(b, s.rows)
	if err != nil {
		return nil
	}
	f, err := graph.Inspect(b).FindFault(func(r *graph.Runner) {
		for _, name := range r.Inputs() {
			copy(r.Input(name), s.Input(name))
		}
		r.SampleMasks(s.masks)
	}, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		return nil
	}
	return f
}

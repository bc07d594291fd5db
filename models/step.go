package models

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
)

// Step computes the objective of a spec and its gradient for a batch of a fixed number of rows: a step
// of a training. Fill X, Y, and the Extras, the Weight and the InputRange that exist, set the units of the
// columns by Scale, and call Run, which refuses a batch if an input of the objective is not set. Close releases it.
//
// Output 0 is the loss, and the next outputs are its terms.
type Step struct {
	*graph.Runner
	X, Y  []float32 // inputs [rows, inputs] and targets [rows, targets] of the batch, standardised
	Terms []string  // names of the loss's terms

	// HasCompetingTerms is set if some terms train only one parameter group, as in adversarial training. A
	// training does not lower their sum, the loss.
	HasCompetingTerms bool

	Watched []string // names of watched nodes, in the order of WatchedValues; nil outside of a training
	stepInputs

	outputs        int // number of outputs before the new values of buffers: loss, terms and gradients
	spec           Spec
	params         *graph.Params
	rows           int           // rows of the batch
	masks          graph.MaskKey // of the last run
	inputs         []namedInput  // inputs that the loss reads, NaN until they are set; nil for nodes after the training
	inputsChecked  bool          // whether checkInputs has found all inputs set
	updatedBuffers []int         // indices of the buffers that UpdateBuffers updates, in the order of the outputs with their values
}

// namedInput is an input of a graph.
type namedInput struct {
	name   string
	values []float32
}

// NewStep returns the training step of the spec over params, to which it adds the parameters if they
// are new. It returns an error if the objective or the network has a mistake.
func (s Spec) NewStep(engine graph.Engine, params *graph.Params, rows int) (*Step, error) {
	return s.buildStep(engine, params, rows, stepOutputs{gradients: true})
}

// NewEvaluation returns a step for the loss of validation rows: it has no gradient, and layers that use
// statistics of the batch, such as BatchNorm, use their buffers instead.
func (s Spec) NewEvaluation(engine graph.Engine, params *graph.Params, rows int) (*Step, error) {
	return s.buildStep(engine, params, rows, stepOutputs{})
}

// stepOutputs chooses the outputs of a step in addition to the loss and its terms.
type stepOutputs struct {
	gradients bool // whether it is a training step, with gradients and watched nodes

	// further returns further nodes to compute, from the loss; nil for none.
	further func(b *graph.Builder, loss *graph.Node) graph.Nodes
}

// buildStep returns a step with the given outputs. The outputs of its graph are, in this order: the loss, its terms,
// the gradient of each parameter, the new values of buffers, the watched nodes, and the further nodes. Gradients and
// watched nodes are left out of an evaluation.
func (s Spec) buildStep(engine graph.Engine, params *graph.Params, rows int, want stepOutputs) (*Step, error) {
	b := graph.New(graph.Float32, params)
	loss, task, err := s.lossAndTask(b, rows, want.gradients)
	if err != nil {
		return nil, err
	}
	inspection := graph.Inspect(b)
	step := &Step{spec: s, params: params, rows: rows}
	outputs := graph.Nodes{loss}
	for _, t := range inspection.AllTerms {
		step.Terms = append(step.Terms, t.Name)
		step.HasCompetingTerms = step.HasCompetingTerms || t.Group != ""
		outputs = append(outputs, t.Value)
	}
	if want.gradients {
		outputs = append(outputs, b.Gradients(loss)...)
		if err := b.Err(); err != nil {
			return nil, fmt.Errorf("the objective of method %s: %w", s.Method, err)
		}
	}
	step.outputs = len(outputs)
	var updates graph.Nodes
	updates, step.updatedBuffers = inspection.Updates()
	outputs = append(outputs, updates...)
	if want.gradients {
		for _, w := range inspection.WatchedNodes {
			step.Watched = append(step.Watched, w.Name)
			outputs = append(outputs, w.Node)
		}
	}
	if want.further != nil {
		outputs = append(outputs, want.further(b, loss)...)
	}
	step.Runner, err = graph.NewRunner(engine, b, outputs...)
	if err != nil {
		return nil, err
	}
	step.X = step.Input(InputX)
	step.Y = step.Input(InputY)
	step.stepInputs, err = task.newStepInputs(step.Runner)
	if err != nil {
		return nil, err
	}
	step.markInputs(func(name string) bool { return inspection.DependsOn(loss, name) })
	return step, nil
}

// markInputs marks the inputs that the loss of a new step reads as not set, by NaN.
func (s *Step) markInputs(isRead func(name string) bool) {
	for _, name := range slices.DeleteFunc(s.Runner.Inputs(), func(name string) bool { return !isRead(name) }) {
		input := namedInput{name, s.Input(name)}
		for i := range input.values {
			input.values[i] = float32(math.NaN())
		}
		s.inputs = append(s.inputs, input)
	}
}

// Loss returns the loss of the last run.
func (s *Step) Loss() float32 { return s.Output(0)[0] }

// WatchedValues returns the values of watched node i in the last run. The next run overwrites them.
func (s *Step) WatchedValues(i int) []float32 { return s.Output(s.outputs + len(s.updatedBuffers) + i) }

// UpdateBuffers sets the buffers to their new values from the last run. It is called after the optimizer's
// step.
func (s *Step) UpdateBuffers() {
	for i, buffer := range s.updatedBuffers {
		copy(graph.ParamValues(s.params, s.params.Float32s(), buffer), s.Output(s.outputs+i))
	}
}

// Gradient returns the gradient of the last run with respect to all parameters, in the order of their
// values. The caller may change it; the next run overwrites it.
func (s *Step) Gradient() []float32 { return s.Outputs(1+len(s.Terms), s.outputs) }

// Run draws dropout masks and noise, and computes the outputs: see graph.Runner.Run. It returns an error if the loss
// reads an input that nothing has set: the run would compute with NaN.
func (s *Step) Run(p Position) error {
	s.masks = p.Masks
	if s.masks == (graph.MaskKey{}) {
		s.masks.Step = uint32(p.Step)
	}
	s.setPosition(p)
	s.SampleMasks(s.masks)
	if err := s.checkInputs(); err != nil {
		return fmt.Errorf("running the objective of method %s: %w", s.spec.Method, err)
	}
	return s.Runner.Run()
}

// CopyBatch makes the step compute with the batch of the last run of another step for as many rows: it copies all
// inputs, and draws the same dropout masks and noise. Runner.Run then computes the outputs at the present weights.
func (s *Step) CopyBatch(from *Step) {
	for _, name := range from.Runner.Inputs() {
		copy(s.Input(name), from.Input(name))
	}
	s.masks = from.masks
	s.SampleMasks(s.masks)
}

// checkInputs returns an error if an input has a NaN, as before it is set. Only single numbers, such as the
// progress, are looked at in every run, because a loop that fills columns once has the code to fill them.
func (s *Step) checkInputs() error {
	for _, input := range s.inputs {
		isChecked := s.inputsChecked && len(input.values) > 1
		if isChecked {
			continue
		}
		for i, v := range input.values {
			if v != v {
				return fmt.Errorf("number %d of the input %q is NaN, as before it is set: %s", i+1, input.name, howToSet(input.name))
			}
		}
	}
	s.inputsChecked = true
	return nil
}

// FindFault returns the first operation of the last run, in the loss or its gradient, that gave a number
// that is not finite. To find it, it builds the graph again, copies the inputs of the last run, and runs
// it operation by operation. It returns nil if there is none, or if this fails: a fault only adds to an
// error that the caller reports anyway.
func (s *Step) FindFault() *graph.Fault {
	b := graph.New(graph.Float32, s.params)
	graph.Inspect(b).TraceLines()
	loss, err := s.spec.Loss(b, s.rows)
	if err != nil {
		return nil
	}
	nodes := append(graph.Nodes{loss}, b.Gradients(loss)...)
	repeatInputs := func(r *graph.Runner) { // as CopyBatch
		for _, name := range r.Inputs() {
			copy(r.Input(name), s.Input(name))
		}
		r.SampleMasks(s.masks)
	}
	fault, err := graph.Inspect(b).FindFault(repeatInputs, nodes...)
	if err != nil {
		return nil
	}
	return fault
}

package models

import (
	"fmt"
	"slices"

	"sml/graph"
	"sml/internal/statistics"
)

// Trajectory is a network in training, for Method.AfterStep: the weights after the last step, and
// the matrices that the method keeps.
type Trajectory struct {
	Hyperparameters // hyperparameters of the method

	Step, Steps int // steps done, and steps of the whole training

	params *graph.Params
	values []float32 // result of the last call of Parameters, whose memory the next call reuses
	kept   []Matrix  // matrices that Keep returned so far
}

// NewTrajectory returns the trajectory of a network of the spec with the given weights, which the training
// changes, and with the matrices kept so far. It returns nil if the method has no AfterStep.
func (s Spec) NewTrajectory(params *graph.Params, kept []Matrix) (*Trajectory, error) {
	m, err := Lookup(s.Method)
	if err != nil || m.AfterStep == nil {
		return nil, err
	}
	return &Trajectory{Hyperparameters: s.Hyperparameters, params: params, kept: kept}, nil
}

// Parameters returns the values of all parameters of the network, buffers left out, one parameter
// after another. They are valid until AfterStep returns and must not be changed.
func (t *Trajectory) Parameters() []float32 {
	t.values = appendParameters(t.values[:0], t.params)
	return t.values
}

// Keep returns the values of a matrix [rows, columns], row by row, which are 0 at first and which AfterStep
// may change. Later calls of AfterStep get the changed values, also after an interruption of the training,
// and AfterTraining reads them by TrainedNetwork.KeptValues. Keep panics if there is a matrix with the same name
// and another shape; the training then ends with an error.
func (t *Trajectory) Keep(name string, rows, columns int) []float32 {
	shape := matrixShape{name, rows, columns}
	for _, m := range t.kept {
		if m.matrixShape == shape {
			return m.Values
		}
	}
	if err := checkShapes(append(shapesOf(t.kept), shape), 1); err != nil {
		panic(err)
	}
	m := Matrix{shape, make([]float32, rows*columns)}
	t.kept = append(t.kept, m)
	return m.Values
}

// KeptMatrices returns the matrices that AfterStep keeps, not copies.
func (t *Trajectory) KeptMatrices() []Matrix { return t.kept }

// RunAfterStep calls the method's AfterStep after step number step, from 1, of the training's steps. It
// returns an error if AfterStep returns one or panics.
func (s Spec) RunAfterStep(t *Trajectory, step, steps int) (err error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	function := fmt.Sprintf("the function after each step of method %s", m.Name) // its name in errors
	defer graph.Recover(&err, function)
	t.Step = step
	t.Steps = steps
	if err := m.AfterStep(t); err != nil {
		return fmt.Errorf("%s: %w", function, err)
	}
	return nil
}

// CheckKept returns an error if a matrix that the method keeps has a value that is not finite.
func (s Spec) CheckKept(kept []Matrix) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	for _, matrix := range kept {
		for i, v := range matrix.Values {
			if !statistics.IsFinite(float64(v)) {
				return fmt.Errorf("the function after each step of method %s keeps a matrix %q with the value %v in row %d, column %d, from 0: want finite numbers%s", m.Name, matrix.Name, v, i/matrix.Columns, i%matrix.Columns, sourceLine(m.AfterStep))
			}
		}
	}
	return nil
}

// NewMatrix returns a matrix with these values, row by row. It makes no copy of them.
func NewMatrix(name string, rows, columns int, values []float32) Matrix {
	return Matrix{matrixShape{name, rows, columns}, values}
}

// inventedSteps is the number of steps on which AfterStep is tried.
const inventedSteps = 8

// tryAfterStep returns the matrices that AfterStep keeps in an invented training that changes no weight, or
// nil if the method has no AfterStep.
func (s Spec) tryAfterStep(m Method, params *graph.Params) ([]Matrix, error) {
	t, err := s.NewTrajectory(params, nil)
	if err != nil || t == nil {
		return nil, err
	}
	for step := range inventedSteps {
		if err := s.RunAfterStep(t, 1+step, inventedSteps); err != nil {
			return nil, fmt.Errorf("%w%s", err, sourceLine(m.AfterStep))
		}
	}
	return t.kept, s.CheckKept(t.kept)
}

// appendParameters appends the values of all parameters but buffers to values.
func appendParameters(values []float32, params *graph.Params) []float32 {
	values = slices.Grow(values, params.Len())
	for i, p := range params.List() {
		if !p.Buffer {
			values = append(values, graph.ParamValues(params, params.Float32s(), i)...)
		}
	}
	return values
}

package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"sml/graph"
)

// TrainedNetwork is a trained network with its training rows, for Method.AfterTraining. The rows are in the
// order of the training, without validation rows. All numbers are in standardised units. No result
// depends on the number of goroutines.
type TrainedNetwork struct {
	Hyperparameters // hyperparameters of the method

	spec    Spec
	rows    AfterTrainingRows
	options AfterTrainingOptions

	stored      []Matrix  // matrices that Store stored so far
	subNetworks []float32 // parameters of the sub-networks that AddSubNetwork added so far, one sub-network after another
}

// Rows returns the number of training rows.
func (n *TrainedNetwork) Rows() int { return n.rows.Count }

// Weights returns the weights of the training rows, with mean 1. They are ones if the table has no weights.
func (n *TrainedNetwork) Weights() []float64 {
	if n.rows.Weights == nil {
		return slices.Repeat([]float64{1}, n.Rows())
	}
	return n.rows.Weights
}

// Store stores a matrix [rows, columns] with the model, given row by row and rounded to float32. The method's
// Predictor reads it by its name: see Moments.Stored. All members of an ensemble have to store matrices of
// the same names and shapes. It returns an error if the number of values is wrong, if one is not finite, or
// if the name is used already.
func (n *TrainedNetwork) Store(name string, rows, columns int, values []float64) error {
	m, err := newMatrix(matrixShape{name, rows, columns}, values)
	if err != nil {
		return err
	}
	if name == subNetworksName {
		return fmt.Errorf("matrix %q has the name of the sub-networks (AddSubNetwork): choose another", name)
	}
	if err := checkShapes(append(shapesOf(n.stored), m.matrixShape), 1); err != nil {
		return err
	}
	n.stored = append(n.stored, m)
	return nil
}

// rowsPerBlock is the number of rows that Evaluate computes together.
const rowsPerBlock = 256

// Evaluate computes nodes for all training rows, a block of rows at a time.
//
// build returns the nodes: values of the task, such as the network's outputs, hidden layers (Task.Layer) or
// targets, or values computed from them, such as a loss. It may be called several times, also by several
// goroutines at the same time, and must not declare parameters.
//
// use is called for one block after another, in the order of the rows, with the values of each node, row by
// row. The values are valid until it returns.
func (n *TrainedNetwork) Evaluate(ctx context.Context, build func(b *graph.Builder, t *Task) []*graph.Node, use func(rows int, values [][]float32)) error {
	return n.forBlocks(ctx, rowsPerBlock, build, func(from, to int, values [][]float32) { use(to-from, values) })
}

// Jacobian computes, for each training row, the derivatives of y [1, k] with respect to the nodes wrt.
//
// build returns y for a batch of the single row, and wrt, such as some of b.ParametersOf(y); it has to
// follow the rules of Evaluate. If y is the method's objective, a scalar, the Jacobian is the gradient of
// the row's loss.
//
// use is called for one row after another, counted from 0, with the Jacobian [k, elements of all nodes in
// wrt]. The values are valid until it returns.
func (n *TrainedNetwork) Jacobian(ctx context.Context, build func(b *graph.Builder, t *Task) (y *graph.Node, wrt []*graph.Node), use func(row int, jacobian []float32)) error {
	derivatives := func(b *graph.Builder, t *Task) []*graph.Node {
		y, wrt := build(b, t)
		return jacobianNodes(b, y, wrt)
	}
	return n.forBlocks(ctx, 1, derivatives, func(row, _ int, values [][]float32) {
		use(row, slices.Concat(values...))
	})
}

// jacobianNodes returns the gradient of each column of y, a scalar or [1, k], with respect to each
// node of wrt, in the order of a Jacobian's values. The builder fails if y has another shape.
func jacobianNodes(b *graph.Builder, y *graph.Node, wrt []*graph.Node) []*graph.Node {
	if b.Err() != nil {
		return nil
	}
	isVector := y != nil && (y.IsScalar() || y.IsMatrix() && y.Shape()[0] == 1)
	if !isVector || len(wrt) == 0 {
		b.Fail(errors.New("a Jacobian needs y of shape [1 k], or a scalar, and at least one node to differentiate by"))
		return nil
	}
	if y.IsScalar() {
		return b.Grad(y, wrt...)
	}
	var nodes []*graph.Node
	for j := range y.Shape()[1] {
		element := b.Sum(b.Columns(y, j, j+1)) // the gradient needs a scalar
		nodes = append(nodes, b.Grad(element, wrt...)...)
	}
	return nodes
}

// runRows returns the values of a step's nodes for the rows from, …, to−1.
func (n *TrainedNetwork) runRows(s *Step, from, to int) ([][]float32, error) {
	n.rows.Load(s, from, to)
	position := n.rows.Position
	position.Masks = graph.MaskKey{Seed: n.options.Seed, Step: afterTrainingStep, Row: uint32(from)}
	if err := s.Run(position); err != nil {
		return nil, err
	}
	values := make([][]float32, s.outputs)
	for i := range values {
		values[i] = slices.Clone(s.Output(i))
	}
	return values, nil
}

// afterTrainingStep is the index of the step for the dropout masks of Evaluate and Jacobian. No training
// has so many steps, and validation uses the next number.
const afterTrainingStep = math.MaxUint32 - 1

// newStep returns a step that computes the nodes of build for batches of the given number of rows. It returns an error
// if rows lack some of the targets.
func (n *TrainedNetwork) newStep(rows int, build func(b *graph.Builder, t *Task) []*graph.Node) (*Step, error) {
	if n.spec.PartlyKnown { // nodes may depend on targets in ways that weights do not undo
		return nil, fmt.Errorf("method %s reads all targets of the training rows after the training, and some rows lack a target: train a model for each target, or use rows that have all targets", n.spec.Method)
	}
	s, err := n.spec.newNodesStep(n.options.Engine, n.options.Params, rows, build)
	if err != nil {
		return nil, err
	}
	if err := n.rows.Prepare(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// blockWorker holds the steps of one goroutine.
type blockWorker struct {
	network *TrainedNetwork
	steps   map[int]*Step // by number of rows
}

// compute returns the values of the nodes of build for the rows from, …, to−1. It builds the step for this number of
// rows in the first call.
func (w *blockWorker) compute(from, to int, build func(b *graph.Builder, t *Task) []*graph.Node) ([][]float32, error) {
	s := w.steps[to-from]
	if s == nil {
		var err error
		s, err = w.network.newStep(to-from, build)
		if err != nil {
			return nil, err
		}
		w.steps[to-from] = s
	}
	return w.network.runRows(s, from, to)
}

// forBlocks divides the rows into blocks of blockSize rows. In each round it computes the nodes of build for as many
// blocks as there are goroutines, at the same time, waits for all of them, and then calls use for their
// values in the order of the rows. So the values of one block for each goroutine are in memory, and the
// result does not depend on the number of goroutines.
func (n *TrainedNetwork) forBlocks(ctx context.Context, blockSize int, build func(b *graph.Builder, t *Task) []*graph.Node, use func(from, to int, values [][]float32)) error {
	workers := n.newBlockWorkers(blockSize)
	defer closeBlockWorkers(workers)
	values := make([][][]float32, len(workers)) // of the block of each worker
	rowsPerRound := blockSize * len(workers)
	for first := 0; first < n.Rows(); first += rowsPerRound {
		if err := ctx.Err(); err != nil {
			return err
		}
		blockOf := func(worker int) (from, to int) {
			from = first + worker*blockSize
			return from, min(from+blockSize, n.Rows())
		}
		var group errgroup.Group
		for i, w := range workers {
			from, to := blockOf(i)
			if from >= n.Rows() {
				break
			}
			group.Go(func() (err error) {
				values[i], err = w.compute(from, to, build)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i := range workers {
			from, to := blockOf(i)
			if from < n.Rows() { // the last round may have fewer blocks
				use(from, to, values[i])
			}
		}
		if n.options.Progress != nil {
			n.options.Progress(min(first+rowsPerRound, n.Rows()), n.Rows())
		}
	}
	return nil
}

// newBlockWorkers returns a worker for each goroutine, at most one for each block of rows.
func (n *TrainedNetwork) newBlockWorkers(blockSize int) []*blockWorker {
	blocks := (n.Rows() + blockSize - 1) / blockSize
	workers := make([]*blockWorker, max(1, min(n.options.Workers, blocks)))
	for i := range workers {
		workers[i] = &blockWorker{network: n, steps: make(map[int]*Step)}
	}
	return workers
}

// closeBlockWorkers closes the steps of all workers.
func closeBlockWorkers(workers []*blockWorker) {
	for _, w := range workers {
		for _, s := range w.steps {
			s.Close()
		}
	}
}

// newNodesStep returns a step whose outputs are the nodes of build for the given number of rows, without a
// gradient.
func (s Spec) newNodesStep(engine graph.Engine, params *graph.Params, rows int, build func(b *graph.Builder, t *Task) []*graph.Node) (*Step, error) {
	b := graph.New(graph.Float32, params)
	g := graph.Inspect(b)
	g.Filler = "a function after the training"
	g.FillerInputs = []string{InputX, InputY}
	t, err := s.newTask(b, rows, nil)
	if err != nil {
		return nil, err
	}
	t.afterTraining = true
	nodes, err := t.tryNodes(build)
	if err != nil {
		return nil, err
	}
	step := &Step{spec: s, params: params, rows: rows, outputs: len(nodes)}
	step.Runner, err = graph.NewRunner(engine, b, nodes...)
	if err != nil {
		return nil, err
	}
	step.X = step.Input(InputX)
	step.Y = step.Input(InputY)
	step.stepInputs, err = t.newStepInputs(step.Runner)
	if err != nil {
		return nil, err
	}
	return step, step.Scale(nil, nil)
}

// tryNodes calls build, checks its nodes and turns a panic into an error.
func (t *Task) tryNodes(build func(b *graph.Builder, t *Task) []*graph.Node) (nodes []*graph.Node, err error) {
	defer graph.Recover(&err, "the nodes that are computed after the training")
	nodes = build(t.b, t)
	if err := t.b.Err(); err != nil {
		return nil, err
	}
	for i, node := range nodes {
		if node == nil || node.Graph() != t.b.Graph() {
			return nil, fmt.Errorf("node %d, from 0, is nil or of another graph", i)
		}
	}
	if len(nodes) == 0 {
		return nil, errors.New("there is no node to compute")
	}
	return nodes, nil
}

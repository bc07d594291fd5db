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

// TrainedNetwork is a trained network with the rows that it was trained on, for
// Method.AfterTraining. Rows are in the order of the training, without validation rows. All numbers
// are in standardised units. No result depends on the number of goroutines.
type TrainedNetwork struct {
	Hyperparameters // of the method

	spec   Spec
	rows   AfterTrainingRows
	o      AfterTrainingOptions
	stored []Matrix

	subNetworks []float32 // parameters of the sub-networks, one after another
}

// Rows returns the number of training rows.
func (n *TrainedNetwork) Rows() int { return n.rows.Count }

// Weights returns the weights of the training rows, of mean 1: ones if all rows count alike.
func (n *TrainedNetwork) Weights() []float64 {
	if n.rows.Weights == nil {
		return slices.Repeat([]float64{1}, n.Rows())
	}
	return n.rows.Weights
}

// Store saves a matrix [rows, columns] with the model, rounded to float32. The method's Predictor
// finds it by its name: see Moments.Stored. It returns an error if the values are too few, too many
// or not finite, or if there is a matrix of that name. All members of an ensemble have to store
// matrices of the same names and shapes.
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

// evaluatedRows is the number of rows that Evaluate runs together.
const evaluatedRows = 256

// Evaluate computes nodes for all training rows, a block of rows at a time. build returns nodes that
// the task offers or that it computes from them, such as the network's outputs, hidden layers
// (Task.Layer), the targets, or a loss. build is called several times, also by several goroutines at
// the same time, and declares no parameters. use is called for the blocks in the order of the rows, with the values of
// each node, row by row, which are valid until it returns.
func (n *TrainedNetwork) Evaluate(ctx context.Context, build func(b *graph.Builder, t *Task) []*graph.Node, use func(rows int, values [][]float32)) error {
	compute := func(w *blockWorker, from, to int) ([][]float32, error) {
		step, err := w.step(to-from, build)
		if err != nil {
			return nil, err
		}
		if err := n.run(step, from, to); err != nil {
			return nil, err
		}
		values := make([][]float32, step.outputs)
		for i := range values {
			values[i] = slices.Clone(step.Output(i))
		}
		return values, nil
	}
	return n.inBlocks(ctx, evaluatedRows, compute, func(from, to int, values [][]float32) { use(to-from, values) })
}

// jacobianValues bounds the values of Jacobians that one goroutine computes before they are used,
// 16 MiB.
const jacobianValues = 1 << 22

// Jacobian computes the derivatives of y [1, k] with respect to wrt for each training row by itself.
// build returns y, computed for a batch of this one row, and the nodes wrt, such as some of
// b.ParametersOf(y) by their names; it is called as Evaluate calls it. With the method's objective as y, a scalar, the Jacobian is the
// gradient of the row's loss. use is called in the order of the rows, counted from 0, with the
// Jacobian [k, elements of all nodes in wrt], which is valid until it returns.
func (n *TrainedNetwork) Jacobian(ctx context.Context, build func(b *graph.Builder, t *Task) (y *graph.Node, wrt []*graph.Node), use func(row int, jacobian []float32)) error {
	derivatives := func(b *graph.Builder, t *Task) []*graph.Node {
		y, wrt := build(b, t)
		return jacobianNodes(b, y, wrt)
	}
	step, err := n.newStep(1, derivatives)
	if err != nil {
		return err
	}
	defer step.Close()
	if err := n.run(step, 0, 1); err != nil {
		return err
	}
	size := max(1, min(evaluatedRows, jacobianValues/len(step.Outputs(0, step.outputs))))
	compute := func(w *blockWorker, from, to int) ([][]float32, error) {
		step, err := w.step(1, derivatives)
		if err != nil {
			return nil, err
		}
		var rows [][]float32
		for row := from; row < to; row++ {
			if err := n.run(step, row, row+1); err != nil {
				return nil, err
			}
			rows = append(rows, slices.Clone(step.Outputs(0, step.outputs)))
		}
		return rows, nil
	}
	return n.inBlocks(ctx, size, compute, func(from, _ int, rows [][]float32) {
		for i, jacobian := range rows {
			use(from+i, jacobian)
		}
	})
}

// jacobianNodes returns the gradient of each column of y, a scalar or [1, k], with respect to each
// node of wrt, in the order of a Jacobian's values.
func jacobianNodes(b *graph.Builder, y *graph.Node, wrt []*graph.Node) []*graph.Node {
	if b.Err() != nil {
		return nil
	}
	if y == nil || !y.IsScalar() && (!y.IsMatrix() || y.Shape()[0] != 1) || len(wrt) == 0 {
		b.Fail(errors.New("a Jacobian needs y of shape [1 k], or a scalar, and at least one node to differentiate by"))
		return nil
	}
	if y.IsScalar() {
		return b.Grad(y, wrt...)
	}
	var nodes []*graph.Node
	for j := range y.Shape()[1] {
		nodes = append(nodes, b.Grad(b.Sum(b.Columns(y, j, j+1)), wrt...)...)
	}
	return nodes
}

// run computes a step for the rows from, …, to−1.
func (n *TrainedNetwork) run(s *Step, from, to int) error {
	n.rows.Load(s, from, to)
	s.SampleMasks(graph.MaskKey{Seed: n.o.Seed, Step: afterTrainingStep, Row: uint32(from)})
	return s.Run()
}

// afterTrainingStep is the number of the step for the masks of Evaluate and Jacobian. No
// training reaches it, and validation uses the next number.
const afterTrainingStep = math.MaxUint32 - 1

// newStep builds nodes for batches of a number of rows.
func (n *TrainedNetwork) newStep(rows int, build func(b *graph.Builder, t *Task) []*graph.Node) (*Step, error) {
	s, err := n.spec.newNodesStep(n.o.Engine, n.o.Params, rows, build)
	if err != nil {
		return nil, err
	}
	if err := n.rows.Prepare(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// blockWorker has the graphs of one goroutine, by their number of rows.
type blockWorker struct {
	network *TrainedNetwork
	steps   map[int]*Step
}

// step returns the graph for batches of a number of rows, and builds it if necessary.
func (w *blockWorker) step(rows int, build func(b *graph.Builder, t *Task) []*graph.Node) (*Step, error) {
	if s := w.steps[rows]; s != nil {
		return s, nil
	}
	s, err := w.network.newStep(rows, build)
	if err == nil {
		w.steps[rows] = s
	}
	return s, err
}

// inBlocks computes blocks of at most size rows on all goroutines, and uses them in their order. It
// holds one block for each goroutine.
func (n *TrainedNetwork) inBlocks(ctx context.Context, size int, compute func(w *blockWorker, from, to int) ([][]float32, error), use func(from, to int, values [][]float32)) error {
	workers := make([]*blockWorker, max(1, min(n.o.Workers, (n.Rows()+size-1)/size)))
	for i := range workers {
		workers[i] = &blockWorker{network: n, steps: make(map[int]*Step)}
	}
	defer func() {
		for _, w := range workers {
			for _, s := range w.steps {
				s.Close()
			}
		}
	}()
	blocks := make([][][]float32, len(workers))
	for first := 0; first < n.Rows(); first += size * len(workers) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var group errgroup.Group
		for i, w := range workers {
			from := first + i*size
			if from >= n.Rows() {
				break
			}
			group.Go(func() (err error) {
				blocks[i], err = compute(w, from, min(from+size, n.Rows()))
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i := range workers {
			if from := first + i*size; from < n.Rows() {
				use(from, min(from+size, n.Rows()), blocks[i])
			}
		}
		if n.o.Progress != nil {
			n.o.Progress(min(first+size*len(workers), n.Rows()), n.Rows())
		}
	}
	return nil
}

// newNodesStep builds nodes of a trained network over a number of rows. The step has no gradient and
// its outputs are the nodes.
func (s Spec) newNodesStep(engine graph.Engine, params *graph.Params, rows int, build func(b *graph.Builder, t *Task) []*graph.Node) (*Step, error) {
	b := graph.New(graph.Float32, params)
	g := graph.Inspect(b)
	g.Filler, g.FillerInputs = "a function after the training", []string{InputX, InputY}
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
	if step.Runner, err = graph.NewRunner(engine, b, nodes...); err != nil {
		return nil, err
	}
	step.X, step.Y = step.Input(InputX), step.Input(InputY)
	if step.stepInputs, err = s.newStepInputs(step.Runner); err != nil {
		return nil, err
	}
	step.scaleInputs.frozen = t.frozen
	return step, step.Scale(nil, nil)
}

// tryNodes calls build and checks its nodes. A panic is an error.
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

// Layer returns the output [rows, units] of a hidden layer in the full network, by the name that the
// network gives it (graph.Builder.Layer), or of the last named layer if name is "". It is for
// TrainedNetwork.Evaluate and Jacobian: an objective cannot use it.
func (t *Task) Layer(name string) *graph.Node {
	if !t.afterTraining {
		t.b.Fail(errors.New("Layer: hidden layers are for the functions after a training (Method.AfterTraining), not for objectives"))
		return t.b.Const(0)
	}
	before := len(graph.Inspect(t.b).Layers)
	t.Forward(graph.Full)
	l, err := graph.FindLayer(graph.Inspect(t.b).Layers[before:], name)
	if err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	return l.Node
}

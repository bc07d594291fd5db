package trainers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// network is one member in training.
type network struct {
	spec     models.Spec
	settings Settings
	member   int
	seed     uint64
	rows     data.Subset
	train    []int32 // rows that are learnt from
	validate []int32 // rows that choose the best epoch
	params   *graph.Params
	initial  []float32            // weights before the first step
	steps    map[int]*models.Step // by number of rows
	state    State
}

// State is where a member's training stands at the end of an epoch: all that
// the next epoch depends on.
type State struct {
	Epoch  int // epochs done
	Step   int // steps done
	Values []float32
	M, V   []float32 // Adam's moments

	Best      []float32 // values at the lowest validation loss, if there is validation
	BestEpoch int
	BestLoss  float64
	Stopped   bool // early
	History   []models.Epoch
}

func newNetwork(spec models.Spec, s Settings, member int, rows data.Subset) (*network, error) {
	n := &network{
		spec: spec, settings: s, member: member, seed: memberSeed(s.FoldSeed(), member),
		rows: rows, steps: make(map[int]*models.Step),
	}
	numbers := rows.All(spec.Architecture.Inputs)
	held := int(math.Round(s.Validation * float64(len(numbers))))
	if s.Validation > 0 && (held == 0 || held == len(numbers)) {
		return nil, fmt.Errorf("a share of %v of %d rows leaves none to validate with, or none to train on", s.Validation, len(numbers))
	}
	order := permute(n.seed, validationStream, len(numbers))
	for i, at := range order {
		order[i] = numbers[at]
	}
	n.validate, n.train = order[:held], order[held:]
	var err error
	if n.params, err = spec.NewParams(n.seed); err != nil {
		return nil, err
	}
	size := n.params.Len()
	n.state = State{M: make([]float32, size), V: make([]float32, size), Values: n.params.Float32s(), BestLoss: math.Inf(1)}
	return n, nil
}

// restore continues from a state.
func (n *network) restore(s State) {
	copy(n.params.Float32s(), s.Values)
	copy(n.state.M, s.M)
	copy(n.state.V, s.V)
	s.Values, s.M, s.V = n.params.Float32s(), n.state.M, n.state.V
	n.state = s
}

// snapshot copies the state into one that was copied before, or is new.
func (n *network) snapshot(into *State) {
	s := n.state
	s.Values = append(into.Values[:0], s.Values...)
	s.M = append(into.M[:0], s.M...)
	s.V = append(into.V[:0], s.V...)
	s.History = slices.Clip(s.History) // epochs are added, never changed
	*into = s
}

func (n *network) close() {
	for _, s := range n.steps {
		s.Close()
	}
}

// stepOf returns the objective for batches of that many rows.
func (n *network) stepOf(rows int) (*models.Step, error) {
	if s, ok := n.steps[rows]; ok {
		return s, nil
	}
	s, err := n.spec.NewStep(n.settings.Engine, n.params, rows)
	if err == nil {
		n.steps[rows] = s
	}
	return s, err
}

// load gathers rows into the inputs of a step.
func (n *network) load(s *models.Step, rows []int32) {
	graph.Gather(s.X, n.rows.X, n.spec.Architecture.Inputs, rows, n.rows.XScale.Mean, n.rows.XScale.Std)
	graph.Gather(s.Y, n.rows.Y, n.spec.Architecture.Targets, rows, n.rows.YScale.Mean, n.rows.YScale.Std)
}

// done tells whether there is nothing left to train.
func (n *network) done() bool { return n.state.Stopped || n.state.Epoch >= n.settings.Epochs }

// epoch trains once over the training rows. When ctx ends it returns its
// error, with the state somewhere within the epoch.
func (n *network) epoch(ctx context.Context) error {
	s := n.settings
	order := permute(n.seed, shuffleStream+uint64(n.state.Epoch), len(n.train))
	rows := make([]int32, 0, s.Batch)
	rate := s.LearningRate * s.Schedule.factor(n.state.Epoch, s.Epochs)
	var sums []float64
	before, batches := math.NaN(), 0
	for from := 0; from < len(order); from += s.Batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+s.Batch, len(order))
		if to-from < s.Batch && s.Protocol == data.Paper {
			break
		}
		rows = rows[:0]
		for _, i := range order[from:to] {
			rows = append(rows, n.train[i])
		}
		step, err := n.stepOf(len(rows))
		if err != nil {
			return err
		}
		n.load(step, rows)
		step.SampleMasks(graph.MaskKey{Seed: n.seed, Step: uint32(n.state.Step)})
		if err := step.Run(); err != nil {
			return err
		}
		batches++
		loss := float64(step.Loss())
		if !finite(loss) {
			return n.diverged(batches, loss, before, rate, cause(n.params.Float32s(), step.X, step.Y, rate))
		}
		grad := step.Gradient()
		if !graph.Finite(grad) {
			return n.diverged(batches, loss, before, rate, gradientCause(n.params, grad, loss, rate))
		}
		n.descend(grad, rate)
		before = loss
		if sums == nil {
			sums = make([]float64, 1+len(step.Terms))
		}
		for i := range sums {
			sums[i] += float64(step.Output(i)[0])
		}
	}
	if !graph.Finite(n.params.Float32s()) {
		return n.diverged(batches, before, before, rate, cause(n.params.Float32s(), nil, nil, rate))
	}
	saturate(n.state.V)
	n.state.Epoch++
	for i := range sums {
		sums[i] /= float64(batches)
	}
	if len(n.validate) > 0 {
		loss, err := n.validation()
		if err != nil {
			return err
		}
		if !finite(loss) {
			return n.diverged(batches, loss, before, rate, "the loss of the validation rows is not finite; try a smaller learning rate, or look at the data")
		}
		sums = append(sums, loss)
	}
	n.state.History = append(n.state.History, models.Epoch{Member: n.member, Number: n.state.Epoch, Values: sums})
	return nil
}

func (n *network) diverged(step int, loss, before, rate float64, cause string) error {
	return &Diverged{Member: n.member, Epoch: min(n.state.Epoch+1, n.settings.Epochs), Step: step, Loss: loss, Before: before, Rate: rate, Cause: cause}
}

// descend makes one step of Adam.
func (n *network) descend(grad []float32, rate float64) {
	if n.settings.Clip > 0 {
		clip(grad, n.settings.Clip)
	}
	n.state.Step++
	n.settings.Adam.step(n.params.Float32s(), grad, n.state.M, n.state.V, n.state.Step, rate, n.settings.Decay)
}

// validationBlock bounds the rows of one run over the validation rows.
const validationBlock = 1000

// validation judges the present weights on the validation rows, with the same
// masks every time, and notes the best.
func (n *network) validation() (float64, error) {
	sum := 0.0
	for from := 0; from < len(n.validate); from += validationBlock {
		rows := n.validate[from:min(from+validationBlock, len(n.validate))]
		step, err := n.stepOf(len(rows))
		if err != nil {
			return 0, err
		}
		n.load(step, rows)
		step.SampleMasks(graph.MaskKey{Seed: n.seed, Step: math.MaxUint32, Row: uint32(from)})
		if err := step.Run(); err != nil {
			return 0, err
		}
		sum += float64(float64(step.Loss()) * float64(len(rows)))
	}
	loss := sum / float64(len(n.validate))
	if loss < n.state.BestLoss {
		n.state.BestLoss, n.state.BestEpoch = loss, n.state.Epoch
		n.state.Best = append([]float32(nil), n.params.Float32s()...)
	}
	n.state.Stopped = n.settings.Patience > 0 && n.state.Epoch-n.state.BestEpoch >= n.settings.Patience
	return loss, nil
}

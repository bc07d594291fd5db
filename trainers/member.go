package trainers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
	"sml/trainers/optimizer"
)

// member is one network in training.
type member struct {
	spec                 models.Spec
	settings             Settings
	index                int // from 0
	seed                 uint64
	rows                 data.Subset
	x, y                 *kernels.Standardised
	trainRows            []int32 // training rows
	validationRows       []int32 // validation rows, which choose the best epoch
	trainMeanWeight      float64 // mean of the weights of train
	validationMeanWeight float64 // mean of the weights of validate
	params               *graph.Params
	initial              []float32            // weights before the first step
	trainingSteps        map[int]*models.Step // by number of rows
	evaluationSteps      map[int]*models.Step // the same outside of training, where there are buffers
	optimizer            optimizer.State
	clip                 optimizer.GradientTransform // gradient clipping; nil if there is none
	state                State
	pool                 *graph.Pool        // of large steps
	reporter             *reporter          // of Options.AfterStep; nil without it
	trajectory           *models.Trajectory // for Method.AfterStep; nil without it
	savedWeights         []float32          // weights that withAverage puts aside
}

// State is where a member's training stands at the end of an epoch: all that
// the next epoch depends on.
type State struct {
	Epoch  int // epochs done
	Step   int // steps done
	Values []float32
	Slots  []optimizer.Slot // what the optimizer keeps

	Average []float32       // averaged values; nil if Settings.Average has none yet
	Kept    []models.Matrix // matrices that Method.AfterStep kept

	Best      []float32 // values at the lowest validation loss, if there is validation
	BestEpoch int
	BestLoss  float64
	Stopped   bool // early
	History   []models.Epoch

	// Ended says why Options.AfterStep ended the training, in the last epoch, which may have
	// fewer steps then. It is nil while nothing has.
	Ended *string

	Frozen string // sum of the models that the objective looks at; "": none
}

// standardised returns the standardised inputs and targets of rows, which all members share.
func standardised(spec models.Spec, rows data.Subset) (x, y *kernels.Standardised) {
	a := spec.Architecture
	return kernels.Standardise(rows.X, a.Inputs, rows.XScale.Means(), rows.XScale.Stds()), kernels.Standardise(rows.Y, a.Targets, rows.YScale.Means(), rows.YScale.Stds())
}

func newMember(spec models.Spec, s Settings, index int, rows data.Subset, x, y *kernels.Standardised) (*member, error) {
	m := &member{
		spec: spec, settings: s, index: index, seed: memberSeed(s.FoldSeed(), index),
		rows: rows, x: x, y: y, trainingSteps: make(map[int]*models.Step), evaluationSteps: make(map[int]*models.Step),
	}
	numbers := rows.RowNumbers(spec.Architecture.Inputs)
	var err error
	if m.validationRows, m.trainRows, err = holdOut(rows.Separation, numbers, s.Validation, m.seed); err != nil {
		return nil, err
	}
	if m.trainMeanWeight, err = meanWeight(rows, m.trainRows, "trained on"); err != nil {
		return nil, err
	}
	if m.validationMeanWeight, err = meanWeight(rows, m.validationRows, "validated with"); err != nil {
		return nil, err
	}
	if m.params, err = spec.NewParams(m.seed); err != nil {
		return nil, err
	}
	if m.optimizer, err = s.newOptimizer(m.params); err != nil {
		return nil, err
	}
	if s.Clip > 0 && len(s.ParamGroups) == 0 { // groups clip their own
		m.clip = optimizer.ClipNorm(s.Clip)
	}
	m.state = State{Slots: m.optimizer.Slots(), Values: m.params.Float32s(), BestLoss: math.Inf(1)}
	m.trajectory, err = spec.NewTrajectory(m.params, nil)
	return m, err
}

// restore continues from a state.
func (m *member) restore(s State) (err error) {
	copy(m.params.Float32s(), s.Values)
	for i, slot := range m.state.Slots {
		copy(slot.Values, s.Slots[i].Values)
	}
	s.Values, s.Slots = m.params.Float32s(), m.state.Slots
	s.Average = slices.Clone(s.Average)
	s.Kept = cloneMatrices(nil, s.Kept)
	m.state = s
	m.trajectory, err = m.spec.NewTrajectory(m.params, s.Kept)
	return err
}

// cloneMatrices copies matrices, into the memory of earlier copies where their names and shapes are
// the same.
func cloneMatrices(into, list []models.Matrix) []models.Matrix {
	if len(list) == 0 {
		return nil
	}
	copies := make([]models.Matrix, len(list))
	for i, m := range list {
		copies[i] = m
		var room []float32
		if i < len(into) {
			room = into[i].Values[:0]
		}
		copies[i].Values = append(room, m.Values...)
	}
	return copies
}

// snapshot copies the state into one that was copied before, or is new.
func (m *member) snapshot(into *State) {
	s := m.state
	s.Values = append(into.Values[:0], s.Values...)
	s.Average = append(into.Average[:0], s.Average...)
	s.Kept = cloneMatrices(into.Kept, s.Kept)
	s.Slots = slices.Clone(s.Slots)
	for i := range s.Slots {
		var room []float32
		if len(into.Slots) > 0 {
			room = into.Slots[i].Values[:0]
		}
		s.Slots[i].Values = append(room, s.Slots[i].Values...)
	}
	s.History = slices.Clip(s.History) // epochs are added, never changed
	*into = s
}

func (m *member) close() {
	for _, steps := range []map[int]*models.Step{m.trainingSteps, m.evaluationSteps} {
		for _, s := range steps {
			s.Close()
		}
	}
}

// trainingStep returns the objective for batches of that many rows.
func (m *member) trainingStep(rows int) (*models.Step, error) {
	if s, ok := m.trainingSteps[rows]; ok {
		return s, nil
	}
	s, err := m.spec.NewStep(m.settings.Engine, m.params, rows)
	if err == nil {
		m.trainingSteps[rows] = s
		err = m.prepareStep(s)
	}
	return s, err
}

// checkLastBatch builds the objective for the last batch of an epoch of so many rows: one that
// cannot be, as of a single row behind a batch norm, is an error before the first step.
func (m *member) checkLastBatch(rows int) error {
	last := rows % m.settings.Batch
	if last == 0 || m.settings.Protocol == data.Paper {
		return nil
	}
	if _, err := m.trainingStep(last); err != nil {
		return fmt.Errorf("batches of %d leave %d of %d rows for the last of an epoch: %w", m.settings.Batch, last, rows, err)
	}
	return nil
}

// evaluationStep returns the objective for rows that are not learnt from.
func (m *member) evaluationStep(rows int) (*models.Step, error) {
	if !slices.ContainsFunc(m.params.List(), func(p graph.Param) bool { return p.Buffer }) {
		return m.trainingStep(rows)
	}
	if s, ok := m.evaluationSteps[rows]; ok {
		return s, nil
	}
	s, err := m.spec.NewEvaluation(m.settings.Engine, m.params, rows)
	if err == nil {
		m.evaluationSteps[rows] = s
		err = m.prepareStep(s)
	}
	return s, err
}

// prepareStep tells a new step what it does not know of the training.
func (m *member) prepareStep(s *models.Step) error {
	if err := m.setScalers(s); err != nil || m.pool == nil {
		return err
	}
	return s.UsePool(m.pool)
}

// setScalers tells a step what its columns are standardised by, and how far inputs go.
func (m *member) setScalers(s *models.Step) error {
	if s.InputRange != nil {
		m.fillInputRange(s.InputRange)
	}
	return s.Scale(m.rows.XScale, m.rows.YScale)
}

// fillInputRange writes the range of each input over all rows that the training was
// given, those by which inputs are standardised, in standardised units.
func (m *member) fillInputRange(ranges []float32) {
	inputs := len(ranges)
	for i := range ranges {
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range m.rows.RowNumbers(inputs) {
			x := m.rows.X[int(r)*inputs+i]
			low, high = min(low, x), max(high, x)
		}
		std := 1.0
		if m.rows.XScale != nil {
			std = m.rows.XScale[i].Std
		}
		ranges[i] = float32((high - low) / std)
	}
}

// loadRows gathers rows into the inputs of a step, their weights in parts of the given
// one, and says where the training stands.
func (m *member) loadRows(s *models.Step, rows []int32, weight float64) {
	s.At(m.progress())
	m.x.CopyRows(s.X, rows)
	m.y.CopyRows(s.Y, rows)
	for _, e := range s.Extras {
		gatherColumn(e.Values, m.rows, e.Name, rows)
	}
	if s.Weight != nil {
		kernels.GatherStandardised(s.Weight, m.rows.W, 1, rows, []float64{0}, []float64{weight})
	}
}

// isFinished tells whether there is nothing left to train.
func (m *member) isFinished() bool {
	return m.state.Stopped || m.state.Ended != nil || m.state.Epoch >= m.settings.Epochs
}

// epochRun is the state of an epoch between its steps.
type epochRun struct {
	log          epochLog
	batches      int     // batches so far
	previousLoss float64 // loss of the step before; NaN before the first
	rate         float64 // learning rate of the last step
	ended        *string // reason why the callback ended the training; nil if it did not
}

// runEpoch trains once over the training rows. When ctx ends it returns its
// error, with the state somewhere within the runEpoch.
func (m *member) runEpoch(ctx context.Context) error {
	s := m.settings
	order := permute(m.seed, shuffleStream+uint64(m.state.Epoch), len(m.trainRows))
	if err := m.checkLastBatch(len(order)); err != nil {
		return err
	}
	rows := make([]int32, 0, s.Batch)
	run := &epochRun{previousLoss: math.NaN(), rate: s.LearningRate}
	for from := 0; from < len(order) && run.ended == nil; from += s.Batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+s.Batch, len(order))
		if to-from < s.Batch && s.Protocol == data.Paper {
			break
		}
		rows = rows[:0]
		for _, i := range order[from:to] {
			rows = append(rows, m.trainRows[i])
		}
		if err := m.trainBatch(run, rows); err != nil {
			return err
		}
	}
	if err := m.endOptimizerEpoch(run); err != nil {
		return err
	}
	return m.endEpoch(run)
}

// trainBatch makes one step over the given rows.
func (m *member) trainBatch(run *epochRun, rows []int32) error {
	step, err := m.trainingStep(len(rows))
	if err != nil {
		return err
	}
	at := m.stepInfo()
	run.rate = at.Rate
	m.loadRows(step, rows, m.trainMeanWeight)
	step.SampleMasks(graph.MaskKey{Seed: m.seed, Step: uint32(m.state.Step)})
	if err := step.Run(); err != nil {
		return err
	}
	run.batches++
	loss := float64(step.Loss())
	if !statistics.Finite(loss) {
		return m.diverged(run, loss, lossCause(m.params, step.X, step.Y, m.state.Step == 0, run.rate, describeFault(step, rows)))
	}
	grad := step.Gradient()
	m.clearBuffers(grad)
	if !kernels.Finite(grad) {
		return m.diverged(run, loss, gradientCause(m.params, grad, loss, run.rate, describeFault(step, rows)))
	}
	if err := m.stepOptimizer(grad, at); err != nil {
		return err
	}
	step.Commit()
	m.averageStep()
	if err := m.runAfterStep(at); err != nil {
		return err
	}
	run.previousLoss = loss
	run.log.add(step)
	run.ended, err = m.reporter.tell(step, m.state, run.rate)
	return err
}

// runAfterStep calls the method's AfterStep, if it has one, after a step.
func (m *member) runAfterStep(at optimizer.StepInfo) error {
	if m.trajectory == nil {
		return nil
	}
	if err := m.spec.RunAfterStep(m.trajectory, at.Step, at.Steps); err != nil {
		return err
	}
	m.state.Kept = m.trajectory.Kept()
	return nil
}

// endOptimizerEpoch ends the epoch of the optimizer. It returns a *Diverged if weights or slots are not
// finite.
func (m *member) endOptimizerEpoch(run *epochRun) error {
	if !kernels.Finite(m.params.Float32s()) {
		return m.diverged(run, run.previousLoss, lossCause(m.params, nil, nil, false, run.rate, ""))
	}
	if d, ok := m.optimizer.(optimizer.EpochEnder); ok {
		d.EndEpoch()
	}
	for _, slot := range m.state.Slots {
		if !kernels.Finite(slot.Values) { // no checkpoint of it could be read
			return m.diverged(run, run.previousLoss, fmt.Sprintf("what optimizer %s keeps as %q overflowed; try a smaller learning rate than %g, or gradient clipping", m.settings.Optimizer, slot.Name, run.rate))
		}
	}
	return m.spec.CheckKept(m.state.Kept)
}

// endEpoch updates the averaged weights, computes the validation loss and adds the epoch to the
// history.
func (m *member) endEpoch(run *epochRun) error {
	m.state.Epoch++
	m.state.Ended = run.ended
	m.averageEpoch()
	values := run.log.values()
	if len(m.validationRows) > 0 {
		var loss float64
		err := m.withAveragedWeights(func() (err error) {
			loss, err = m.validate()
			return err
		})
		if err != nil {
			return err
		}
		if !statistics.Finite(loss) {
			return m.diverged(run, loss, "the loss of the validation rows is not finite; try a smaller learning rate, or look at the data")
		}
		values = append(values, loss)
	}
	m.state.History = append(m.state.History, models.Epoch{Member: m.index, Number: m.state.Epoch, Values: values})
	return nil
}

// diverged returns the error of an epoch that ends at its last batch, with this loss.
func (m *member) diverged(run *epochRun, loss float64, cause string) error {
	return &DivergedError{
		Member:       m.index,
		Epoch:        min(m.state.Epoch+1, m.settings.Epochs),
		Step:         run.batches,
		Loss:         loss,
		PreviousLoss: run.previousLoss,
		Rate:         run.rate,
		Cause:        cause,
	}
}

// progress returns the position of the training before the next step.
func (m *member) progress() models.Progress {
	epochs := m.settings.Epochs
	return models.Progress{
		Step:   m.state.Step,
		Steps:  epochs * m.stepsPerEpoch(),
		Epoch:  m.state.Epoch,
		Epochs: epochs,
		Rows:   len(m.trainRows),
	}
}

// stepInfo returns the position of the next step, with its learning rate.
func (m *member) stepInfo() optimizer.StepInfo {
	p, s := m.progress(), m.settings
	return optimizer.StepInfo{
		Step:   p.Step + 1,
		Steps:  p.Steps,
		Epoch:  p.Epoch,
		Epochs: p.Epochs,
		Rate:   s.LearningRate * s.Schedule.At(p),
		Decay:  s.Decay,
	}
}

// clearBuffers makes the gradient of what is not trained 0, so that no norm counts
// it.
func (m *member) clearBuffers(grad []float32) {
	for i, p := range m.params.List() {
		if p.Buffer {
			clear(graph.ParamValues(m.params, grad, i))
		}
	}
}

// stepOptimizer makes one step of the optimizer. A panic in it is an error that names the
// line.
func (m *member) stepOptimizer(grad []float32, at optimizer.StepInfo) (err error) {
	defer graph.Recover(&err, "optimizer "+m.settings.Optimizer)
	values := m.params.Float32s()
	if m.clip != nil {
		at = m.clip.Apply(values, grad, at)
	}
	m.state.Step++
	m.optimizer.Step(values, grad, at)
	return nil
}

// validationBlock bounds the rows of one run over the validation rows.
const validationBlock = 1000

// validate judges the present weights on the validate rows, each of which counts
// by its own weight among them, with the same masks every time, and notes the best.
func (m *member) validate() (float64, error) {
	sum := 0.0
	for from := 0; from < len(m.validationRows); from += validationBlock {
		rows := m.validationRows[from:min(from+validationBlock, len(m.validationRows))]
		step, err := m.evaluationStep(len(rows))
		if err != nil {
			return 0, err
		}
		m.loadRows(step, rows, m.validationMeanWeight)
		step.SampleMasks(graph.MaskKey{Seed: m.seed, Step: math.MaxUint32, Row: uint32(from)})
		if err := step.Run(); err != nil {
			return 0, err
		}
		sum += float64(float64(step.Loss()) * float64(len(rows)))
	}
	loss := sum / float64(len(m.validationRows))
	if loss < m.state.BestLoss {
		m.state.BestLoss, m.state.BestEpoch = loss, m.state.Epoch
		m.state.Best = append([]float32(nil), m.params.Float32s()...)
	}
	m.state.Stopped = m.settings.Patience > 0 && m.state.Epoch-m.state.BestEpoch >= m.settings.Patience
	return loss, nil
}

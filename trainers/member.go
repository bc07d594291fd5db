package trainers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
	"sml/trainers/optimizer"
)

// member is one network in training.
type member struct {
	spec     models.Spec
	settings Settings
	index    int    // index of the ensemble member, from 0
	seed     uint64 // seed of the member's random numbers

	*sharedRows // table of the training, which all members share

	trainRows            []int32 // indices of the training rows; a bootstrap may have drawn a row several times
	validationRows       []int32 // indices of the validation rows, which choose the best epoch
	followsOthers        bool    // whether it has no validation rows, and trains for as many epochs as others did (followers)
	epochs               int     // number of epochs; a member that follows others has Settings.Epochs until these are done
	trainMeanWeight      float64 // mean weight of the training rows
	validationMeanWeight float64 // mean weight of the validation rows

	params          *graph.Params
	initial         []float32            // weights before the first step
	currentWeights  []float32            // copy of the weights while withAveragedWeights has replaced them
	trainingSteps   map[int]*models.Step // compiled objective, by number of rows
	evaluationSteps map[int]*models.Step // compiled objective that updates no buffers, by number of rows
	optimizer       *groupOptimizer      // moves params
	sameBatch       *sameBatch           // batch of the present step for the optimizer; nil if the optimizer does not ask for it
	trajectory      *models.Trajectory   // weights so far, for Method.AfterStep; nil if the method has none
	state           State
	pool            *graph.Pool // workers that share large steps; nil for one worker

	options    Options
	report     StepReport  // of the latest step, for Options.AfterStep; each report reuses its memory
	reportLock *sync.Mutex // held during Options.AfterStep; all members share it
}

// State is the state of a member's training at the end of an epoch. The next epoch depends on
// nothing else.
type State struct {
	Epoch  int              // number of epochs done
	Step   int              // number of steps done
	Values []float32        // weights
	Slots  []optimizer.Slot // numbers that the optimizer keeps

	Average []float32       // averaged weights; nil if Settings.Average has none yet
	Kept    []models.Matrix // matrices that Method.AfterStep kept

	Best      []float32      // weights with the lowest validation loss; nil without validation
	BestEpoch int            // number of the epoch of Best, from 1
	BestLoss  float64        // validation loss of Best; +Inf if there is none
	Stopped   bool           // whether the training stopped early, for lack of a better validation loss
	History   []models.Epoch // by epoch

	// Ended is the reason why Options.AfterStep stopped the training. The last epoch may then have
	// fewer steps. It is nil if the training was not stopped.
	Ended *string

	Frozen string // checksum of the models that the objective reads; "" if there are none
}

// sharedRows holds rows, standardised for steps: the table of a training, the validation rows of a training on a
// source, or a batch from a source.
type sharedRows struct {
	rows data.Subset
	x    *kernels.Standardised // inputs of rows
	y    *kernels.Standardised // targets of rows

	weights lossWeights

	// binnedValues holds sorted, standardised values of each of Architecture.BinnedInputs in the training rows.
	binnedValues [][]float32

	source *Source // source of the training rows; nil if they are in the table
}

// standardiseRows returns rows with their standardised inputs and targets.
func standardiseRows(spec models.Spec, rows data.Subset) *sharedRows {
	a := spec.Architecture
	return &sharedRows{
		rows:         rows,
		x:            kernels.Standardise(rows.X, a.Inputs, rows.XScale.Means(), rows.XScale.Stds()),
		y:            kernels.Standardise(fillUnknown(spec, rows), a.Targets, rows.YScale.Means(), rows.YScale.Stds()),
		weights:      newLossWeights(spec, rows),
		binnedValues: sampleBinnedValues(a, rows),
	}
}

// sampleBinnedValues returns sorted, standardised values of each binned input in the training rows, or nil if the
// network has no bins.
func sampleBinnedValues(a models.Architecture, rows data.Subset) [][]float32 {
	var samples [][]float32
	indices := rows.RowNumbers(a.Inputs)
	means := rows.XScale.Means()
	stds := rows.XScale.Stds()
	for _, input := range a.BinnedInputs() {
		values := make([]float32, len(indices))
		for i, row := range indices {
			x := rows.X[int(row)*a.Inputs+input]
			if means != nil {
				x = (x - means[input]) / stds[input]
			}
			values[i] = float32(x)
		}
		samples = append(samples, sortedSample(values))
	}
	return samples
}

// sortedSample returns up to maxSample of the values, evenly chosen from the whole list, in ascending order.
func sortedSample(values []float32) []float32 {
	const maxSample = 10_000 // quantiles of more values are hardly closer
	n := min(len(values), maxSample)
	sample := make([]float32, n)
	for i := range sample {
		sample[i] = values[int(math.Round(float64(i)*float64(len(values)-1)/float64(max(1, n-1))))]
	}
	slices.Sort(sample)
	return sample
}

// newMember returns a member before its first epoch: it draws the initial weights and the validation
// rows, and starts the optimizer.
func newMember(spec models.Spec, s Settings, index int, shared *sharedRows) (m *member, err error) {
	m = &member{
		spec:            spec,
		settings:        s,
		index:           index,
		seed:            memberSeed(s.FoldSeed(), index),
		sharedRows:      shared,
		trainingSteps:   make(map[int]*models.Step),
		evaluationSteps: make(map[int]*models.Step),
		epochs:          s.Epochs,
	}
	if err := m.chooseRows(); err != nil {
		return nil, err
	}
	m.trainMeanWeight = m.weights.mean(m.trainRows)
	if m.source != nil {
		m.trainMeanWeight = cmp.Or(m.source.MeanWeight, 1)
	}
	m.validationMeanWeight = m.weights.mean(m.validationRows)
	m.params, err = spec.NewParams(m.seed)
	if err != nil {
		return nil, err
	}
	spec.FitBins(m.params, shared.binnedValues)
	m.optimizer, err = s.newOptimizer(m.params)
	if err != nil {
		return nil, err
	}
	m.useSameBatch()
	m.state = State{
		Slots:    m.optimizer.slots(),
		Values:   m.params.Float32s(),
		BestLoss: math.Inf(1),
	}
	m.trajectory, err = spec.NewTrajectory(m.params, nil)
	return m, err
}

// useSameBatch gives the optimizer the batch of each step, if the optimizer computes with it.
func (m *member) useSameBatch() {
	users := rulesOf[optimizer.BatchUser](m.optimizer)
	if len(users) == 0 {
		return
	}
	m.sameBatch = &sameBatch{member: m, steps: make(map[int]*models.Step), hessians: make(map[int]*models.HessianStep)}
	for _, user := range users {
		user.UseBatch(m.sameBatch)
	}
}

// chooseRows sets the training rows and the validation rows.
func (m *member) chooseRows() (err error) {
	s := m.settings
	separation := m.rows.Separation
	indices := m.rows.RowNumbers(m.spec.Architecture.Inputs)
	switch {
	case m.source != nil:
		m.validationRows = indices
	case s.CrossValidation && separation.Values != nil && separation.ByLatest:
		m.followsOthers = m.index >= leaders(s.Members)
		m.validationRows, m.trainRows, err = holdOutLatest(separation, indices, m.followsOthers, m.seed)
	case s.CrossValidation:
		m.validationRows, m.trainRows, err = holdOutParts(separation, indices, s.Members, m.index, s.FoldSeed())
	case s.Bootstrap:
		m.validationRows, m.trainRows, err = drawBootstrap(separation, indices, m.seed)
	default:
		m.validationRows, m.trainRows, err = holdOut(separation, indices, s.Validation, m.seed)
	}
	return err
}

// setState sets the member to a state. It copies the state's numbers into the memory that the network
// and the optimizer use, which they do not exchange.
func (m *member) setState(s State) (err error) {
	copy(m.params.Float32s(), s.Values)
	for i, slot := range m.state.Slots {
		copy(slot.Values, s.Slots[i].Values)
	}
	s.Values = m.params.Float32s()
	s.Slots = m.state.Slots
	s.Average = slices.Clone(s.Average)
	s.Kept = copyMatrices(nil, s.Kept)
	m.state = s
	m.trajectory, err = m.spec.NewTrajectory(m.params, s.Kept)
	return err
}

// copyState copies the member's state to dst, and reuses the memory of an earlier copy there. Later steps
// do not change the copy.
func (m *member) copyState(dst *State) {
	s := m.state
	s.Values = append(dst.Values[:0], s.Values...)
	s.Average = append(dst.Average[:0], s.Average...)
	s.Kept = copyMatrices(dst.Kept, s.Kept)
	s.Slots = slices.Clone(s.Slots)
	for i := range s.Slots {
		var memory []float32 // nil in the first copy
		if len(dst.Slots) > 0 {
			memory = dst.Slots[i].Values[:0]
		}
		s.Slots[i].Values = append(memory, s.Slots[i].Values...)
	}
	s.History = slices.Clip(s.History) // shared: epochs are appended, never changed, and Clip makes append copy
	*dst = s
}

// copyMatrices returns copies of matrices. It reuses the memory of the earlier copies in dst.
func copyMatrices(dst, matrices []models.Matrix) []models.Matrix {
	if len(matrices) == 0 {
		return nil
	}
	copies := make([]models.Matrix, len(matrices))
	for i, m := range matrices {
		var memory []float32
		if i < len(dst) {
			memory = dst[i].Values[:0]
		}
		copies[i] = m
		copies[i].Values = append(memory, m.Values...)
	}
	return copies
}

// close releases the graphs of all steps, and memory that only epochs need. A later step compiles its graph again.
func (m *member) close() {
	for _, steps := range []map[int]*models.Step{m.trainingSteps, m.evaluationSteps} {
		for _, s := range steps {
			s.Close()
		}
		clear(steps)
	}
	m.sameBatch.close()
	m.currentWeights = nil
}

// checkLastBatch compiles the objective for the last, smaller batch of an epoch. An objective that cannot be built,
// such as batch normalisation of a single row, is then an error before the first step.
func (m *member) checkLastBatch() error {
	rows := m.trainRowCount()
	last := rows % m.settings.Batch
	if last == 0 || m.settings.Protocol == data.Paper {
		return nil
	}
	if _, err := m.trainingStep(last); err != nil {
		return fmt.Errorf("batches of %d leave %d of %d rows for the last batch of an epoch: %w", m.settings.Batch, last, rows, err)
	}
	return nil
}

// loadRows copies rows, given by their indices, to the inputs of a step. Their weights are divided by meanWeight.
func (r *sharedRows) loadRows(s *models.Step, indices []int32, meanWeight float64) {
	r.x.CopyRows(s.X, indices)
	r.y.CopyRows(s.Y, indices)
	for _, e := range s.Extras {
		gatherColumn(e.Values, r.rows, e.Name, indices)
	}
	if s.Weight != nil {
		r.weights.copyRows(s.Weight, indices, meanWeight)
	}
}

// trainRowCount returns the number of training rows, which are an epoch.
func (m *member) trainRowCount() int {
	if m.source != nil {
		return m.source.Rows
	}
	return len(m.trainRows)
}

// isFinished reports whether the member needs no further epoch.
func (m *member) isFinished() bool {
	return m.state.Stopped || m.state.Ended != nil || m.state.Epoch >= m.epochs
}

// stepsPerEpoch returns the number of steps in an epoch.
func (m *member) stepsPerEpoch() int {
	wholeBatches := m.trainRowCount() / m.settings.Batch
	remainder := m.trainRowCount() % m.settings.Batch
	if remainder > 0 && m.settings.Protocol != data.Paper {
		return wholeBatches + 1
	}
	return wholeBatches
}

// runStep runs a step on the rows that were loaded, with the given dropout masks.
func (m *member) runStep(s *models.Step, masks graph.MaskKey) error {
	position := m.position()
	position.Masks = masks
	return s.Run(position)
}

// position returns the position of the training before the next step.
func (m *member) position() models.Position {
	return models.Position{
		Step:   m.state.Step,
		Steps:  m.settings.Epochs * m.stepsPerEpoch(),
		Epoch:  m.state.Epoch,
		Epochs: m.settings.Epochs,
		Rows:   m.trainRowCount(),
	}
}

// nextStep returns the position of the next step, with its learning rate and decay.
func (m *member) nextStep() optimizer.StepInfo {
	p := m.position()
	return optimizer.StepInfo{
		Step:   p.Step + 1,
		Steps:  p.Steps,
		Epoch:  p.Epoch,
		Epochs: p.Epochs,
		Rate:   m.settings.LearningRate * m.settings.Schedule.Value(p),
		Decay:  m.settings.Decay,
	}
}

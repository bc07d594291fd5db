package trainers

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
	"sml/trainers/optimizer"
)

// epochRun is the state of an epoch between its steps.
type epochRun struct {
	log          epochLog
	batches      int     // number of batches so far
	previousLoss float64 // loss of the step before; NaN before the first step
	rate         float64 // learning rate of the latest step
	stopReason   *string // reason why Options.AfterStep stopped the training; nil if it did not
}

// runEpoch trains once over the training rows, in an order that is random for each epoch, and updates
// m.state. When ctx ends, it returns the error of ctx; the member's state is then between two steps of
// the epoch, and cannot be resumed from.
func (m *member) runEpoch(ctx context.Context) error {
	run := &epochRun{previousLoss: math.NaN(), rate: m.settings.LearningRate}
	batches := m.tableBatches()
	if m.source != nil {
		batches = m.sourceBatches(ctx, m.state.Epoch)
	}
	for b, err := range batches {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.trainBatch(run, b); err != nil {
			return err
		}
		if run.stopReason != nil {
			break
		}
	}
	if err := m.endOptimizerEpoch(run); err != nil {
		return err
	}
	return m.endEpoch(run)
}

// tableBatches returns the batches of the present epoch over the table, with its rows in a random order. Their memory
// is reused. It never yields an error.
func (m *member) tableBatches() iter.Seq2[batch, error] {
	size := m.settings.Batch
	return func(yield func(batch, error) bool) {
		order := permute(m.seed, shuffleStream+uint64(m.state.Epoch), len(m.trainRows))
		indices := make([]int32, 0, size)
		for from := 0; from < len(order); from += size {
			to := min(from+size, len(order))
			isPartial := to-from < size
			if isPartial && m.settings.Protocol == data.Paper { // this protocol drops the rest of the rows
				return
			}
			indices = indices[:0]
			for _, i := range order[from:to] {
				indices = append(indices, m.trainRows[i])
			}
			if !yield(batch{sharedRows: m.sharedRows, indices: indices}, nil) {
				return
			}
		}
	}
}

// trainBatch makes one step on a batch: it computes the loss and its gradient,
// and moves the weights. It returns a *DivergedError if one of them is not finite, and sets
// run.stopReason if Options.AfterStep stops the training.
func (m *member) trainBatch(run *epochRun, b batch) error {
	step, err := m.trainingStep(len(b.indices))
	if err != nil {
		return err
	}
	info := m.nextStep()
	run.rate = info.Rate
	b.loadRows(step, b.indices, m.trainMeanWeight)
	if err := m.runStep(step, graph.MaskKey{Seed: m.seed, Step: uint32(m.state.Step)}); err != nil {
		return err
	}
	run.batches++
	loss := float64(step.Loss())
	if !statistics.IsFinite(loss) {
		return m.newDivergedError(run, loss, m.lossCause(step, run.rate, b.describeFault(step)))
	}
	grad := step.Gradient()
	clearBufferGradients(m.params, grad)
	if !kernels.Finite(grad) {
		return m.newDivergedError(run, loss, gradientCause(m.params, grad, loss, run.rate, b.describeFault(step)))
	}
	m.sameBatch.begin(step, len(b.indices))
	if err := m.stepOptimizer(grad, info); err != nil {
		return err
	}
	step.UpdateBuffers()
	m.updateEMA()
	if err := m.runAfterStep(info); err != nil {
		return err
	}
	run.previousLoss = loss
	run.log.addStep(step)
	run.stopReason, err = m.reportStep(step, run.rate)
	return err
}

// stepOptimizer clips the gradient and makes one step of the optimizer. A panic of the optimizer
// becomes an error that names the line.
func (m *member) stepOptimizer(grad []float32, info optimizer.StepInfo) (err error) {
	defer graph.Recover(&err, "optimizer "+m.settings.Optimizer)
	m.state.Step++
	m.optimizer.step(m.params.Float32s(), grad, info)
	return m.sameBatch.stepError()
}

// runAfterStep calls the method's AfterStep, if it has one, and stores the matrices that it keeps.
func (m *member) runAfterStep(info optimizer.StepInfo) error {
	if m.trajectory == nil {
		return nil
	}
	if err := m.spec.RunAfterStep(m.trajectory, info.Step, info.Steps); err != nil {
		return err
	}
	m.state.Kept = m.trajectory.KeptMatrices()
	return nil
}

// endOptimizerEpoch lets the optimizer change its slots at the end of an epoch. It returns a
// *DivergedError if weights or slots are not finite, and an error if a matrix that the method keeps is
// not valid: a checkpoint with such numbers could not be read.
func (m *member) endOptimizerEpoch(run *epochRun) error {
	cause := weightsCause(m.params, run.rate)
	if cause != "" {
		return m.newDivergedError(run, run.previousLoss, cause)
	}
	for _, ender := range rulesOf[optimizer.EpochEnder](m.optimizer) {
		ender.EndEpoch()
	}
	for _, slot := range m.state.Slots {
		if !kernels.Finite(slot.Values) {
			return m.newDivergedError(run, run.previousLoss, fmt.Sprintf("the slot %q of optimizer %s overflowed; try a smaller learning rate than %g, or gradient clipping", slot.Name, m.settings.Optimizer, run.rate))
		}
	}
	return m.spec.CheckKept(m.state.Kept)
}

// endEpoch updates the average of SWA, validates and adds the epoch to the history.
func (m *member) endEpoch(run *epochRun) error {
	m.state.Epoch++
	m.state.Ended = run.stopReason
	m.updateSWA()
	values := run.log.historyValues()
	if len(m.validationRows) > 0 {
		loss, err := m.validateEpoch()
		if err != nil {
			return err
		}
		if !statistics.IsFinite(loss) {
			return m.newDivergedError(run, loss, "the loss of the validation rows is not finite; try a smaller learning rate, or look at the data")
		}
		values = append(values, loss)
	}
	if m.followsOthers {
		values = append(values, math.NaN()) // the others' column of validation losses
	}
	m.state.History = append(m.state.History, models.Epoch{Member: m.index, Number: m.state.Epoch, Values: values})
	return nil
}

// validateEpoch returns the loss of the validation rows, or their score by Settings.ValidationMeasure, with the averaged weights or, if there are
// none, with the current weights. It copies these weights to m.state.Best if they are the best so far,
// and sets m.state.Stopped if there has been no better epoch for Settings.Patience epochs.
func (m *member) validateEpoch() (loss float64, err error) {
	err = m.withAveragedWeights(func() (err error) {
		if m.settings.ValidationMeasure != "" {
			loss, err = m.options.ScoreValidation(m.index, m.params, m.validationRows)
		} else {
			loss, err = m.validationLoss()
		}
		if err == nil && loss < m.state.BestLoss {
			m.state.BestLoss = loss
			m.state.BestEpoch = m.state.Epoch
			m.state.Best = slices.Clone(m.params.Float32s())
		}
		return err
	})
	epochsSinceBest := m.state.Epoch - m.state.BestEpoch
	m.state.Stopped = m.settings.Patience > 0 && epochsSinceBest >= m.settings.Patience
	return loss, err
}

// validationBlock is the maximum number of validation rows that run together.
const validationBlock = 1000

// validationMasks is the step number from which the dropout masks of validation rows follow. It is the
// same in every epoch, so that losses can be compared, and no training step has it (see checkSteps).
const validationMasks = math.MaxUint32

// validationLoss returns the mean loss of the validation rows, with the same dropout masks in every
// epoch. It runs them in blocks, which differ in size, so a block's loss counts once for each row.
func (m *member) validationLoss() (float64, error) {
	sum := 0.0 // of the rows' losses
	for from := 0; from < len(m.validationRows); from += validationBlock {
		block := m.validationRows[from:min(from+validationBlock, len(m.validationRows))]
		step, err := m.evaluationStep(len(block))
		if err != nil {
			return 0, err
		}
		m.loadRows(step, block, m.validationMeanWeight)
		if err := m.runStep(step, graph.MaskKey{Seed: m.seed, Step: validationMasks, Row: uint32(from)}); err != nil {
			return 0, err
		}
		blockLoss := float64(step.Loss())
		sum += float64(blockLoss * float64(len(block)))
	}
	return sum / float64(len(m.validationRows)), nil
}

// newDivergedError returns the error of a training that diverges at the epoch's latest batch, with the
// given loss and probable cause.
func (m *member) newDivergedError(run *epochRun, loss float64, cause string) error {
	return &DivergedError{
		Member:       m.index,
		Epoch:        min(m.state.Epoch+1, m.settings.Epochs), // endEpoch has already counted the last epoch
		Step:         run.batches,
		Loss:         loss,
		PreviousLoss: run.previousLoss,
		Rate:         run.rate,
		Cause:        cause,
	}
}

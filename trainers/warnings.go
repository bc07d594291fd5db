package trainers

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// notableGrowth is the growth of a loss over a training, as a fraction of its value before the first
// step, above which there is a warning. Other batches and dropout masks change a loss by less.
const notableGrowth = 0.25

// notableRise is the fraction of a loss's fall that the loss may rise again before there is a
// warning.
const notableRise = 0.5

// earlyWarnings returns the warnings that can be known before the first step.
func (m *member) earlyWarnings() ([]string, error) {
	var warnings []string
	columns, err := unreadColumns(m.spec, m.rows, m.options.MeasuredColumns)
	if err != nil {
		return nil, err
	}
	for _, name := range columns {
		warnings = append(warnings, fmt.Sprintf("method %s does not read the column %q", m.spec.Method, name))
	}
	negative, err := m.spec.NegativeTerms()
	if err != nil {
		return nil, err
	}
	for _, term := range negative {
		warnings = append(warnings, fmt.Sprintf("the loss weights %s: a negative weight rewards a large value of the term, and the loss may have no minimum", term))
	}
	if m.trainRowCount() == 1 {
		return append(warnings, "there is only one training row: the model can learn nothing but its target"), nil
	}
	for target := range m.spec.Architecture.Targets {
		known := m.knownTargets(target) // none of a source
		if len(known) > 0 && slices.Min(known) == slices.Max(known) {
			warnings = append(warnings, fmt.Sprintf("target column %d is %v in all %d training rows: there is nothing to learn", target+1, known[0], len(known)))
		}
	}
	return warnings, nil
}

// finalWarnings returns the warnings of a finished training: the early warnings, and then the warnings of
// each member.
func finalWarnings(members []*member) ([]string, error) {
	warnings, err := members[0].earlyWarnings()
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		ofMember := "" // follows a noun in messages: "the loss of member 2"
		if len(members) > 1 {
			ofMember = fmt.Sprintf(" of member %d", m.index)
		}
		memberWarnings, err := m.finalWarnings(ofMember)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, memberWarnings...)
	}
	return warnings, nil
}

// finalWarnings returns the warnings about the member's loss, optimizer and weights. ofMember, such as
// " of member 2", follows a noun in the messages; it is "" if there is only one member.
func (m *member) finalWarnings(ofMember string) ([]string, error) {
	if m.settings.KeepWeights {
		return nil, nil // there is no loss
	}
	initialLoss, hasCompetingTerms, err := m.initialLoss()
	if err != nil {
		return nil, err
	}
	var warnings []string
	if !hasCompetingTerms {
		text := m.lossWarning(ofMember, initialLoss)
		if text != "" {
			warnings = append(warnings, text)
		}
	}
	if text := m.optimizer.warning(ofMember, m.settings.LearningRate); text != "" {
		warnings = append(warnings, text)
	}
	if m.hasHardlyMoved() {
		warnings = append(warnings, fmt.Sprintf("the weights%s have hardly moved in %d steps: try a larger learning rate than %g", ofMember, m.state.Step, m.settings.LearningRate))
	}
	return warnings, nil
}

// lossWarning returns a warning if the loss of the last epoch is well above the loss before training, or
// if it fell and then rose again by at least half of its fall. Otherwise it returns "". ofMember, such as
// " of member 2" or "", follows "the loss" in the warning.
func (m *member) lossWarning(ofMember string, initialLoss float64) string {
	history := m.state.History
	last := history[len(history)-1].Values[0]
	growthLimit := float64(notableGrowth * math.Abs(initialLoss))
	if !(last <= initialLoss+growthLimit) {
		return fmt.Sprintf("the loss%s grew from %.4g before training to %.4g in the last epoch: try a smaller learning rate than %g", ofMember, initialLoss, last, m.settings.LearningRate)
	}
	best := lowestLossEpoch(history)
	lowest := best.Values[0]
	fall := initialLoss - lowest
	fellNotably := last <= initialLoss && fall > growthLimit
	roseAgain := last-lowest > notableRise*fall
	if fellNotably && roseAgain && m.settings.Validation == 0 { // validation chooses the best epoch anyway
		return fmt.Sprintf("the loss%s rose from %.4g in epoch %d to %.4g in the last epoch: try a smaller learning rate than %g, or validation", ofMember, lowest, best.Number, last, m.settings.LearningRate)
	}
	return ""
}

// lowestLossEpoch returns the epoch with the lowest loss in the second half of the history. In the first
// half, the weight of a term may still be rising.
func lowestLossEpoch(history []models.Epoch) models.Epoch {
	return slices.MinFunc(history[len(history)/2:], func(a, b models.Epoch) int { return cmp.Compare(a.Values[0], b.Values[0]) })
}

// initialLoss returns the mean loss of a few batches with the weights from before the first step, and whether terms of the
// loss move different groups of parameters: training then does not lower the sum of the terms. It puts these weights into
// the network, and restores the trained weights before it returns.
func (m *member) initialLoss() (loss float64, hasCompetingTerms bool, err error) {
	trained := slices.Clone(m.params.Float32s())
	defer copy(m.params.Float32s(), trained)
	defer m.close()
	copy(m.params.Float32s(), m.initial)
	size := min(m.settings.Batch, m.trainRowCount())
	step, err := m.evaluationStep(size)
	if err != nil {
		return 0, false, err
	}
	batches := m.spreadBatches()
	if m.source != nil {
		batches = m.sourceBatches(context.Background(), 0)
	}
	sum := 0.0
	count := 0
	for b, err := range batches {
		if err != nil {
			return 0, false, err
		}
		if len(b.indices) < size { // the last batch of an epoch over a source
			break
		}
		b.loadRows(step, b.indices, m.trainMeanWeight)
		if err := m.runStep(step, graph.MaskKey{Seed: m.seed, Step: uint32(count)}); err != nil {
			return 0, false, err
		}
		sum += float64(step.Loss())
		count++
		if count == maxInitialBatches {
			break
		}
	}
	return sum / float64(count), step.HasCompetingTerms, nil
}

// maxInitialBatches is the maximum number of batches from which the initial loss is computed.
const maxInitialBatches = 10

// spreadBatches returns at most maxInitialBatches batches, evenly spread over the training rows of the table. They
// may overlap, but if they are few, they contain every row: the loss of a few rows can differ much from the loss of all.
// It never yields an error.
func (m *member) spreadBatches() iter.Seq2[batch, error] {
	rows := len(m.trainRows)
	size := min(m.settings.Batch, rows)
	return func(yield func(batch, error) bool) {
		batches := min(maxInitialBatches, (rows+size-1)/size)
		for i := range batches {
			first := i * (rows - size) / max(1, batches-1)
			if !yield(batch{sharedRows: m.sharedRows, indices: m.trainRows[first:][:size]}, nil) {
				return
			}
		}
	}
}

// knownTargets returns the values of a target in the training rows of the table that have it.
func (m *member) knownTargets(target int) []float64 {
	var known []float64
	for _, row := range m.trainRows {
		y := m.rows.Y[int(row)*m.spec.Architecture.Targets+target]
		if !math.IsNaN(y) {
			known = append(known, y)
		}
	}
	return known
}

// hasHardlyMoved reports whether the weights moved by at most a millionth of their size: the
// Euclidean norm of their change is at most 1e-6 times their norm.
func (m *member) hasHardlyMoved() bool {
	var change, size float64 // sums of squares
	for i, v := range m.params.Float32s() {
		d := float64(v) - float64(m.initial[i])
		change += float64(d * d)
		size += float64(float64(v) * float64(v))
	}
	const squaredMillionth = 1e-12 // change and size are squares of norms
	return change <= squaredMillionth*size
}

package trainers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// notableGrowth is the part of its value before the first step by which a loss may
// grow before that is worth a word: what batches and draws of masks change is less.
const notableGrowth = 0.25

// notableRise is the part of what a loss has fallen by that may be notableRise again before that is
// worth a word.
const notableRise = 0.5

// earlyWarnings says what looks wrong about a training before its first step.
func (m *member) earlyWarnings() ([]string, error) {
	columns, err := unreadColumns(m.spec, m.rows)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range columns {
		list = append(list, fmt.Sprintf("nothing reads the column %q: method %s", name, m.spec.Method))
	}
	negative, err := m.spec.NegativeTerms()
	if err != nil {
		return nil, err
	}
	for _, term := range negative {
		list = append(list, fmt.Sprintf("the loss weighs %s: it rewards what that term punishes, and need not have a minimum", term))
	}
	rows := len(m.trainRows)
	if rows == 1 {
		return append(list, "there is a single training row: every network that meets it has learnt all there is"), nil
	}
	for j := range m.spec.Architecture.Targets {
		if m.isConstantTarget(j) {
			list = append(list, fmt.Sprintf("target column %d is %v in all %d training rows: there is nothing to learn", j+1, m.rows.Y[int(m.trainRows[0])*m.spec.Architecture.Targets+j], rows))
		}
	}
	return list, nil
}

// finalWarnings says what looks wrong about a training that has come to its end, of
// the members of an ensemble, if they are several: what was foreseen comes first.
func finalWarnings(members []*member) ([]string, error) {
	list, err := members[0].earlyWarnings()
	if err != nil {
		return nil, err
	}
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, m := range members {
		of := ""
		if len(members) > 1 {
			of = fmt.Sprintf(" of member %d", m.index)
		}
		first, err := m.startingLoss()
		if err != nil {
			return nil, err
		}
		if text := m.lossWarning(of, first); text != "" && !m.hasCompetingTerms() {
			list = append(list, text)
		}
		if w, ok := m.optimizer.(optimizer.Warner); ok {
			if text := w.Warning(of, m.settings.LearningRate); text != "" {
				list = append(list, text)
			}
		}
		if m.hasHardlyMoved() {
			warn("the weights%s have hardly moved in %d steps: try a larger learning rate than %g", of, m.state.Step, m.settings.LearningRate)
		}
	}
	return list, nil
}

// lossWarning returns a warning if the loss of a member ended too high, or "". first is the loss before
// training; of names the member and stands behind a noun.
func (m *member) lossWarning(of string, first float64) string {
	h := m.state.History
	last, best := h[len(h)-1].Values[0], lowestLossEpoch(h)
	if !(last <= first+float64(notableGrowth*math.Abs(first))) {
		return fmt.Sprintf("the loss%s grew from %.4g before training to %.4g in the last epoch: try a smaller learning rate than %g", of, first, last, m.settings.LearningRate)
	}
	if fall := first - best.Values[0]; last <= first && fall > notableGrowth*math.Abs(first) && last-best.Values[0] > notableRise*fall && m.settings.Validation == 0 {
		return fmt.Sprintf("the loss%s rose from %.4g in epoch %d to %.4g in the last one: try a smaller learning rate than %g, or validation", of, best.Values[0], best.Number, last, m.settings.LearningRate)
	}
	return ""
}

// hasCompetingTerms reports whether the loss is a sum of terms that move different groups of parameters, which
// no training lowers as a whole.
func (m *member) hasCompetingTerms() bool {
	for _, steps := range []map[int]*models.Step{m.trainingSteps, m.evaluationSteps} {
		for _, s := range steps {
			if s.Competing {
				return true
			}
		}
	}
	return false
}

// lowestLossEpoch is the epoch with the lowestLossEpoch loss of the second half: before, a coefficient
// may be on its way up.
func lowestLossEpoch(h []models.Epoch) models.Epoch {
	return slices.MinFunc(h[len(h)/2:], func(a, b models.Epoch) int { return cmp.Compare(a.Values[0], b.Values[0]) })
}

// startingLoss is the loss of the first batches with the weights from before
// the first step.
func (m *member) startingLoss() (float64, error) {
	const most = 10
	trained := slices.Clone(m.params.Float32s())
	defer copy(m.params.Float32s(), trained)
	copy(m.params.Float32s(), m.initial)
	rows := min(m.settings.Batch, len(m.trainRows))
	step, err := m.evaluationStep(rows)
	if err != nil {
		return 0, err
	}
	batches := min(most, len(m.trainRows)/rows)
	sum := 0.0
	for i := range batches {
		m.loadRows(step, m.trainRows[i*rows:][:rows], m.trainMeanWeight)
		step.SampleMasks(graph.MaskKey{Seed: m.seed, Step: uint32(i)})
		if err := step.Run(); err != nil {
			return 0, err
		}
		sum += float64(step.Loss())
	}
	return sum / float64(batches), nil
}

// isConstantTarget tells whether all training rows have the same value of a
// target.
func (m *member) isConstantTarget(j int) bool {
	targets := m.spec.Architecture.Targets
	first := m.rows.Y[int(m.trainRows[0])*targets+j]
	for _, r := range m.trainRows {
		if m.rows.Y[int(r)*targets+j] != first {
			return false
		}
	}
	return true
}

// hasHardlyMoved tells whether a training has left the weights where they were, but
// for a millionth.
func (m *member) hasHardlyMoved() bool {
	var moved, size float64
	for i, v := range m.params.Float32s() {
		d := float64(v) - float64(m.initial[i])
		moved += float64(d * d)
		size += float64(float64(v) * float64(v))
	}
	return moved <= 1e-12*size
}

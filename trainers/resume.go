package trainers

import (
	"errors"
	"fmt"
	"math"

	"sml/internal/statistics"
	"sml/models"
	"sml/trainers/optimizer"
)

// Weights returns the weights that a model of the state has: with validation rows the best so far;
// otherwise the average, if Settings.Average has begun one, or else the current weights.
func (s State) Weights() []float32 {
	switch {
	case s.Best != nil:
		return s.Best
	case s.Average != nil:
		return s.Average
	}
	return s.Values
}

// checkResumable returns an error unless s can be a state of the member's own training: the
// numbers of another network, of other rows or other settings would have wrong lengths or meanings. A row
// of the training's history has the given number of columns.
func (m *member) checkResumable(s State, columns int) error {
	if s.Frozen != m.state.Frozen {
		return errors.New("a model that the objective reads has changed since the training was interrupted: restore it, or start a new training")
	}
	for _, check := range []func() error{
		func() error { return m.checkStateWeights(s) },
		func() error { return m.checkStateKept(s.Kept) },
		func() error { return m.checkStateSlots(s.Slots) },
		func() error { return m.checkStatePosition(s) },
		func() error { return m.checkStateHistory(s.History, columns) },
		func() error { return m.checkStateBest(s, columns) },
	} {
		if err := check(); err != nil {
			return fmt.Errorf("the interrupted training does not match these settings: member %d %w", m.index, err)
		}
	}
	return nil
}

// checkStateWeights returns an error unless the weights and the averaged weights of a state have the
// right length and are finite.
func (m *member) checkStateWeights(s State) error {
	size := m.params.Len()
	if len(s.Values) != size {
		return fmt.Errorf("has %d weights, want %d", len(s.Values), size)
	}
	if err := checkFiniteWeights("weights", s.Values); err != nil {
		return err
	}
	averageSize := 0
	if m.settings.Average.hasBegun(s.Epoch, m.settings.Epochs) {
		averageSize = size
	}
	if len(s.Average) != averageSize {
		return fmt.Errorf("has %d averaged weights after %d epochs, want %d", len(s.Average), s.Epoch, averageSize)
	}
	return checkFiniteWeights("averaged weights", s.Average)
}

// checkStateKept returns an error unless the matrices that Method.AfterStep kept fit the method.
func (m *member) checkStateKept(kept []models.Matrix) error {
	if err := m.spec.CheckKept(kept); err != nil {
		return fmt.Errorf("cannot resume: %w", err)
	}
	return nil
}

// checkFiniteWeights returns an error, which names the kind of weights, unless all are finite.
func checkFiniteWeights(kind string, weights []float32) error {
	for _, v := range weights {
		if !statistics.IsFinite(float64(v)) {
			return fmt.Errorf("has %v among its %s", v, kind)
		}
	}
	return nil
}

// checkStateSlots returns an error unless the slots have the names and lengths of the member's
// optimizer, and valid values.
func (m *member) checkStateSlots(slots []optimizer.Slot) error {
	expected := m.state.Slots
	if len(slots) != len(expected) {
		return fmt.Errorf("has %d slots of an optimizer, and %s has %d", len(slots), m.settings.Optimizer, len(expected))
	}
	for i, slot := range slots {
		want := expected[i]
		if slot.Name != want.Name || len(slot.Values) != len(want.Values) {
			return fmt.Errorf("has %d numbers in slot %q of its optimizer, want %d in %q of %s", len(slot.Values), slot.Name, len(want.Values), want.Name, m.settings.Optimizer)
		}
		for _, v := range slot.Values {
			if !statistics.IsFinite(float64(v)) || want.NonNegative && v < 0 {
				return fmt.Errorf("has %v in slot %q of its optimizer", v, slot.Name)
			}
		}
	}
	return nil
}

// checkStatePosition returns an error unless the numbers of epochs and steps of a state fit the
// settings and each other.
func (m *member) checkStatePosition(s State) error {
	steps := m.stepsPerEpoch()
	switch {
	case s.Epoch < 0 || s.Epoch > m.settings.Epochs:
		return fmt.Errorf("is at epoch %d of %d", s.Epoch, m.settings.Epochs)
	case s.Ended != nil && (s.Step <= (s.Epoch-1)*steps || s.Step > s.Epoch*steps): // not within the last epoch
		return fmt.Errorf("was stopped after %d steps, in epoch %d of %d steps each", s.Step, s.Epoch, steps)
	case s.Ended == nil && s.Step != s.Epoch*steps:
		return fmt.Errorf("made %d steps in %d epochs of %d", s.Step, s.Epoch, steps)
	case len(s.History) != s.Epoch:
		return fmt.Errorf("has a history of %d epochs and made %d", len(s.History), s.Epoch)
	}
	return nil
}

// checkStateHistory returns an error unless the rows of a history have the right member, epoch and
// number of columns, and finite losses.
func (m *member) checkStateHistory(history []models.Epoch, columns int) error {
	hasValidation := len(m.validationRows) > 0
	for i, row := range history {
		if row.Member != m.index || row.Number != i+1 || len(row.Values) != columns {
			return fmt.Errorf("has a history whose row %d has not %d columns or the wrong epoch", i+1, columns)
		}
		loss := row.Values[0]
		validationLoss := row.Values[columns-1]
		if !statistics.IsFinite(loss) || hasValidation && !statistics.IsFinite(validationLoss) {
			return fmt.Errorf("has a loss that is not finite, in epoch %d", i+1)
		}
	}
	return nil
}

// checkStateBest returns an error unless the best weights of a state are valid, and the best epoch and
// the early stop follow from the validation losses of its history.
func (m *member) checkStateBest(s State, columns int) error {
	if len(m.validationRows) == 0 || s.Epoch == 0 {
		if s.Best != nil || s.BestEpoch != 0 || s.Stopped {
			return errors.New("has a best epoch, but no validation loss")
		}
		return nil
	}
	size := m.params.Len()
	if len(s.Best) != size || s.BestEpoch < 1 || s.BestEpoch > s.Epoch {
		return fmt.Errorf("has %d best weights, want %d, of epoch %d of %d", len(s.Best), size, s.BestEpoch, s.Epoch)
	}
	if err := checkFiniteWeights("best weights", s.Best); err != nil {
		return err
	}
	bestLoss := math.Inf(1)
	bestEpoch := 0
	for _, row := range s.History {
		loss := row.Values[columns-1]
		if loss < bestLoss {
			bestLoss = loss
			bestEpoch = row.Number
		}
	}
	if s.BestEpoch != bestEpoch || s.BestLoss != bestLoss {
		return fmt.Errorf("has its best epoch at %d with loss %v, and its history has it at %d with loss %v", s.BestEpoch, s.BestLoss, bestEpoch, bestLoss)
	}
	epochsSinceBest := s.Epoch - s.BestEpoch
	patience := m.settings.Patience
	mustStop := patience > 0 && epochsSinceBest >= patience
	if s.Stopped != mustStop {
		return fmt.Errorf("stopped after %d epochs without a better one, with a patience of %d", epochsSinceBest, patience)
	}
	return nil
}

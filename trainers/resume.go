package trainers

import (
	"cmp"
	"errors"
	"fmt"

	"sml/trainers/optimizer"
)

// weights returns the weights that a model of the state has: with validation rows the best so far;
// otherwise the average, if Settings.Average has begun one, or else the current weights.
func (s State) weights() []float32 {
	switch {
	case s.Best != nil:
		return s.Best
	case s.Average != nil:
		return s.Average
	}
	return s.Values
}

// checkResumable returns an error unless s can be a state of the member's own training: a state of another network, of
// other rows or of other settings has numbers of other lengths. A checkpoint's checksum proves the numbers themselves.
func (m *member) checkResumable(s State) error {
	if s.Frozen != m.state.Frozen {
		return errors.New("a model that the objective reads has changed since the training was interrupted: restore it, or start a new training")
	}
	err := cmp.Or(
		m.checkStateWeights(s),
		m.checkStateSlots(s.Slots),
		m.checkStatePosition(s),
		m.checkStateBest(s),
	)
	if err != nil {
		return fmt.Errorf("the interrupted training does not match these settings: member %d %w", m.index, err)
	}
	return nil
}

// checkStateWeights returns an error unless the weights and the averaged weights of a state have the right length.
func (m *member) checkStateWeights(s State) error {
	size := m.params.Len()
	if len(s.Values) != size {
		return fmt.Errorf("has %d weights, want %d", len(s.Values), size)
	}
	averageSize := 0
	if m.settings.Average.hasBegun(s.Epoch, m.settings.Epochs) {
		averageSize = size
	}
	if len(s.Average) != averageSize {
		return fmt.Errorf("has %d averaged weights after %d epochs, want %d", len(s.Average), s.Epoch, averageSize)
	}
	return nil
}

// checkStateSlots returns an error unless the slots have the names and lengths of the member's optimizer.
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

// checkStateBest returns an error unless a state has best weights just where its training chooses them by validation
// rows.
func (m *member) checkStateBest(s State) error {
	size := 0
	if len(m.validationRows) > 0 && s.Epoch > 0 {
		size = m.params.Len()
	}
	if len(s.Best) != size || s.BestEpoch < min(1, size) || s.BestEpoch > s.Epoch {
		return fmt.Errorf("has %d best weights, want %d, of epoch %d of %d", len(s.Best), size, s.BestEpoch, s.Epoch)
	}
	return nil
}

package trainers

import (
	"errors"
	"fmt"
	"math"

	"sml/data"
	"sml/internal/statistics"
)

// Weights returns the weights that a model of the state has: with validation rows the best so far,
// else the average if Settings.Average has begun one, else the present weights.
func (s State) Weights() []float32 {
	switch {
	case s.Best != nil:
		return s.Best
	case s.Average != nil:
		return s.Average
	}
	return s.Values
}

// checkResumable tells whether a state can be one of the member's own training, of
// whose history a row has that many columns. What it lets through can be trained
// on.
func (m *member) checkResumable(s State, columns int) error {
	size := m.params.Len()
	perEpoch := m.stepsPerEpoch()
	validated := len(m.validationRows) > 0 && s.Epoch > 0
	fail := func(format string, args ...any) error {
		return fmt.Errorf("the interrupted training is not of these settings: member %d "+format, append([]any{m.index}, args...)...)
	}
	if len(s.Values) != size {
		return fail("has %d weights, want %d", len(s.Values), size)
	}
	for _, v := range s.Values {
		if !statistics.Finite(float64(v)) {
			return fail("has %v among its weights", v)
		}
	}
	averaged := 0
	if m.settings.Average.hasBegun(s.Epoch, m.settings.Epochs) {
		averaged = size
	}
	if len(s.Average) != averaged {
		return fail("has %d averaged weights after %d epochs, want %d", len(s.Average), s.Epoch, averaged)
	}
	for _, v := range s.Average {
		if !statistics.Finite(float64(v)) {
			return fail("has %v among its averaged weights", v)
		}
	}
	if err := m.spec.CheckKept(s.Kept); err != nil {
		return fail("cannot go on: %w", err)
	}
	if s.Frozen != m.state.Frozen {
		return errors.New("a model that the objective looks at is not the one with which the interrupted training began: put that back, or train anew")
	}
	own := m.state.Slots
	if len(s.Slots) != len(own) {
		return fail("has %d slots of an optimizer, and %s has %d", len(s.Slots), m.settings.Optimizer, len(own))
	}
	for i, slot := range s.Slots {
		if slot.Name != own[i].Name || len(slot.Values) != len(own[i].Values) {
			return fail("has %d numbers in slot %q of its optimizer, want %d in %q of %s", len(slot.Values), slot.Name, len(own[i].Values), own[i].Name, m.settings.Optimizer)
		}
		for _, v := range slot.Values {
			if !statistics.Finite(float64(v)) || own[i].NonNegative && v < 0 {
				return fail("has %v in slot %q of its optimizer", v, slot.Name)
			}
		}
	}
	switch {
	case s.Epoch < 0 || s.Epoch > m.settings.Epochs:
		return fail("is at epoch %d of %d", s.Epoch, m.settings.Epochs)
	case s.Ended != nil && (s.Step <= (s.Epoch-1)*perEpoch || s.Step > s.Epoch*perEpoch):
		return fail("was stopped after %d steps, in epoch %d of %d steps each", s.Step, s.Epoch, perEpoch)
	case s.Ended == nil && s.Step != s.Epoch*perEpoch:
		return fail("made %d steps in %d epochs of %d", s.Step, s.Epoch, perEpoch)
	case len(s.History) != s.Epoch:
		return fail("has a history of %d epochs and made %d", len(s.History), s.Epoch)
	case !validated && (s.Best != nil || s.BestEpoch != 0 || s.Stopped):
		return fail("has a best epoch, and there is nothing to judge epochs by")
	case validated && (len(s.Best) != size || s.BestEpoch < 1 || s.BestEpoch > s.Epoch):
		return fail("has %d best weights, want %d, of epoch %d of %d", len(s.Best), size, s.BestEpoch, s.Epoch)
	}
	for i, row := range s.History {
		if row.Member != m.index || row.Number != i+1 || len(row.Values) != columns {
			return fail("has a history whose row %d is not of %d columns and its epoch", i+1, columns)
		}
		if !statistics.Finite(row.Values[0]) || len(m.validationRows) > 0 && !statistics.Finite(row.Values[columns-1]) {
			return fail("has a loss that is not finite, in epoch %d", i+1)
		}
	}
	if !validated {
		return nil
	}
	for _, v := range s.Best {
		if !statistics.Finite(float64(v)) {
			return fail("has %v among its best weights", v)
		}
	}
	best, at := math.Inf(1), 0
	for _, row := range s.History {
		if loss := row.Values[columns-1]; loss < best {
			best, at = loss, row.Number
		}
	}
	patience := m.settings.Patience
	switch {
	case s.BestEpoch != at || s.BestLoss != best:
		return fail("has its best epoch at %d with loss %v, and its history has it at %d with loss %v", s.BestEpoch, s.BestLoss, at, best)
	case s.Stopped != (patience > 0 && s.Epoch-s.BestEpoch >= patience):
		return fail("stopped after %d epochs without a better one, with a patience of %d", s.Epoch-s.BestEpoch, patience)
	}
	return nil
}

// stepsPerEpoch is the number of steps in an epoch.
func (m *member) stepsPerEpoch() int {
	whole, left := len(m.trainRows)/m.settings.Batch, len(m.trainRows)%m.settings.Batch
	if left > 0 && m.settings.Protocol != data.Paper {
		whole++
	}
	return whole
}

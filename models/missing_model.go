package models

import (
	"errors"
	"fmt"
)

// ErrFrozen is wrapped by the error of an objective whose frozen model (Task.Frozen) is missing, or does
// not have the inputs, targets or members that the objective needs.
var ErrFrozen = errors.New("the frozen model does not fit")

// FrozenSizeError is the error of a frozen model with another number of inputs or targets than the
// training. It wraps ErrFrozen.
type FrozenSizeError struct {
	Dir             string
	Inputs, Targets int // numbers of columns of the frozen model

	training Architecture
}

// Error returns a message that compares the sizes of the frozen model and of the training.
func (e FrozenSizeError) Error() string {
	return fmt.Sprintf("the model in %s has %d inputs and %d targets; this training has %d and %d", e.Dir, e.Inputs, e.Targets, e.training.Inputs, e.training.Targets)
}

// Unwrap returns ErrFrozen.
func (e FrozenSizeError) Unwrap() error { return ErrFrozen }

// missingModel is the error of an objective that cannot be built because a frozen model is
// missing. It wraps ErrFrozen too.
type missingModel struct{ error }

// Unwrap returns the cause and ErrFrozen.
func (m missingModel) Unwrap() []error { return []error{m.error, ErrFrozen} }

// isMissingModel reports whether err, or an error that it wraps, is about a frozen model.
func isMissingModel(err error) bool { return errors.Is(err, ErrFrozen) }

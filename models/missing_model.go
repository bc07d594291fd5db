package models

import (
	"errors"
	"fmt"
)

// ErrFrozen is wrapped by the error of an objective whose frozen model is not there, or
// is of other inputs, targets or members than it needs.
var ErrFrozen = errors.New("the frozen model does not fit")

// FrozenSizeError says that a frozen model has another number of inputs or targets than the
// training. It wraps ErrFrozen.
type FrozenSizeError struct {
	Dir             string
	Inputs, Targets int // of the frozen model

	training Architecture
}

func (e FrozenSizeError) Error() string {
	return fmt.Sprintf("the model in %s has %d inputs and %d targets, and this training %d and %d", e.Dir, e.Inputs, e.Targets, e.training.Inputs, e.training.Targets)
}

func (e FrozenSizeError) Unwrap() error { return ErrFrozen }

// missingModel is why an objective cannot be built that needs another model.
type missingModel struct{ error }

func (m missingModel) Unwrap() []error { return []error{m.error, ErrFrozen} }

func isMissingModel(err error) bool { return errors.Is(err, ErrFrozen) }

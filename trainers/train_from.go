package trainers

import (
	"context"
	"fmt"

	"sml/models"
)

// TrainFrom is Train on the rows of a source, which need not fit into memory. Settings.Validation is 0: the source has
// its own validation rows. There is no cross-validation, bootstrap or calibration, and no method that reads the
// training rows again after the training: each is an error.
func TrainFrom(ctx context.Context, spec models.Spec, source Source, s Settings, o Options) (*Result, error) {
	s, err := source.resolve(spec, s)
	if err != nil {
		return nil, err
	}
	s, err = resolveWithOptions(spec, s, o)
	if err != nil {
		return nil, err
	}
	members, err := newSourceMembers(spec, source, s, o)
	if err != nil {
		return nil, err
	}
	return trainMembers(ctx, members, s, o)
}

// newSourceMembers is newMembers for a training on a source.
func newSourceMembers(spec models.Spec, source Source, s Settings, o Options) ([]*member, error) {
	validation := source.Validation
	validation.Extras = source.Extras
	validation.XScale = source.XScale
	validation.YScale = source.YScale
	if source.validationRowCount(spec.Architecture.Inputs) > 0 {
		weighted, err := withoutWeightless(validation, spec.Architecture.Inputs)
		if err != nil {
			return nil, fmt.Errorf("validation rows of the source: %w", err)
		}
		validation = weighted
		if err := checkRows(spec, validation); err != nil {
			return nil, fmt.Errorf("validation rows of the source: %w", err)
		}
	}
	if err := checkOptions(spec, source.Extras, s, o); err != nil {
		return nil, err
	}
	shared := standardiseRows(spec, validation)
	shared.source = &source
	return newMembersOf(spec, shared, s, o)
}

package preparation

import (
	"fmt"
	"slices"
)

// CheckSameUnits returns an error if a target, or a feature of the same name, has another
// meaning in the preparation of a model than in the preparation of a training that uses the
// model's predictions: for example, if they order the categories of a column differently. nil
// stands for a preparation that leaves all columns as they are.
func CheckSameUnits(model, training *Preparation) error {
	if model == nil {
		model = new(Preparation)
	}
	if training == nil {
		training = new(Preparation)
	}
	for i := range max(len(model.Targets), len(training.Targets)) {
		if err := checkSameTransform(i, targetTransform(model.Targets, i), targetTransform(training.Targets, i)); err != nil {
			return err
		}
	}
	for _, c := range model.Columns {
		i := slices.IndexFunc(training.Columns, func(other Column) bool { return other.Name == c.Name })
		if i < 0 {
			continue
		}
		if err := checkSameFeatures(c, training.Columns[i]); err != nil {
			return err
		}
	}
	return nil
}

// targetTransform returns the transform of a target, or the zero Transform if the targets
// are not transformed.
func targetTransform(transforms []Transform, target int) Transform {
	if target < len(transforms) {
		return transforms[target]
	}
	return Transform{}
}

// checkSameTransform returns an error unless the target with the given index has the same
// transform in the model and in the training.
func checkSameTransform(target int, model, training Transform) error {
	if model.Name != training.Name {
		return fmt.Errorf("target %d has %s in the model, and %s in this training", target+1, model.describe(), training.describe())
	}
	if !slices.Equal(model.Knots, training.Knots) {
		return fmt.Errorf("the transform %s of target %d was fitted on other rows for the model than for this training", model.Name, target+1)
	}
	return nil
}

// describe returns the transform's name with "the transform", or "no transform" for the
// zero Transform.
func (t Transform) describe() string {
	if t.Name == "" {
		return "no transform"
	}
	return "the transform " + t.Name
}

// checkSameFeatures returns an error if a value becomes a feature with another meaning in the model's
// column than in the training's column of the same name: another position in the order of categories,
// or seconds from another date.
func checkSameFeatures(model, training Column) error {
	if model.Ordered && training.Ordered && !slices.Equal(model.Categories, training.Categories) {
		return fmt.Errorf("the order of column %q is %q in the model, and %q in this training", model.Name, model.Categories, training.Categories)
	}
	countSeconds := slices.Contains(model.DateParts, secondsPart) && slices.Contains(training.DateParts, secondsPart)
	if countSeconds && model.FirstDate != training.FirstDate {
		return fmt.Errorf("the dates of column %q are counted from another day in the model than in this training", model.Name)
	}
	return nil
}

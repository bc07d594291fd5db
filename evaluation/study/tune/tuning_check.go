package tune

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/models"
)

// Check returns an error if the tuning cannot be run. It does not read the table.
func (t Tuning) Check() error {
	t = t.withDefaults()
	if err := t.checkCounts(); err != nil {
		return err
	}
	strategy, err := LookupStrategy(t.Strategy)
	if err != nil {
		return err
	}
	if err := t.checkMeasure(); err != nil {
		return err
	}
	if n := len(t.Study.Datasets) + len(t.Study.Tables); n != 1 {
		return fmt.Errorf("the tuning has %d tables; want exactly one", n)
	}
	if len(t.Space) == 0 {
		return errEmptySpace
	}
	for _, name := range t.methods() {
		if _, err := models.Lookup(name); err != nil {
			return err
		}
	}
	for _, d := range t.Space {
		if err := t.checkDimension(d, strategy); err != nil {
			return fmt.Errorf("%v: %w", d, err)
		}
	}
	return t.checkValues()
}

// checkCounts returns an error if the number of trials or folds is out of range.
func (t Tuning) checkCounts() error {
	trials := models.Range{Min: 1, Max: maxTrials}
	if err := trials.Check("the number of trials", t.Trials); err != nil || t.Folds == 0 { // Run chooses the folds
		return err
	}
	return models.Limits.InnerFolds.Check("the number of folds", t.Folds)
}

// checkMeasure returns an error if the tuning's measure is unknown or cannot compare trials, because neither
// lower nor higher values of it are better.
func (t Tuning) checkMeasure() error {
	m, err := measure.Lookup(t.Measure)
	if err != nil {
		return err
	}
	if m.Undirected {
		return fmt.Errorf("%s cannot compare trials: neither lower nor higher values are better; choose another measure, such as crps", m.Title)
	}
	return nil
}

// checkDimension returns an error if the tuning cannot vary the dimension's setting, or not in this way. It does
// not try single values: checkValues does.
func (t Tuning) checkDimension(d Dimension, strategy Strategy) error {
	if !slices.Contains(t.allowedKeys(), d.Key) {
		return fmt.Errorf("unknown setting; want one of %s", strings.Join(t.allowedKeys(), ", "))
	}
	if strategy.ChoosesEpochs && d.Key == epochsKey {
		return fmt.Errorf("search strategy %s chooses the epochs: remove epochs from the space, and set the epochs of a whole training instead", strategy.Name)
	}
	if reason := t.whyAllIgnore(d.Key); reason != "" {
		return fmt.Errorf("the setting does nothing: %s", reason)
	}
	if d.Choices != nil || t.isHyperparameter(d.Key) {
		return nil
	}
	setting, err := experiment.LookupSetting(d.Key)
	if err != nil { // the method
		return errNotANumber
	}
	switch setting.Kind {
	case experiment.Widths:
		return errors.New("a list of widths cannot have a range; want a choice such as hidden=20|50,50|none, or a range of width")
	case experiment.WholeNumber:
		return d.checkRange()
	case experiment.Number:
		return nil
	}
	return errNotANumber
}

var errNotANumber = errors.New("the setting is not a number; want a choice such as a|b")

// checkValues returns an error if a value of a dimension cannot be used. With each method it tries each choice
// of each dimension and both ends of each range, one at a time: all other dimensions have their first value.
func (t Tuning) checkValues() error {
	values := t.firstValues()
	methodIndex := t.Space.index(methodKey)
	for _, method := range t.methods() {
		if methodIndex >= 0 {
			values[methodIndex] = method
		}
		methodError := t.config(method).Check() // not nil if the method cannot be trained without any setting
		for i, d := range t.Space {
			if i == methodIndex {
				continue
			}
			err := t.checkDimensionValues(i, values)
			if err == nil {
				continue
			}
			isMethodsFault := methodError != nil && methodError.Error() == err.Error()
			if isMethodsFault {
				return err // the message must not blame the dimension
			}
			return fmt.Errorf("%v: %w", d, err)
		}
	}
	return t.checkTrial(values)
}

// firstValues returns the first choice or the lower end of each dimension.
func (t Tuning) firstValues() []string {
	values := make([]string, len(t.Space))
	for i, d := range t.Space {
		values[i] = d.extremes()[0]
	}
	return values
}

// checkDimensionValues returns an error if a choice or an end of the range of the dimension with the given index
// cannot be used together with the given values of the other dimensions.
func (t Tuning) checkDimensionValues(index int, values []string) error {
	values = slices.Clone(values)
	for _, value := range t.Space[index].extremes() {
		values[index] = value
		if err := t.checkTrial(values); err != nil {
			return err
		}
	}
	return nil
}

// checkTrial returns an error if a trial with these values cannot be trained on any table.
func (t Tuning) checkTrial(values []string) error {
	const anyNumber = 1
	return t.config(t.newTrial(anyNumber, values).label()).Check()
}

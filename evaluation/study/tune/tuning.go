package tune

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/models"
)

// Tuning is a search for settings: the training that all trials share, the space of settings to
// choose from, and the way of choosing.
type Tuning struct {
	// Study is the training that all trials share: one table or data set, one split, fold and
	// seed, and settings with one value each. Its methods and inner folds are replaced.
	Study study.Config

	Method   string // method of all trials, unless the space has methods
	Space    Space
	Trials   int    // number of trials, at most maxTrials
	Strategy string // name of a strategy; default the first of Strategies
	Judge    string // name of the measure that compares trials, in units of the standardised target; default crps
	Folds    int    // number of folds of the cross-validation; default 3
}

// maxTrials is the largest number of trials of a tuning.
const maxTrials = 10_000

// withDefaults returns a copy of the tuning with its defaults filled in. A range of a setting that
// takes whole numbers becomes a range of whole numbers.
func (t Tuning) withDefaults() Tuning {
	t.Strategy, t.Judge, t.Folds = cmp.Or(t.Strategy, Strategies()[0].Name), cmp.Or(t.Judge, "crps"), cmp.Or(t.Folds, 3)
	t.Space = slices.Clone(t.Space)
	for i, d := range t.Space {
		if s, err := experiment.LookupSetting(d.Key); err == nil && s.Kind == experiment.Whole && d.Choices == nil && !t.anyTrialDeclares(d.Key) {
			t.Space[i].Whole = true
		}
	}
	return t
}

// methods returns the names of all methods from which a trial may have one.
func (t Tuning) methods() []string {
	if i := slices.IndexFunc(t.Space, func(d Dimension) bool { return d.Key == methodKey }); i >= 0 {
		return t.Space[i].Choices
	}
	return []string{t.Method}
}

// networks returns the names of all networks from which a trial may have one, "" for the
// method's own.
func (t Tuning) networks() []string {
	if i := slices.IndexFunc(t.Space, func(d Dimension) bool { return d.Key == networkKey }); i >= 0 {
		return t.Space[i].Choices
	}
	if chosen := t.Study.Settings[networkKey]; len(chosen) > 0 {
		return chosen
	}
	return []string{""}
}

// networkKey is the key of the setting that chooses a network.
const networkKey = "network"

// hyperparameters returns the names of the hyperparameters of all methods and networks of the
// trials, each once.
func (t Tuning) hyperparameters() []string {
	var list []string
	for _, method := range t.methods() {
		m, err := models.Lookup(method)
		if err != nil {
			continue
		}
		for _, network := range t.networks() {
			for _, h := range m.AllHyperparameters(network) {
				if !slices.Contains(list, h.Name) {
					list = append(list, h.Name)
				}
			}
		}
	}
	return list
}

// anyTrialDeclares reports whether the method or the network of any trial has a hyperparameter
// with the name key.
func (t Tuning) anyTrialDeclares(key string) bool { return slices.Contains(t.hyperparameters(), key) }

// declares reports whether the method or the network of a trial has a hyperparameter with the
// name key.
func (t Tuning) declares(values []string, key string) bool {
	m, err := models.Lookup(t.method(values))
	return err == nil && slices.ContainsFunc(m.AllHyperparameters(t.network(values)), func(h models.Hyperparameter) bool { return h.Name == key })
}

// keys returns the keys that the space may have: the method, hyperparameters of it and its
// network, and the settings that a tuning may vary.
func (t Tuning) keys() []string {
	keys := []string{methodKey}
	keys = append(keys, t.hyperparameters()...)
	for _, s := range experiment.ListSettings() {
		if s.Vary && s.Tune && !slices.Contains(keys, s.Key) {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// Check returns an error if the tuning cannot be run. It does not read the table.
func (t Tuning) Check() error {
	t = t.withDefaults()
	trials := models.Range{Min: 1, Max: maxTrials}
	if err := cmp.Or(trials.Check("the number of trials", t.Trials), models.Limits.InnerFolds.Check("the number of folds", t.Folds)); err != nil {
		return err
	}
	strategy, err := LookupStrategy(t.Strategy)
	if err != nil {
		return err
	}
	switch judge, err := measure.Lookup(t.Judge); {
	case err != nil:
		return err
	case judge.Undirected:
		return fmt.Errorf("no %s is better than another by itself: choose a measure that says what is good, such as crps", judge.Title)
	}
	if n := len(t.Study.Datasets) + len(t.Study.Tables); n != 1 {
		return fmt.Errorf("%d tables are named: a tuning is of one", n)
	}
	if len(t.Space) == 0 {
		return errors.New("the space is empty: want settings such as dropout=0.05..0.3")
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

// checkDimension returns an error unless the space may have the dimension.
func (t Tuning) checkDimension(d Dimension, strategy Strategy) error {
	setting, unknown := experiment.LookupSetting(d.Key)
	switch {
	case !slices.Contains(t.keys(), d.Key):
		return fmt.Errorf("there is no such setting: there is %s", strings.Join(t.keys(), ", "))
	case strategy.ChoosesEpochs && d.Key == "epochs":
		return fmt.Errorf("search strategy %s chooses the epochs: remove epochs from the space, and set the epochs of a whole training instead", strategy.Name)
	case d.Choices != nil || t.anyTrialDeclares(d.Key): // checkValues tries each value
		return nil
	case unknown == nil && setting.Kind == experiment.Widths:
		return errors.New("want lists of widths such as 20|50,50|none, or width, of two layers, for a range")
	case unknown != nil || setting.Kind != experiment.Whole && setting.Kind != experiment.Number:
		return errors.New("it is no number: want values such as a|b")
	case setting.Kind == experiment.Whole:
		return d.checkRange()
	}
	return nil
}

// checkValues returns an error if a value of a dimension cannot be used. With each method it tries
// each choice of each dimension and both ends of each range, one at a time: all other dimensions
// have their first value.
func (t Tuning) checkValues() error {
	first := make([]string, len(t.Space))
	methodIndex := -1 // index of the method's dimension; -1 if the space has no methods
	for i, d := range t.Space {
		first[i] = d.extremes()[0]
		if d.Key == methodKey {
			methodIndex = i
		}
	}
	for _, method := range t.methods() {
		if methodIndex >= 0 {
			first[methodIndex] = method
		}
		methodError := t.config(method).Check()
		for i, d := range t.Space {
			if i == methodIndex {
				continue
			}
			for _, v := range d.extremes() {
				values := slices.Clone(first)
				values[i] = v
				err := t.config(t.label(t.applicableValues(values))).Check()
				switch {
				case err == nil:
				case methodError != nil && methodError.Error() == err.Error(): // the value is not to blame
					return err
				default:
					return fmt.Errorf("%v: %w", d, err)
				}
			}
		}
	}
	return t.config(t.label(t.applicableValues(first))).Check()
}

// config returns the configuration of a study that trains labels on all folds.
func (t Tuning) config(labels ...string) study.Config {
	c := t.Study
	c.Methods, c.Inner = labels, t.Folds
	if m, err := measure.Lookup(t.Judge); err == nil && m.OnRequest {
		c.Measures = []string{m.Name}
	}
	return c
}

// method returns the name of a trial's method.
func (t Tuning) method(values []string) string {
	for i, d := range t.Space {
		if d.Key == methodKey {
			return values[i]
		}
	}
	return t.Method
}

// network returns the name of a trial's network, "" for the method's own.
func (t Tuning) network(values []string) string {
	for i, d := range t.Space {
		if d.Key == networkKey {
			return values[i]
		}
	}
	return t.networks()[0]
}

// applicableValues returns a copy of the values of a trial, with "" for hyperparameters that
// neither its method nor its network has.
func (t Tuning) applicableValues(values []string) []string {
	values = slices.Clone(values)
	for i, d := range t.Space {
		if t.anyTrialDeclares(d.Key) && !t.declares(values, d.Key) && !isSetting(d.Key) {
			values[i] = ""
		}
	}
	return values
}

// isSetting reports whether a training has a setting with this key.
func isSetting(key string) bool {
	_, err := experiment.LookupSetting(key)
	return err == nil
}

// label returns the method and settings of a trial in the form of a study's labels.
func (t Tuning) label(values []string) string {
	label, optimizer := t.method(values), ""
	for i, d := range t.Space {
		switch v := values[i]; {
		case d.Key == methodKey || v == "":
		case d.Key == "optimizer" && !t.declares(values, d.Key):
			optimizer = study.By + v
		default:
			label += " " + d.Key + "=" + v
		}
	}
	return label + optimizer
}

package tune

import (
	"cmp"
	"slices"

	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/models"
)

// Tuning is a search for settings: the training that all trials share, the space of settings to choose from,
// and the way of choosing.
type Tuning struct {
	// Study is the training that all trials share: one table or data set, one split, fold and
	// seed, and one value of each setting. Run replaces its methods and inner folds.
	Study study.Config `json:"study"`

	Method   string `json:"method"` // method of all trials; ignored if the space has the key "method"
	Space    Space  `json:"space"`
	Trials   int    `json:"trials"`   // number of trials, from 1 to 10,000
	Strategy string `json:"strategy"` // name of a search strategy; default the first of Strategies
	Measure  string `json:"measure"`  // name of the measure that compares trials, in units of the standardised target; default crps
	Folds    int    `json:"folds"`    // number of folds of the cross-validation; default 3, or 2 if training rows have fewer groups or times
}

// maxTrials is the largest number of trials of a tuning. More would take weeks even for small tables.
const maxTrials = 10_000

// Keys of settings with a special meaning in a space.
const (
	methodKey    = "method"
	networkKey   = "network"
	optimizerKey = "optimizer"
	epochsKey    = "epochs"
)

// withDefaults returns a copy of the tuning with its defaults filled in. The ranges of settings that take whole
// numbers, such as batch, become ranges of whole numbers.
func (t Tuning) withDefaults() Tuning {
	t.Strategy = cmp.Or(t.Strategy, Strategies()[0].Name)
	t.Measure = cmp.Or(t.Measure, "crps")
	t.Space = slices.Clone(t.Space)
	for i, d := range t.Space {
		setting, err := experiment.LookupSetting(d.Key)
		isWhole := err == nil && setting.Kind == experiment.WholeNumber
		if isWhole && d.Choices == nil && !t.isHyperparameter(d.Key) {
			t.Space[i].Whole = true
		}
	}
	return t
}

// methods returns the names of the methods that trials may have.
func (t Tuning) methods() []string {
	if i := t.Space.index(methodKey); i >= 0 {
		return t.Space[i].Choices
	}
	return []string{t.Method}
}

// networks returns the names of the networks that trials may have. The name "" stands for the method's default
// network.
func (t Tuning) networks() []string {
	if i := t.Space.index(networkKey); i >= 0 {
		return t.Space[i].Choices
	}
	if names := t.Study.Settings[networkKey]; len(names) > 0 {
		return names
	}
	return []string{""}
}

// hyperparameters returns the names of the hyperparameters of all methods and networks that trials may have,
// without repetitions. It skips unknown methods, which Check reports.
func (t Tuning) hyperparameters() []string {
	var names []string
	for _, method := range t.methods() {
		m, err := models.Lookup(method)
		if err != nil {
			continue
		}
		for _, network := range t.networks() {
			for _, h := range m.AllHyperparameters(network) {
				if !slices.Contains(names, h.Name) {
					names = append(names, h.Name)
				}
			}
		}
	}
	return names
}

// isHyperparameter reports whether key is the name of a hyperparameter of any method or network that trials may
// have. Such a key then means the hyperparameter, even if a setting of the training has the same name.
func (t Tuning) isHyperparameter(key string) bool {
	return slices.Contains(t.hyperparameters(), key)
}

// allowedKeys returns the keys that the space may have: the method, the hyperparameters of the trials' methods
// and networks, and the settings of a training that a tuning may vary.
func (t Tuning) allowedKeys() []string {
	keys := []string{methodKey}
	keys = append(keys, t.hyperparameters()...)
	for _, s := range experiment.ListSettings() {
		if !s.TrainOnly && !s.NotTuned && !slices.Contains(keys, s.Key) {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

package tune

import "sml/evaluation/measure"

// Setting is one setting of a trial, with its value.
type Setting struct {
	Key            string
	Value          string
	Hyperparameter bool // whether the method or its network has the setting; if not, the training has it
}

// Result is the outcome of a tuning.
type Result struct {
	Tuning  Tuning          // the tuning, with its defaults filled in
	Trials  []Trial         // all trials, ascending by number
	Best    int             // index in Trials of the best trial; -1 if no trial is complete
	Failed  int             // number of failed trials
	Rows    int             // number of training rows; each training of a trial leaves out one fold of them
	Measure measure.Measure // the measure that compares trials
}

// settings returns the settings of a trial with these values. It leaves out hyperparameters that
// the trial's method does not have.
func (t Tuning) settings(values []string) []Setting {
	var list []Setting
	for i, d := range t.Space {
		if v := values[i]; v != "" {
			list = append(list, Setting{Key: d.Key, Value: v, Hyperparameter: t.declares(values, d.Key)})
		}
	}
	return list
}

package tune

import "sml/evaluation/measure"

// Setting is one setting of a trial, with its value.
type Setting struct {
	Key, Value     string
	Hyperparameter bool // of the method; false for a setting of the training
}

// Result is the outcome of a tuning.
type Result struct {
	Tuning  Tuning // with defaults filled in
	Epochs  int    // of a whole training, unless the space varies them
	Trials  []Trial
	Best    int // index of the best trial; -1 if all failed
	Failed  int // number of trials that failed
	Rows    int // training rows; each training of a trial leaves out one fold
	Measure measure.Measure
}

// settings returns the settings of a trial with these values. It leaves out hyperparameters that
// the trial's method does not have.
func (t Tuning) settings(values []string) []Setting {
	var list []Setting
	method := t.method(values)
	for i, d := range t.Space {
		if v := values[i]; v != "" {
			list = append(list, Setting{Key: d.Key, Value: v, Hyperparameter: declares(method, d.Key)})
		}
	}
	return list
}

package tune

import "sml/evaluation/measure"

// Setting is a value of a trial.
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
	Rows    int // training rows; each training of a trial leaves out one fold
	Measure measure.Measure
}

// Settings returns the values of a trial. It leaves out dimensions that the trial's method
// does not have.
func (r *Result) Settings(t Trial) []Setting {
	var list []Setting
	method := r.Tuning.method(t.Values)
	for i, d := range r.Tuning.Space {
		if v := t.Values[i]; v != "" {
			list = append(list, Setting{Key: d.Key, Value: v, Hyperparameter: declares(method, d.Key)})
		}
	}
	return list
}

// Method returns the name of a trial's method.
func (r *Result) Method(t Trial) string { return r.Tuning.method(t.Values) }

// Failed returns the number of trials that failed.
func (r *Result) Failed() int {
	n := 0
	for _, t := range r.Trials {
		if t.State == Failed {
			n++
		}
	}
	return n
}

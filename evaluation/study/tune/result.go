package tune

import "sml/evaluation/measure"

// Setting is one setting of a trial, with its value.
type Setting struct {
	Key            string
	Value          string
	Hyperparameter bool // a hyperparameter of the method or its network, not a setting of the training
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

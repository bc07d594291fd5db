// Package tune chooses settings by cross-validation inside the rows that are trained on.
// Rows that are held out are in no fold and reach no trial: a score on them stays what it
// is without tuning, an honest one.
//
// A trial is a method with settings that a sampler has drawn from a space. Trials are run
// in rounds, each of which is a study (package study) with inner folds: a cell is one
// trial on one fold, an ordinary experiment. What a round runs follows from the seed and
// the scores of the rounds before, never from when which cell ended, so that a tuning has
// the same bytes on any number of cores and however often it is stopped.
//
// A tuning is a directory:
//
//	tuning.json    what is tuned, and how
//	rounds/01/     a study each
package tune

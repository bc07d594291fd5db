// Package tune chooses settings by cross-validation inside the training rows. No trial sees the
// held-out rows, so the score on them stays honest.
//
// A trial is a method with settings that a strategy has drawn from a space. Trials are run in
// rounds. A round is a study (package study) with inner folds: a cell trains one trial on one
// fold. The trials of a round depend on the seed and the scores of earlier rounds, and not on
// the order of the cells' ends. A tuning therefore has the same bytes on any number of cores, even
// if it is stopped and continued.
//
// A tuning is a directory:
//
//	tuning.json    the tuning
//	rounds/01/     the study of the first round
package tune

// Package tune chooses the settings of a training by cross-validation within the training rows. Start with
// [Tuning.Run], which draws trials from a [Space], scores each trial and returns the best one. The package
// neither uses the held-out rows, so their scores stay honest, nor trains the best settings on all training
// rows: the caller does that.
//
// A trial is a method with one value for each setting of the space. A [Strategy] proposes the trials in rounds,
// from the seed and the scores of earlier rounds. Each round is a study (package study) with inner folds: one
// cell trains one trial on one fold. A strategy never sees in which order cells end, so a tuning has the same
// bytes on any number of cores, and also after it was stopped and continued.
//
// A tuning is a directory:
//
//	tuning.json    the tuning
//	rounds/01/     the study of the first round
package tune

// Package models holds networks, training methods and trained models.
//
// A method is one file: an objective written as a function of the computation
// graph, a rule that turns network outputs into a mean and a standard
// deviation, and one call of Register. Everything else in the program (training,
// evaluation, checks, reports) finds it by its name.
package models

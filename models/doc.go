// Package models defines methods, networks and trained models, and reads and writes the directories
// in which models are saved. Start with Method and ExampleRegister to write a method, with Task for
// everything that an objective can use, and with Network to write a network. The built-in methods
// are in models/methods and the built-in networks in models/networks; the package does not train
// (see trainers) or evaluate (see evaluation).
//
// A method is an objective (the loss as a function of a computation graph), a predictor (network
// outputs to a predicted distribution) and one call of Register. A network is a function of the
// graph and one call of RegisterNetwork. Training, evaluation, checks and reports find both by name.
package models

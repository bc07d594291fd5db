// Package models holds what a method, a network and a trained model are, and the
// files that models are kept in. The methods are in models/methods, the networks in
// models/networks: a program has those that it imports.
//
// A method is one file: an objective written as a function of the computation
// graph, a rule that turns network outputs into a mean and a standard
// deviation, and one call of Register. A network is one file and one call of
// RegisterNetwork. Everything else in the program (training, evaluation, checks,
// reports) finds both by name.
package models

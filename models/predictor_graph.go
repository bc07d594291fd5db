package models

import (
	"sml/graph"
)

// MomentNodes is Moments as nodes of a graph, for all rows and targets at once: each is
// [rows, targets], and the slices have one for each network output that belongs to a
// target.
type MomentNodes struct {
	Full, Mean, Std []*graph.Node

	// OverDraws is the mean over all sub-networks of a function of the outputs of each,
	// of operations on elements; nil unless Method.Draws.
	OverDraws func(of func(draw []*graph.Node) *graph.Node) *graph.Node
}

// PredictionNodes is Prediction as nodes of a graph, [rows, targets] each; what is nil or
// empty is not there. Without Std there is no standard deviation. Quantiles are in any
// order, and the mean of Probabilities is filled in.
type PredictionNodes struct {
	Mean, Std, StdDrop, MeanShift *graph.Node
	Quantiles, Probabilities      []*graph.Node
}

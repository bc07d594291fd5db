package models

import (
	"fmt"

	"sml/graph"
)

// Names of the inputs of a graph of predictions.
const (
	targetMeanInput = "target mean"
	targetStdInput  = "target std"
)

func fullInput(output int) string         { return fmt.Sprint("full ", output) }
func meanInput(output int) string         { return fmt.Sprint("mean ", output) }
func stdInput(output int) string          { return fmt.Sprint("std ", output) }
func drawInput(output int) string         { return fmt.Sprint("draw ", output) }
func overDrawsInput(call int) string      { return fmt.Sprint("over draws ", call) }
func eachDrawInput(call, draw int) string { return fmt.Sprintf("draw %d of %d", draw, call) }

// drawCalls keeps the functions of a sub-network's outputs that a Predictor asks for. If
// their values are given, inputs of the graph stand for them; otherwise the graph is one of
// these functions.
type drawCalls struct {
	draws        int // sub-networks of a row
	given        bool
	means, lists graph.Nodes // functions of calls of Moments.OverDraws and Moments.EachDraw
}

// predictionInput returns an input of a graph of predictions. Such a graph has no other
// inputs: those of the method itself are errors.
func predictionInput(b *graph.Builder, name string, rows, columns int) *graph.Node {
	i := graph.Inspect(b)
	i.Filler, i.Filled = "a prediction", append(i.Filled, name)
	return b.Input(name, rows, columns)
}

// moments returns the inputs of a graph of predictions.
func (s Spec) moments(b *graph.Builder, m Method, rows int, calls *drawCalls) Moments {
	targets := max(1, s.Architecture.Targets)
	input := func(name string) *graph.Node { return predictionInput(b, name, rows, targets) }
	inputs := func(name func(output int) string) []*graph.Node {
		var nodes []*graph.Node
		for i := range s.Architecture.OutputsPerTarget() {
			nodes = append(nodes, input(name(i)))
		}
		return nodes
	}
	moments := Moments{
		Hyperparameters: s.Hyperparameters,
		Full:            inputs(fullInput),
		TargetMean:      predictionInput(b, targetMeanInput, 1, targets),
		TargetStd:       predictionInput(b, targetStdInput, 1, targets),
	}
	if m.Stochastic {
		moments.Mean, moments.Std = inputs(meanInput), inputs(stdInput)
	}
	if !m.Draws {
		return moments
	}
	draw := inputs(drawInput)
	moments.OverDraws = func(of func([]*graph.Node) *graph.Node) *graph.Node {
		calls.means = append(calls.means, of(draw))
		if !calls.given {
			return calls.means[len(calls.means)-1]
		}
		return input(overDrawsInput(len(calls.means) - 1))
	}
	moments.EachDraw = func(of func([]*graph.Node) *graph.Node) []*graph.Node {
		calls.lists = append(calls.lists, of(draw))
		list := make([]*graph.Node, calls.draws)
		for k := range list {
			if list[k] = calls.lists[len(calls.lists)-1]; calls.given {
				list[k] = input(eachDrawInput(len(calls.lists)-1, k))
			}
		}
		return list
	}
	return moments
}

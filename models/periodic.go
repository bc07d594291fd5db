package models

import (
	"math"

	"sml/graph"
)

// frequencyStd is the standard deviation of the first frequencies, in waves for each standard deviation of the
// input. Source: Holzmüller et al. 2024, RealMLP-TD.
const frequencyStd = 0.1

// encodePeriodic returns the periodic embeddings [rows, n·periodicWidth] of the n inputs of x [rows, a.Inputs] that
// have one, or nil if there are none: ReLU(w·(sin 2πcx, cos 2πcx) + bias) with a.Periodic frequencies c for
// each input. All inputs have the same layer, periodic.weight [2·a.Periodic, periodicWidth] and periodic.bias.
// Source: Gorishniy et al. 2022, section 3.3, with a shared layer as in their "PLR(lite)".
func (a Architecture) encodePeriodic(b *graph.Builder, x *graph.Node) *graph.Node {
	inputs := a.periodicInputs()
	n := len(inputs)
	if n == 0 {
		return nil
	}
	rows := x.Shape()[0]
	frequencies := b.Param("periodic.frequency", 1, n*a.Periodic, graph.Normal(frequencyStd))
	repeated := repeatColumns(b, selectColumns(b, x, inputs), a.Periodic)
	angles := b.Scale(2*math.Pi, b.Mul(repeated, frequencies))
	angles = b.Reshape(angles, rows*n, a.Periodic)
	waves := b.Concat(b.Sin(angles), b.Cos(angles))
	bound := 1 / math.Sqrt(float64(2*a.Periodic))
	weight := b.Weight("periodic.weight", 2*a.Periodic, periodicWidth, graph.Uniform(bound))
	bias := b.Param("periodic.bias", 1, periodicWidth, graph.Uniform(bound))
	return b.Reshape(b.ReLU(b.Linear(waves, weight, bias)), rows, n*periodicWidth)
}

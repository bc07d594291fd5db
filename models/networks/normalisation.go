package networks

import (
	"fmt"

	"sml/graph"
)

// epsilon is added to variances.
const epsilon = 1e-5

// momentum is the weight of a batch in running statistics.
const momentum = 0.1

// LayerNorm gives each row of x [rows, units] a mean of 0 and a variance of 1 over its
// units, (x − mean)/√(variance + 10⁻⁵) with the biased variance, then a gain and a bias
// for each unit: parameters name.weight, from 1, and name.bias, from 0, both [1, units].
// Of images and sequences it does so at each place, over the channels. Source: Ba et
// al. 2016; torch.nn.LayerNorm.
func LayerNorm(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	return asMatrix(b, "LayerNorm", x, func(x *graph.Node) *graph.Node {
		deviation := b.Sub(x, b.MeanColumns(x))
		return scaled(b, name, b.Div(deviation, b.Sqrt(b.AddConst(b.VarianceColumns(x), epsilon))))
	})
}

// BatchNorm gives each unit of x [rows, units] a mean of 0 and a variance of 1 over the
// rows, (x − mean)/√(variance + 10⁻⁵), then a gain and a bias: parameters name.weight,
// from 1, and name.bias, from 0, both [1, units]. Of images and sequences it does so
// with each channel, over rows and places. In a training's step the statistics are those
// of the batch, with the biased variance; elsewhere they are the buffers
// name.running_mean, from 0, and name.running_var, from 1, to which each step adds a
// tenth of the distance to the batch's mean and unbiased variance. So a prediction does
// not depend on the rows beside. Source: Ioffe and Szegedy 2015; torch.nn.BatchNorm1d.
func BatchNorm(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	return asMatrix(b, "BatchNorm", x, func(x *graph.Node) *graph.Node {
		n, units := float64(x.Shape()[0]), x.Shape()[1]
		mean := b.Buffer(name+".running_mean", 1, units, graph.Filled(0))
		variance := b.Buffer(name+".running_var", 1, units, graph.Filled(1))
		if b.Training() {
			if n < 2 {
				b.Fail(fmt.Errorf("BatchNorm %q: a batch of one row has no variance: want two or more", name))
				return x
			}
			runningMean, runningVariance := mean, variance
			mean, variance = b.MeanRows(x), b.VarianceRows(x)
			follow := func(buffer string, running, batch *graph.Node) {
				b.Update(name+buffer, b.Add(b.Scale(1-momentum, running), b.Scale(momentum, batch)))
			}
			follow(".running_mean", runningMean, mean)
			follow(".running_var", runningVariance, b.Scale(n/(n-1), variance))
		}
		return scaled(b, name, b.Div(b.Sub(x, mean), b.Sqrt(b.AddConst(variance, epsilon))))
	})
}

// scaled gives each unit a gain and a bias.
func scaled(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	units := x.Shape()[1]
	return b.Add(b.Mul(x, b.Param(name+".weight", 1, units, graph.Filled(1))), b.Param(name+".bias", 1, units, graph.Filled(0)))
}

package networks

import (
	"fmt"

	"sml/graph"
)

// Constants of torch.nn.LayerNorm and torch.nn.BatchNorm1d.
const (
	epsilon  = 1e-5 // added to variances, so that a constant unit is not divided by 0
	momentum = 0.1  // weight of the current batch in the running statistics
)

// LayerNorm returns x [rows, units] with a mean of 0 and a variance of 1 over the units of each
// row, times a gain plus a bias for each unit:
//
//	(x − mean)/√(variance + 10⁻⁵) · gain + bias
//
// with the variance divided by n. The parameters are the gain name.weight, which starts from 1, and
// the bias name.bias, which starts from 0, both [1, units]. For images and sequences, the channels
// of each position are the units. Source: Ba et al. 2016; torch.nn.LayerNorm.
func LayerNorm(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	return applyToLastAxis(b, "LayerNorm", x, func(x *graph.Node) *graph.Node {
		deviation := b.Sub(x, b.MeanColumns(x))
		std := b.Sqrt(b.Shift(b.VarianceColumns(x), epsilon))
		return applyGainAndBias(b, name, b.Div(deviation, std))
	})
}

// BatchNorm returns x [rows, units] with a mean of 0 and a variance of 1 over the rows, times a
// gain plus a bias for each unit:
//
//	(x − mean)/√(variance + 10⁻⁵) · gain + bias
//
// The parameters are the gain name.weight, which starts from 1, and the bias name.bias, which
// starts from 0, both [1, units]. For images and sequences, a unit is a channel, and the statistics
// are over rows and positions.
//
// A training step uses the mean and the variance (divided by n) of its batch. Predictions use the
// buffers name.running_mean, which starts from 0, and name.running_var, which starts from 1, so that
// the prediction of a row does not depend on other rows. Each training step moves the buffers by a
// tenth of their distance to the mean and the variance (divided by n−1) of its batch. The builder
// fails in a training with batches of one row. Source: Ioffe and Szegedy 2015;
// torch.nn.BatchNorm1d.
func BatchNorm(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	return applyToLastAxis(b, "BatchNorm", x, func(x *graph.Node) *graph.Node {
		rows := float64(x.Shape()[0])
		units := x.Shape()[1]
		mean := b.Buffer(name+".running_mean", 1, units, graph.Fill(0))
		variance := b.Buffer(name+".running_var", 1, units, graph.Fill(1))
		if b.Training() { // otherwise the buffers take the place of the batch's statistics
			if rows < 2 {
				b.Fail(fmt.Errorf("BatchNorm %q: a batch of one row has no variance; want two rows or more", name))
				return x
			}
			batchMean := b.MeanRows(x)
			batchVariance := b.VarianceRows(x)
			updateRunning(b, name+".running_mean", mean, batchMean)
			unbiasedVariance := b.Scale(rows/(rows-1), batchVariance) // divided by n−1
			updateRunning(b, name+".running_var", variance, unbiasedVariance)
			mean = batchMean
			variance = batchVariance
		}
		deviation := b.Sub(x, mean)
		std := b.Sqrt(b.Shift(variance, epsilon))
		return applyGainAndBias(b, name, b.Div(deviation, std))
	})
}

// updateRunning makes a training step move the named buffer, whose value is running, by a tenth of the way
// to the batch's value: the buffer becomes an exponential moving average.
func updateRunning(b *graph.Builder, buffer string, running, batch *graph.Node) {
	b.Update(buffer, b.Add(b.Scale(1-momentum, running), b.Scale(momentum, batch)))
}

// applyGainAndBias returns x·gain + bias with the parameters name.weight and name.bias.
func applyGainAndBias(b *graph.Builder, name string, x *graph.Node) *graph.Node {
	units := x.Shape()[1]
	gain := b.Param(name+".weight", 1, units, graph.Fill(1))
	scaled := b.Mul(x, gain)
	bias := b.Param(name+".bias", 1, units, graph.Fill(0))
	return b.Add(scaled, bias)
}

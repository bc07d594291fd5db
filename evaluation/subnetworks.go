package evaluation

import (
	"cmp"
	"context"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// SubNetworkOutputs returns the first output of each sub-network of the model's first member for
// each row: [samples][rows], standardised. The model predicts by the same sub-networks.
// SubNetworkOutputs runs on one goroutine.
func SubNetworkOutputs(ctx context.Context, m *models.Model, rows data.Subset, s Sampling) ([][]float32, error) {
	s.Samples = cmp.Or(s.Samples, DefaultSamples)
	limits := models.Range{Min: 1, Max: models.Limits.Samples.Max} // one is enough, since no standard deviation is computed
	if err := limits.Check("the number of sub-networks", s.Samples); err != nil {
		return nil, err
	}
	if stored := m.SubNetworks(0).Len(); stored > 0 {
		s.Samples = min(s.Samples, stored)
	}
	outputs := make([][]float32, s.Samples)
	err := eachBlock(m, rows, s.Engine, true, func(sampler *sampler, numbers []int32) error {
		return sampler.runSubNetworks(ctx, rows, numbers, s.Seed, 0, s.Samples, func(draw int, out []float32) {
			outputs[draw] = appendFirstOutputs(outputs[draw], out, m.Architecture.OutputColumns())
		})
	})
	return outputs, err
}

// FullNetworkOutputs returns the first output of the full network of the model's first member for
// each row, standardised.
func FullNetworkOutputs(m *models.Model, rows data.Subset, engine graph.Engine) ([]float32, error) {
	var outputs []float32
	err := eachBlock(m, rows, engine, false, func(sampler *sampler, numbers []int32) error {
		out, err := sampler.runFull(rows, numbers)
		outputs = appendFirstOutputs(outputs, out, m.Architecture.OutputColumns())
		return err
	})
	return outputs, err
}

// eachBlock calls use for each block of rows, with a sampler of the first member's network and the
// numbers of the block's rows. The sampler runs the sub-networks if subNetworks is true, and otherwise
// the full network.
func eachBlock(m *models.Model, rows data.Subset, engine graph.Engine, subNetworks bool, use func(s *sampler, numbers []int32) error) error {
	numbers, err := rowNumbers(m, rows)
	if err != nil {
		return err
	}
	engine, err = graph.ParseEngine(string(engine))
	if err != nil {
		return err
	}
	graphs, err := newProbe(m, subNetworks, SampledMoments)
	if err != nil {
		return err
	}
	blockRows := graphs.blockRows()
	graphRows := max(2, min(blockRows, len(numbers))) // with a single row, the engine would round differently
	s, err := newSampler(m, samplerKind{rows: graphRows, subNetworks: subNetworks}, nil, engine)
	if err != nil {
		return err
	}
	defer s.Close()
	for first := 0; first < len(numbers); first += blockRows {
		end := min(first+blockRows, len(numbers))
		if err := use(s, numbers[first:end]); err != nil {
			return err
		}
	}
	return nil
}

// appendFirstOutputs appends the first output of each row to dst. out has the given number of outputs for
// each row.
func appendFirstOutputs(dst, out []float32, outputs int) []float32 {
	for i := 0; i < len(out); i += outputs {
		dst = append(dst, out[i])
	}
	return dst
}

package evaluation

import (
	"cmp"
	"context"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// SubNetworks returns a line for each sub-network of the model's first
// member: its first output for each row. With shared, a sub-network has one mask for
// all rows, so that its line is a function of x, as in the paper's figure 1; otherwise
// every row has masks of its own, as predictions have. It runs on one goroutine.
func SubNetworkOutputs(ctx context.Context, m *models.Model, rows data.Subset, s Sampling, shared bool) ([][]float32, error) {
	s.Samples = cmp.Or(s.Samples, DefaultSamples)
	one := models.Range{Min: 1, Max: models.Limits.Samples.Max} // a line needs no spread
	if err := one.Check("the number of sub-networks", s.Samples); err != nil {
		return nil, err
	}
	if n := m.SubNetworks(0).Len(); n > 0 {
		s.Samples = min(s.Samples, n)
	}
	lines := make([][]float32, s.Samples)
	err := eachBlock(m, rows, s.Engine, true, func(sampler *sampler, numbers []int32, first int) error {
		d := graph.MaskKey{Seed: m.MaskSeed(s.Seed, 0), Row: uint32(first), Shared: shared}
		if shared {
			d.Row = 0
		}
		return sampler.runSubNetworks(ctx, rows, numbers, d, 0, s.Samples, func(draw int, out []float32) {
			lines[draw] = appendFirstOutputs(lines[draw], out, m.Architecture.Outputs)
		})
	})
	return lines, err
}

// Full returns what the full network of the model's first member puts out for
// rows: its first output for each.
func FullNetworkOutputs(m *models.Model, rows data.Subset, engine graph.Engine) ([]float32, error) {
	var values []float32
	err := eachBlock(m, rows, engine, false, func(sampler *sampler, numbers []int32, _ int) error {
		out, err := sampler.runFull(rows, numbers)
		values = appendFirstOutputs(values, out, m.Architecture.Outputs)
		return err
	})
	return values, err
}

// eachBlock calls use with a sampler of the first member, of its sub-networks if
// sampled, for each block of rows, and the place of its first row.
func eachBlock(m *models.Model, rows data.Subset, engine graph.Engine, sampled bool, use func(s *sampler, numbers []int32, first int) error) error {
	numbers, err := rowNumbers(m, rows)
	if err != nil {
		return err
	}
	if engine, err = graph.ParseEngine(string(engine)); err != nil {
		return err
	}
	block, _, err := chooseBlock(m, sampled)
	if err != nil {
		return err
	}
	s, err := newSampler(m, samplerKind{rows: max(2, min(block, len(numbers))), subNetworks: sampled}, nil, engine)
	if err != nil {
		return err
	}
	defer s.runner.Close()
	for first := 0; first < len(numbers); first += block {
		if err := use(s, numbers[first:min(first+block, len(numbers))], first); err != nil {
			return err
		}
	}
	return nil
}

// appendFirst appends the first of every row of outputs.
func appendFirstOutputs(dst, out []float32, outputs int) []float32 {
	for i := 0; i < len(out); i += outputs {
		dst = append(dst, out[i])
	}
	return dst
}

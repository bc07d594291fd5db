package evaluation

import (
	"context"

	"sml/graph"
	"sml/models"
)

// SubNetworks returns what each of samples dropout sub-networks of the
// model's first member puts out for rows x [n, inputs], standardised: one line
// [n] of its first output for each. With shared, the mask of a sub-network is
// the same for all rows, so that a line is a function of x, as the paper's figure 1
// shows it; otherwise every row has masks of its own, as predictions have.
func SubNetworks(m *models.Model, x []float32, samples int, seed uint64, shared bool) ([][]float32, error) {
	inputs, outputs := m.Architecture.Inputs, m.Architecture.Outputs
	s, err := newSampler(m, 0, len(x)/inputs, graph.Engines()[0])
	if err != nil {
		return nil, err
	}
	defer s.close()
	lines := make([][]float32, samples)
	err = s.draw(context.Background(), x, graph.Draw{Key: seed, Shared: shared}, samples, func(draw int, out []float32) {
		for i := 0; i < len(out); i += outputs {
			lines[draw] = append(lines[draw], out[i])
		}
	})
	return lines, err
}

// Full returns what the full network of the model's first member puts out for
// rows x [n, inputs], standardised: its first output for each.
func Full(m *models.Model, x []float32) ([]float32, error) {
	inputs, outputs := m.Architecture.Inputs, m.Architecture.Outputs
	s, err := newSampler(m, 0, len(x)/inputs, graph.Engines()[0])
	if err != nil {
		return nil, err
	}
	defer s.close()
	s.load(s.full, x)
	if err := s.full.Run(); err != nil {
		return nil, err
	}
	var values []float32
	for i := 0; i < len(x)/inputs*outputs; i += outputs {
		values = append(values, s.full.Output(0)[i])
	}
	return values, nil
}

package evaluation

import (
	"sml/graph"
	"sml/models"
)

// SubNetworks returns what each of samples dropout sub-networks of the
// model's first member puts out for rows x [n, inputs], standardised: one line
// [n] of its first output for each. The mask of a sub-network is the same for all
// rows, so that a line is a function of x, as the paper's figure 1 shows it.
func SubNetworks(m *models.Model, x []float32, samples int, seed uint64) ([][]float32, error) {
	inputs, outputs := m.Architecture.Inputs, m.Architecture.Outputs
	s, err := newSampler(m, 0, len(x)/inputs, graph.Engines()[0])
	if err != nil {
		return nil, err
	}
	defer s.close()
	lines := make([][]float32, samples)
	err = s.draw(x, graph.Draw{Key: seed, Shared: true}, samples, func(draw int, out []float32) {
		for i := 0; i < len(out); i += outputs {
			lines[draw] = append(lines[draw], out[i])
		}
	})
	return lines, err
}

package evaluation

import (
	"slices"

	"sml/graph"
	"sml/models"
)

// block is the most rows that run through a network at once.
const maxBlockRows = 500

// blockOf is block, or fewer rows where the networks of all members, full and with
// sub-networks if they are sampled, would hold more than 64 MiB of values: patches of
// convolutions and all else that their graphs compute. Predictions do not depend on it.
// Rows of sub-networks may stack where each mask and noise is of rows, and all sub-networks have
// the same weights: several draws of a row are then rows of one run.
func chooseBlock(m *models.Model, sampled bool) (rows int, stack bool, err error) {
	const values = 1 << 24
	var sizes [2]int // of the graphs of one row and of two
	for i := range sizes {
		b := graph.New(graph.Float32, m.Members[0])
		inspection := graph.Inspect(b)
		inspection.Filler = "a prediction"
		inspection.FillerInputs = []string{models.InputX}
		f, err := m.Forward(b, 1+i)
		if err != nil {
			return 0, false, err
		}
		f(graph.Full)
		if sampled {
			f(graph.Drop(0))
		}
		if err := b.Err(); err != nil {
			return 0, false, err
		}
		stack = !slices.ContainsFunc(graph.Inspect(b).Draws(), func(d graph.Draw) bool { return d.Shared || d.Node.Shape()[0] != 1+i })
		stack = stack && m.SubNetworks(0).Len() == 0
		for _, n := range b.Graph().AllNodes() {
			sizes[i] += n.Shape().TotalSize()
		}
	}
	row := sizes[1] - sizes[0]
	return max(1, min(maxBlockRows, values/max(1, row*len(m.Members)))), stack, nil
}

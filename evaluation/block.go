package evaluation

import (
	"slices"

	"sml/graph"
	"sml/models"
)

// maxBlockRows is the largest number of rows that run through a network at once.
const maxBlockRows = 500

// maxBlockValues bounds the numbers that the graphs of all members hold, of 4 bytes each: 64 MiB.
const maxBlockValues = 1 << 24

// chooseBlock returns the number of rows that run through a model's networks at once: 500, or
// fewer if the graphs of all members would hold more than 64 MiB, as with convolutions.
// Predictions do not depend on it. stackDraws reports whether one run can compute several draws
// of a row: every mask must have a row for each row of the batch, and all sub-networks must share
// their weights. hasSubNetworks says whether sub-networks run as well as the full network.
//
// It compares the graphs for one and for two rows: their difference in size is what each further row
// needs, without the weights.
func chooseBlock(m *models.Model, hasSubNetworks bool) (rows int, stackDraws bool, err error) {
	oneRow, err := forwardBuilder(m, hasSubNetworks, 1)
	if err != nil {
		return 0, false, err
	}
	twoRows, err := forwardBuilder(m, hasSubNetworks, 2)
	if err != nil {
		return 0, false, err
	}
	valuesPerRow := countValues(twoRows) - countValues(oneRow)
	rows = max(1, min(maxBlockRows, maxBlockValues/max(1, valuesPerRow*len(m.Members))))
	isNotPerRow := func(d graph.Draw) bool { return d.Shared || d.Node.Shape()[0] != 2 }
	hasStored := m.SubNetworks(0).Len() > 0 // stored sub-networks have weights of their own
	stackDraws = !hasStored && !slices.ContainsFunc(graph.Inspect(twoRows).Draws(), isNotPerRow)
	return rows, stackDraws, nil
}

// forwardBuilder returns a builder with the first member's full network for a number of rows and, if
// hasSubNetworks is true, with one of its sub-networks.
func forwardBuilder(m *models.Model, hasSubNetworks bool, rows int) (*graph.Builder, error) {
	b := graph.New(graph.Float32, m.Members[0])
	inspectPrediction(b)
	forward, err := m.Forward(b, rows)
	if err != nil {
		return nil, err
	}
	forward(graph.Full)
	if hasSubNetworks {
		forward(graph.Drop(0))
	}
	return b, b.Err()
}

// countValues returns the number of values that all nodes of a graph hold together.
func countValues(b *graph.Builder) int {
	size := 0
	for _, node := range b.Graph().AllNodes() {
		size += node.Shape().TotalSize()
	}
	return size
}

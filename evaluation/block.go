package evaluation

import (
	"sml/graph"
	"sml/models"
)

// maxBlockRows is the largest number of rows that run through a network at once.
const maxBlockRows = 500

// maxBlockValues bounds the numbers that the graphs of all members hold, of 4 bytes each: 64 MiB.
const maxBlockValues = 1 << 24

// probe has a model's networks as graphs for one and for two rows. Two graphs suffice to find how the size
// of a graph, and of its dropout masks, grows with the number of rows.
type probe struct {
	model  *models.Model
	oneRow *graph.Builder
	twoRow *graph.Builder
}

// newProbe builds the two graphs of a probe. hasSubNetworks says whether sub-networks run as well as the
// full network, and moments whether they are sampled.
func newProbe(m *models.Model, hasSubNetworks bool, moments MomentSource) (probe, error) {
	oneRow, err := forwardBuilder(m, hasSubNetworks, moments, 1)
	if err != nil {
		return probe{}, err
	}
	twoRow, err := forwardBuilder(m, hasSubNetworks, moments, 2)
	if err != nil {
		return probe{}, err
	}
	return probe{model: m, oneRow: oneRow, twoRow: twoRow}, nil
}

// blockRows returns the number of rows that run through the model's networks at once: maxBlockRows, or
// fewer if the graphs of all members would then hold more than maxBlockValues numbers, as with
// convolutions. Predictions do not depend on it.
func (p probe) blockRows() int {
	valuesPerRow := countValues(p.twoRow) - countValues(p.oneRow) // the weights are in both graphs and cancel
	valuesPerRow = max(1, valuesPerRow*len(p.model.Members))
	return max(1, min(maxBlockRows, maxBlockValues/valuesPerRow))
}

// canStackDraws reports whether one run of a graph can compute several draws of the same row, as if the
// draws were further rows. For this, all masks and noise must belong to rows, and all sub-networks must
// share their weights.
func (p probe) canStackDraws() bool {
	hasStoredWeights := p.model.SubNetworks(0).Len() > 0 // each stored sub-network has its own weights
	if hasStoredWeights {
		return false
	}
	for _, mask := range graph.Inspect(p.twoRow).Draws() {
		if mask.Rows != 2 { // the graph has 2 rows, and a mask of one row each has 2, too
			return false
		}
	}
	return true
}

// forwardBuilder returns a builder with the first member's full network for a number of rows and, if
// hasSubNetworks is true, with one of its sub-networks and, if they are analytic, its moments.
func forwardBuilder(m *models.Model, hasSubNetworks bool, moments MomentSource, rows int) (*graph.Builder, error) {
	b := graph.New(graph.Float32, m.Members[0])
	inspectPrediction(b)
	forward, err := m.Forward(b, rows)
	if err != nil {
		return nil, err
	}
	forward(graph.Full)
	if hasSubNetworks {
		sub := forward(m.SubNetworks(0).Pass())
		if moments == AnalyticMoments {
			b.DropoutMoments(sub)
		}
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

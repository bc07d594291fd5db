package evaluation

import (
	"context"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
)

// sampler runs one network of a member, either the full network or its sub-networks, for blocks
// of rows.
type sampler struct {
	*models.Model
	samplerKind
	runner *graph.Runner
	layers []graph.Layer // layers whose values the runner returns after the network's own, before its moments

	params *graph.Params      // parameters of the graph
	stored models.SubNetworks // weights of stored sub-networks, loaded into params one by one; empty if masks make the sub-networks
}

// samplerKind says what a sampler runs. Samplers of the same kind are interchangeable.
type samplerKind struct {
	member      int
	rows        int  // number of rows of the graph
	subNetworks bool // whether it runs sub-networks, and not the full network
	stackDraws  bool // whether one run computes several draws of the rows, as further rows
	analytic    bool // whether the full network also returns moments over its sub-networks
}

// newSampler builds the graph of a network. A full network also returns the values of its layers with
// the given names; newSampler returns an error if one does not exist.
func newSampler(m *models.Model, k samplerKind, layers []string, engine graph.Engine) (*sampler, error) {
	s := &sampler{Model: m, samplerKind: k, params: m.Members[k.member], stored: m.SubNetworks(k.member)}
	if k.subNetworks && s.stored.Len() > 0 {
		s.params = s.params.Clone()
	}
	b := graph.New(graph.Float32, s.params)
	inspectPrediction(b)
	graph.Inspect(b).OneDraw = k.subNetworks && !k.stackDraws
	forward, err := m.Forward(b, k.rows)
	if err != nil {
		return nil, err
	}
	if k.subNetworks {
		s.runner, err = graph.NewSampler(engine, b, forward(s.stored.Pass()))
	} else {
		pass := models.NewFullPass(b, forward)
		nodes := graph.Nodes{pass.Output}
		s.layers, err = findLayers(pass, layers)
		if err != nil {
			return nil, err
		}
		for _, layer := range s.layers {
			nodes = append(nodes, layer.Node)
		}
		if k.analytic {
			mean, variance := b.DropoutMoments(forward(graph.Drop(0)))
			nodes = append(nodes, mean, variance)
		}
		s.runner, err = graph.NewRunner(engine, b, nodes...)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close releases the graph.
func (s *sampler) Close() { s.runner.Close() }

// inspectPrediction prepares a builder for predictions: its errors say that only the inputs X have values.
func inspectPrediction(b *graph.Builder) {
	inspection := graph.Inspect(b)
	inspection.Filler = "a prediction"
	inspection.FillerInputs = []string{models.InputX}
}

// findLayers returns the layers of a pass with these names. It returns an error if one does not exist.
func findLayers(pass models.FullPass, names []string) ([]graph.Layer, error) {
	var layers []graph.Layer
	for _, name := range names {
		layer, err := pass.FindLayer(name)
		if err != nil {
			return nil, err
		}
		layers = append(layers, layer)
	}
	return layers, nil
}

// load standardises the rows with these numbers and copies them into the graph's inputs,
// repeated the given number of times one after the other. Unused rows of the graph are zero.
func (s *sampler) load(rows data.Subset, numbers []int32, times int) {
	x := s.runner.Input(models.InputX)
	inputs := s.Architecture.Inputs
	kernels.GatherStandardised(x, rows.X, inputs, numbers, rows.XScale.Means(), rows.XScale.Stds())
	loaded := len(numbers) * inputs
	for i := range times {
		copy(x[i*loaded:], x[:loaded])
	}
	clear(x[times*loaded:])
}

// runFull returns the outputs of the full network and its copies for the rows with these numbers,
// [rows, outputs] in row-major order. They are valid until the next run.
func (s *sampler) runFull(rows data.Subset, numbers []int32) ([]float32, error) {
	s.load(rows, numbers, 1)
	if err := s.runner.Run(); err != nil {
		return nil, err
	}
	return s.runner.Output(0)[:len(numbers)*s.Architecture.OutputColumns()], nil
}

// layerOutputs returns copies of the hidden layers' outputs in the last run, by layer name,
// or nil if the sampler has no layers. rows is the number of rows of that run.
func (s *sampler) layerOutputs(rows int) map[string][]float32 {
	if len(s.layers) == 0 {
		return nil
	}
	outputs := make(map[string][]float32)
	for i, layer := range s.layers {
		units := layer.Node.Shape()[1]
		outputs[layer.Name] = slices.Clone(s.runner.Output(1 + i)[:rows*units])
	}
	return outputs
}

// dropoutMoments returns the mean and the standard deviation of the sub-networks' outputs for the given number of rows of
// the last run, [rows, outputs] each.
func (s *sampler) dropoutMoments(rows int) (mean, std []float64) {
	first := 1 + len(s.layers)
	means := s.runner.Output(first)
	variances := s.runner.Output(first + 1)
	for i := range rows * s.Architecture.OutputColumns() {
		mean = append(mean, float64(means[i]))
		std = append(std, math.Sqrt(float64(variances[i])))
	}
	return mean, std
}

// runSubNetworks runs the sub-networks from, …, to−1 for the rows with these numbers and calls
// use with the outputs of each, [rows, outputs]. The outputs are valid until use returns. All rows share
// the masks of a sub-network, which follow from seed, the member and the index of the sub-network.
func (s *sampler) runSubNetworks(ctx context.Context, rows data.Subset, numbers []int32, seed uint64, from, to int, use func(draw int, outputs []float32)) error {
	key := graph.MaskKey{Seed: s.MaskSeed(seed, s.member)}
	drawsPerRun := 1
	if s.stackDraws {
		drawsPerRun = max(1, min(to-from, s.rows/len(numbers)))
		key.StepRows = len(numbers) // after so many rows of the graph, the masks of the next draw begin
	}
	s.load(rows, numbers, drawsPerRun)
	outputsPerDraw := len(numbers) * s.Architecture.OutputColumns()
	run := s.runner.Run // the first run computes everything
	for first := from; first < to; first += drawsPerRun {
		if err := ctx.Err(); err != nil {
			return err
		}
		key.Step = uint32(first)
		s.runner.SampleMasks(key)
		if s.stored.Len() > 0 {
			s.stored.Load(first, s.params)
		}
		if err := run(); err != nil {
			return err
		}
		if s.stored.Len() == 0 {
			run = s.runner.Rerun // skips nodes that do not depend on masks: their values are still there
		}
		stacked := s.runner.Output(0)               // outputs of drawsPerRun draws one after the other
		for i := range min(drawsPerRun, to-first) { // the last run may have more draws than are left
			use(first+i, stacked[i*outputsPerDraw:(i+1)*outputsPerDraw])
		}
	}
	return nil
}

// memberDraws gathers the outputs of a member's sub-networks for a block of rows.
type memberDraws struct {
	*moments             // moments of all draws, element by element
	keep     bool        // whether outputs are kept, for methods that use each draw
	outputs  [][]float32 // outputs of each draw, [rows, outputs]; nil unless keep is true
}

// add adds the outputs of the next draw. Draws must be added in their order.
func (d *memberDraws) add(_ int, out []float32) {
	d.moments.add(out)
	if d.keep {
		d.outputs = append(d.outputs, slices.Clone(out))
	}
}

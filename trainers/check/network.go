package check

import (
	"errors"
	"fmt"
	"slices"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// Network checks the registered network of that name, for whatever method trains
// it: shapes, which layers drop units, parameters, what it makes of its
// architecture, that rows do not depend on one another, gradients and speed. It
// takes seconds. The error is that there is no such network.
func Network(name string, seed uint64) (Findings, error) {
	n, err := models.LookupNetwork(name)
	if err != nil {
		return nil, err
	}
	f := Findings{shapes(n)}
	if f.Passed() { // else the others say the same
		f = append(f, layers(n), parameters(n), choices(n), blocks(func(b *graph.Builder, rows int) (models.Forward, error) { return n.Forward(b, rows, plain(n)) }, []graph.Pass{graph.Full}, seed), networkGradients(n, seed), networkKernels(n))
	}
	if err := f.exempt("network "+n.Name, n.Exempt); err != nil {
		return nil, err
	}
	return f.noteUnneeded(n.Exempt), nil
}

// plain is a small architecture of the network, that drops units in all layers.
func plain(n models.Network) models.Architecture {
	a := models.Architecture{Network: n.Name, Inputs: 3, Targets: 1, Outputs: 1, Hidden: []int{5, 4}, Dropout: 0.3, Drop: models.AllLayers}
	if len(n.Activations) > 0 {
		a.Activation = n.Activations[0]
	}
	return a
}

// activations of a network: an empty one where it has its own.
func activations(n models.Network) []string {
	if len(n.Activations) == 0 {
		return []string{""}
	}
	return n.Activations
}

// built is a network on a graph of its own, in float64.
type built struct {
	*graph.Builder
	params *graph.Params
	passes []*graph.Node
}

func build(n models.Network, a models.Architecture, rows int, passes ...graph.Pass) (built, error) {
	params := new(graph.Params)
	b := built{Builder: graph.New(graph.Float64, params), params: params}
	f, err := n.Forward(b.Builder, rows, a)
	if err != nil {
		return b, err
	}
	for _, pass := range passes {
		b.passes = append(b.passes, f(pass))
	}
	return b, b.Err()
}

// shapes builds both passes for several architectures: models.Network.Forward says
// what is wrong with what they return.
func shapes(n models.Network) Finding {
	const check = "shapes"
	for _, hidden := range [][]int{nil, {5}, {5, 4}, {4, 4, 4}, {3, 1, 2}} {
		for _, activation := range activations(n) {
			for _, outputs := range []int{1, 2, 6} {
				for _, rows := range []int{1, 7} {
					a := plain(n)
					a.Hidden, a.Activation, a.Outputs = hidden, activation, outputs
					if _, err := build(n, a, rows, graph.Full, graph.Drop(0), graph.Drop(1)); err != nil {
						return failedFinding(check, fmt.Errorf("hidden layers %v, %d outputs, %d rows: %w", hidden, outputs, rows, err))
					}
				}
			}
		}
	}
	return Finding{Check: check, Status: Passed, Says: "[rows outputs], whatever the hidden layers; the full pass has no masks, a sub-network those of its pass alone"}
}

// layers counts the masks of a sub-network for each choice of layers.
func layers(n models.Network) Finding {
	const check = "layers"
	masks := make(map[models.Layers]int)
	for _, drop := range []models.Layers{models.AllLayers, models.LastLayer, models.NoLayers} {
		a := plain(n)
		a.Hidden, a.Drop = []int{4, 4, 4}, drop
		b, err := build(n, a, rows, graph.Drop(0))
		if err != nil {
			return failedFinding(check, err)
		}
		for _, node := range b.Graph().AllNodes() {
			if role, _ := graph.Inspect(b.Builder).Role(node); role == graph.Mask {
				masks[drop]++
			}
		}
	}
	all, last, none := masks[models.AllLayers], masks[models.LastLayer], masks[models.NoLayers]
	if none > 0 || last > all || last == all && all > 1 {
		return failedFinding(check, fmt.Errorf("of three hidden layers %d drop units where all are to, %d where the last is to, and %d where none is to: ask Architecture.Drop.Drops", all, last, none))
	}
	return Finding{Check: check, Status: Passed, Says: fmt.Sprintf("%d masks where all hidden layers drop units, %d where the last does, none where none does", all, last)}
}

// parameters compares what several builds declare.
func parameters(n models.Network) Finding {
	const check = "parameters"
	first, err := build(n, plain(n), rows, graph.Full)
	if err != nil {
		return failedFinding(check, err)
	}
	for range 2 { // a map of a few keys may have one order twice
		for size, passes := range map[int][]graph.Pass{rows: {graph.Full, graph.Drop(0)}, 2: {graph.Drop(3), graph.Full}} {
			b, err := build(n, plain(n), size, passes...)
			if err != nil {
				return failedFinding(check, err)
			}
			if !slices.Equal(first.params.List(), b.params.List()) {
				return failedFinding(check, fmt.Errorf("the full network of %d rows has %v, and with a sub-network, of %d rows, %v: want the same", rows, first.params.List(), size, b.params.List()))
			}
			if size == rows && !graph.Same(first.passes[0], b.passes[0]) {
				return failedFinding(check, errors.New("the network is another one each time it is built: take random numbers from Dropout's masks, and nothing from a clock, a generator, the order of a map or an earlier call"))
			}
		}
	}
	return sharedFinding(first.Builder, first.passes[0], fmt.Sprintf("the same %d each time, in any pass", len(first.params.List())))
}

// choices compares what the network makes of other architectures.
func choices(n models.Network) Finding {
	const check = "architecture"
	f := Finding{Check: check, Status: Passed, Says: "widths and activations make another network"}
	first, err := build(n, plain(n), rows, graph.Full)
	if err != nil {
		return failedFinding(check, err)
	}
	for _, hidden := range [][]int{{9, 4}, {5, 9}, {5, 4, 4}} {
		a := plain(n)
		a.Hidden = hidden
		b, err := build(n, a, rows, graph.Full)
		if err != nil {
			return failedFinding(check, err)
		}
		if slices.Equal(first.params.List(), b.params.List()) {
			f.Status, f.Says = Noted, "some widths of hidden layers make no other network"
			f.Details = append(f.Details, fmt.Sprintf("%v has the parameters of %v", hidden, plain(n).Hidden))
		}
	}
	for _, activation := range activations(n)[1:] {
		a := plain(n)
		a.Activation = activation
		b, err := build(n, a, rows, graph.Full)
		if err != nil {
			return failedFinding(check, err)
		}
		if graph.Same(first.passes[0], b.passes[0]) {
			return failedFinding(check, fmt.Errorf("activation %s is no other than %s: leave Activations out if the network does not look at it", activation, n.Activations[0]))
		}
	}
	return f
}

// squares is the squared error of the full network and of a sub-network.
func squares(n models.Network, a models.Architecture, rows int) func(b *graph.Builder) (*graph.Node, error) {
	return func(b *graph.Builder) (*graph.Node, error) {
		f, err := n.Forward(b, rows, a)
		if err != nil {
			return nil, err
		}
		y := b.Input(models.InputY, rows, a.Outputs)
		loss := b.Add(b.MSE(f(graph.Full), y), b.MSE(f(graph.Drop(0)), y))
		return loss, b.Err()
	}
}

// networkGradients compares with finite differences in float64.
func networkGradients(n models.Network, seed uint64) Finding {
	const check = "gradients"
	var c comparison
	for _, activation := range activations(n) {
		for s := seed; s < seed+2; s++ {
			a := plain(n)
			a.Activation = activation
			what := fmt.Sprintf("activation %q, seed %d", activation, s)
			if err := c.add(what, squares(n, a, rows), gradcheck.Settings{Seed: s, MaxElements: comparedElements}); err != nil {
				return failedFinding(check, err)
			}
		}
	}
	return c.finding("every activation, both engines")
}

// networkKernels looks for operations that are slow.
func networkKernels(n models.Network) Finding {
	a := plain(n)
	a.Hidden = []int{50, 50}
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := squares(n, a, 100)(b)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	run, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	defer run.Close()
	return fallbacks(run.Program().Fallbacks())
}

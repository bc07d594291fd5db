package check

import (
	"errors"
	"fmt"
	"slices"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// Network checks the registered network with the given name, independently of the method that
// trains it: shapes, layers that drop units, parameters, the effect of the architecture,
// independence of rows, gradients and kernels. It takes seconds. Network returns an error if there
// is no such network, or if an exemption names no check.
func Network(name string, seed uint64) (Findings, error) {
	n, err := models.LookupNetwork(name)
	if err != nil {
		return nil, err
	}
	findings := Findings{checkShapes(n)}
	if findings.Passed() { // otherwise the other checks fail for the same reason
		build := func(b *graph.Builder, rows int) (models.Forward, error) {
			return n.Forward(b, rows, smallArchitecture(n))
		}
		findings = append(findings,
			checkLayers(n),
			checkParameters(n),
			checkArchitecture(n),
			checkRows(build, []graph.Pass{graph.Full}, seed),
			checkNetworkGradients(n, seed),
			checkNetworkKernels(n),
		)
	}
	if err := findings.applyExemptions("network "+n.Name, n.Exemptions); err != nil {
		return nil, err
	}
	return findings.noteUnneeded(n.Exemptions), nil
}

// smallArchitecture returns a small architecture of the network that drops units in all hidden
// layers. It has two copies if the network can have copies.
func smallArchitecture(n models.Network) models.Architecture {
	return models.Architecture{
		Network:    n.Name,
		Inputs:     3,
		Targets:    1,
		Outputs:    1,
		Hidden:     []int{5, 4},
		Activation: activationsOf(n)[0],
		Dropout:    0.3,
		Drop:       models.AllLayers,
		Copies:     min(2, n.Copies),
	}
}

// activationsOf returns the activations that can be chosen for the network, or a single "" if the
// network has fixed ones.
func activationsOf(n models.Network) []string {
	if len(n.Activations) == 0 {
		return []string{""}
	}
	return n.Activations
}

// builtNetwork is a network in a float64 graph of its own, which is embedded.
type builtNetwork struct {
	*graph.Builder
	params *graph.Params
	passes []*graph.Node // outputs of the passes
}

// buildNetwork builds the given passes of a network for the given number of rows. It returns an error if
// the network cannot be built or its outputs have a wrong shape.
func buildNetwork(n models.Network, a models.Architecture, rows int, passes ...graph.Pass) (builtNetwork, error) {
	params := new(graph.Params)
	b := builtNetwork{Builder: graph.New(graph.Float64, params), params: params}
	forward, err := n.Forward(b.Builder, rows, a)
	if err != nil {
		return b, err
	}
	for _, pass := range passes {
		b.passes = append(b.passes, forward(pass))
	}
	return b, b.Err()
}

// checkShapes builds the full network and sub-networks for several architectures. The error of
// models.Network.Forward says what is wrong with their outputs.
func checkShapes(n models.Network) Finding {
	const check = "shapes"
	for _, hidden := range [][]int{nil, {5}, {5, 4}, {4, 4, 4}, {3, 1, 2}} {
		if err := checkShapesWith(n, hidden); err != nil {
			return failedFinding(check, err)
		}
	}
	return Finding{Check: check, Status: Passed, Message: "[rows outputs], for all hidden layers; the full network has no masks, a sub-network only masks of its own pass"}
}

// checkShapesWith builds the network with the given hidden layers for all activations and several
// numbers of outputs and rows.
func checkShapesWith(n models.Network, hidden []int) error {
	for _, activation := range activationsOf(n) {
		for _, outputs := range []int{1, 2, 6} {
			for _, rows := range []int{1, 7} {
				a := smallArchitecture(n)
				a.Hidden = hidden
				a.Activation = activation
				a.Outputs = outputs
				if _, err := buildNetwork(n, a, rows, graph.Full, graph.Drop(0), graph.Drop(1)); err != nil {
					return fmt.Errorf("hidden layers %v, %d outputs, %d rows: %w", hidden, outputs, rows, err)
				}
			}
		}
	}
	return nil
}

// checkLayers counts the dropout masks of a sub-network with three hidden layers for each choice of
// layers that drop units: all, the last or none. It fails a network whose counts contradict the choice.
func checkLayers(n models.Network) Finding {
	const check = "layers"
	masks := make(map[models.Layers]int)
	for _, drop := range []models.Layers{models.AllLayers, models.LastLayer, models.NoLayers} {
		a := smallArchitecture(n)
		a.Hidden = []int{4, 4, 4}
		a.Drop = drop
		b, err := buildNetwork(n, a, smallBatchRows, graph.Drop(0))
		if err != nil {
			return failedFinding(check, err)
		}
		masks[drop] = countMasks(b)
	}
	all := masks[models.AllLayers]
	last := masks[models.LastLayer]
	none := masks[models.NoLayers]
	ignoresLast := last == all && all > 1 // a network with at most one mask cannot drop fewer
	if none > 0 || last > all || ignoresLast {
		return failedFinding(check, fmt.Errorf("of three hidden layers, %d drop units if all should, %d if the last should, and %d if none should: call Architecture.Drop.Drops", all, last, none))
	}
	return Finding{Check: check, Status: Passed, Message: fmt.Sprintf("%d masks if all hidden layers drop units, %d if the last does, none if none does", all, last)}
}

// countMasks returns the number of dropout masks in a network's graph.
func countMasks(b builtNetwork) int {
	masks := 0
	for _, node := range b.Graph().AllNodes() {
		role, _ := graph.Inspect(b.Builder).Role(node)
		if role == graph.Mask {
			masks++
		}
	}
	return masks
}

// checkParameters fails a network whose parameters or output differ from build to build, or with
// the number of rows and the passes.
func checkParameters(n models.Network) Finding {
	const check = "parameters"
	first, err := buildNetwork(n, smallArchitecture(n), smallBatchRows, graph.Full)
	if err != nil {
		return failedFinding(check, err)
	}
	builds := []struct {
		rows   int
		passes []graph.Pass
	}{
		{smallBatchRows, []graph.Pass{graph.Full, graph.Drop(0)}},
		{2, []graph.Pass{graph.Drop(3), graph.Full}},
	}
	for range 2 { // a network that iterates over a map may get the same order in the first builds
		for _, build := range builds {
			b, err := buildNetwork(n, smallArchitecture(n), build.rows, build.passes...)
			if err != nil {
				return failedFinding(check, err)
			}
			if !slices.Equal(first.params.List(), b.params.List()) {
				return failedFinding(check, fmt.Errorf("the full network for %d rows has the parameters %v, and with a sub-network, for %d rows, %v: want the same parameters", smallBatchRows, first.params.List(), build.rows, b.params.List()))
			}
			if build.rows == smallBatchRows && !graph.SameComputation(first.passes[0], b.passes[0]) {
				return failedFinding(check, errors.New("the network differs from build to build: draw random numbers only by Dropout's masks, and depend on no clock, generator, order of a map or earlier call"))
			}
		}
	}
	return sharingFinding(first.Builder, first.passes[0], fmt.Sprintf("the same %d parameters in every build, for all passes", len(first.params.List())))
}

// checkArchitecture notes other widths of the hidden layers that leave the network's parameters as they
// are. It fails on another activation that leaves the network as it is.
func checkArchitecture(n models.Network) Finding {
	const check = "architecture"
	first, err := buildNetwork(n, smallArchitecture(n), smallBatchRows, graph.Full)
	if err != nil {
		return failedFinding(check, err)
	}
	f := Finding{Check: check, Status: Passed, Message: "widths and activations change the network"}
	for _, hidden := range [][]int{{9, 4}, {5, 9}, {5, 4, 4}} { // first is built with 5, 4
		a := smallArchitecture(n)
		a.Hidden = hidden
		b, err := buildNetwork(n, a, smallBatchRows, graph.Full)
		if err != nil {
			return failedFinding(check, err)
		}
		if slices.Equal(first.params.List(), b.params.List()) {
			f.Status = Noted
			f.Message = "some widths of hidden layers have no effect on the network"
			f.Details = append(f.Details, fmt.Sprintf("%v has the parameters of %v", hidden, smallArchitecture(n).Hidden))
		}
	}
	for _, activation := range activationsOf(n)[1:] {
		a := smallArchitecture(n)
		a.Activation = activation
		b, err := buildNetwork(n, a, smallBatchRows, graph.Full)
		if err != nil {
			return failedFinding(check, err)
		}
		if graph.SameComputation(first.passes[0], b.passes[0]) {
			return failedFinding(check, fmt.Errorf("activation %s gives the same network as %s: leave Network.Activations empty unless the network uses them", activation, n.Activations[0]))
		}
	}
	return f
}

// squaredErrors returns a function that builds the sum of the mean squared errors of the full
// network and of a sub-network.
func squaredErrors(n models.Network, a models.Architecture, rows int) func(b *graph.Builder) (*graph.Node, error) {
	return func(b *graph.Builder) (*graph.Node, error) {
		forward, err := n.Forward(b, rows, a)
		if err != nil {
			return nil, err
		}
		y := b.Input(models.InputY, rows, a.OutputColumns())
		loss := b.Add(b.MSE(forward(graph.Full), y), b.MSE(forward(graph.Drop(0)), y))
		return loss, b.Err()
	}
}

// checkNetworkGradients compares gradients of squared errors with finite differences in float64.
func checkNetworkGradients(n models.Network, seed uint64) Finding {
	const check = "gradients"
	var c gradientComparison
	for _, activation := range activationsOf(n) {
		for s := seed; s < seed+seedsPerCase; s++ {
			a := smallArchitecture(n)
			a.Activation = activation
			description := fmt.Sprintf("activation %q, seed %d", activation, s)
			err := c.addCase(description, squaredErrors(n, a, smallBatchRows), gradcheck.Settings{Seed: s, MaxElements: comparedElements})
			if err != nil {
				return failedFinding(check, err)
			}
		}
	}
	return c.finding("every activation, both engines")
}

// checkNetworkKernels notes the slow operations of the network and its gradients.
func checkNetworkKernels(n models.Network) Finding {
	a := smallArchitecture(n)
	a.Hidden = []int{50, 50}
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := squaredErrors(n, a, kernelsBatch)(b)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	outputs := append(graph.Nodes{loss}, b.Gradients(loss)...)
	runner, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	defer runner.Close()
	return kernelsFinding(runner.Program())
}

package check

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
)

// untrainedOutputs returns the indices of the network's outputs, counted per target, that receive no
// gradient from the loss, in any pass and for any target. It adds a parameter of zeros to each
// pass and looks at the parameter's gradient.
func untrainedOutputs(s models.Spec, seed uint64) ([]int, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	probes := 0
	loss, err := s.LossWithNetwork(b, rows, func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			probes++
			name := fmt.Sprintf("%s%d", probeName, probes)
			return b.Add(f(pass), b.Param(name, 1, s.Architecture.Outputs, graph.Fill(0)))
		}
	})
	if err != nil {
		return nil, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, b.Gradients(loss)...)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	targets := s.Architecture.Targets
	isTrained := make([]bool, s.Architecture.Outputs/targets)
	for draw := seed; draw < seed+gradientDraws; draw++ {
		params.Initialise(draw)
		fillTypical(s, runner, draw)
		if err := runner.Run(); err != nil {
			return nil, err
		}
		for i, p := range params.List() {
			if !strings.HasPrefix(p.Name, probeName) {
				continue
			}
			for column, gradient := range runner.Output64(i) {
				if gradient != 0 {
					isTrained[column/targets] = true
				}
			}
		}
	}
	var untrained []int
	for output, trained := range isTrained {
		if !trained {
			untrained = append(untrained, output)
		}
	}
	return untrained, nil
}

// followsBuffer reports whether an output changes with a buffer that changes only untrained outputs,
// such as the covariance of the last layer's weights.
func followsBuffer(s models.Spec, output int, untrained []int, seed uint64) (bool, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward, err := s.Forward(b, rows)
	if err != nil {
		return false, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, forward(graph.Full))
	if err != nil {
		return false, err
	}
	defer runner.Close()
	params.Initialise(seed)
	fillTypical(s, runner, seed)
	if err := runner.Run(); err != nil {
		return false, err
	}
	before := slices.Clone(runner.Output64(0))
	for i, p := range params.List() {
		if !p.Buffer {
			continue
		}
		after, err := runWithOtherBuffer(runner, graph.ParamValues(params, params.Float64s(), i))
		if err != nil {
			return false, err
		}
		changed := changedOutputs(before, after, s.Architecture)
		changesTrained := slices.ContainsFunc(changed, func(o int) bool { return !slices.Contains(untrained, o) })
		if slices.Contains(changed, output) && !changesTrained {
			return true, nil
		}
	}
	return false, nil
}

// runWithOtherBuffer returns the output of a graph with 0.1 added to the values of a buffer, which
// keeps its values. The output is valid until the next run.
func runWithOtherBuffer(runner *graph.Runner, buffer []float64) ([]float64, error) {
	saved := slices.Clone(buffer)
	defer copy(buffer, saved)
	for i := range buffer {
		buffer[i] += 0.1
	}
	if err := runner.Run(); err != nil {
		return nil, err
	}
	return runner.Output64(0), nil
}

// changedOutputs returns the indices of the outputs, counted per target, that differ in any row.
func changedOutputs(before, after []float64, a models.Architecture) []int {
	var changed []int
	for i, v := range before {
		output := i % a.Outputs / a.Targets
		if after[i] != v && !slices.Contains(changed, output) {
			changed = append(changed, output)
		}
	}
	return changed
}

// predictorReads reports whether a prediction changes with an output of the network, whose index is
// counted per target.
func predictorReads(s models.Spec, output int) (bool, error) {
	const change = 0.07
	targets := s.Architecture.Targets
	outputsPerTarget := s.Architecture.OutputsPerTarget()
	isOutput := func(i int) bool { return i/targets%outputsPerTarget == output }
	return predictionChanges(s, func(outputs models.NetworkOutputs) {
		for _, values := range append([][]float32{outputs.Full}, outputs.Draws...) {
			for i := range values {
				if isOutput(i) {
					values[i] += change
				}
			}
		}
		for _, values := range [][]float64{outputs.Mean, outputs.Std} {
			for i := range values {
				if isOutput(i) {
					values[i] += change
				}
			}
		}
	})
}

// predictorReadsSubNetworks reports whether a prediction changes with the outputs of
// sub-networks.
func predictorReadsSubNetworks(s models.Spec) (bool, error) {
	const change = 0.07
	return predictionChanges(s, func(outputs models.NetworkOutputs) {
		for i := range outputs.Mean {
			outputs.Mean[i] += change
		}
		for i := range outputs.Std {
			outputs.Std[i] += 2 * change
		}
		for draw, values := range outputs.Draws {
			for i := range values {
				values[i] += float32(change * float32(1+draw%3)) // draws change by different amounts
			}
		}
	})
}

// predictionChanges reports whether predictions differ after edit has changed the outputs of a
// network.
func predictionChanges(s models.Spec, edit func(models.NetworkOutputs)) (bool, error) {
	before, err := tryPredictor(s, s.PlausibleOutputs(0, rows))
	if err != nil {
		return false, err
	}
	edited := s.PlausibleOutputs(0, rows)
	edit(edited)
	after, err := tryPredictor(s, edited)
	return !slices.Equal(before, after), err
}

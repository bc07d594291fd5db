package check

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
)

// untrainedOutputs returns the indices of the network's outputs, counted per target, that receive no
// gradient from the loss, in any pass and for any target. It sees the gradient of the outputs as the
// gradient of the probes that lossWithProbes adds to them. As a gradient may be 0 by chance, it looks at
// several draws of weights, rows and dropout masks.
func untrainedOutputs(s models.Spec, seed uint64) ([]int, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := lossWithProbes(s, b)
	if err != nil {
		return nil, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, b.Gradients(loss)...)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	targets := s.Architecture.Targets
	isTrained := make([]bool, s.Architecture.OutputsPerTarget())
	for draw := seed; draw < seed+gradientDraws; draw++ {
		params.Initialise(draw)
		fillTypical(s, runner, draw)
		if err := runner.Run(); err != nil {
			return nil, err
		}
		for i, p := range params.List() {
			if strings.HasPrefix(p.Name, probeName) {
				markTrained(isTrained, runner.Output64(i), targets)
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

// lossWithProbes builds the objective with a probe added to the output of each pass of the network: a
// parameter of zeros with a number for each column of the output. It changes no value, and its gradient
// is the gradient of the output, summed over the rows.
func lossWithProbes(s models.Spec, b *graph.Builder) (*graph.Node, error) {
	probes := 0
	return s.LossWithNetwork(b, smallBatchRows, func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			probes++
			name := fmt.Sprintf("%s%d", probeName, probes)
			return b.Add(f(pass), b.Param(name, 1, s.Architecture.Outputs, graph.Fill(0)))
		}
	})
}

// markTrained sets isTrained for each output whose gradient is not 0 for some target. gradient has an
// element for each column of the network's output: the first output of every target, then the second of
// every target, and so on.
func markTrained(isTrained []bool, gradient []float64, targets int) {
	for column, g := range gradient {
		if g != 0 {
			isTrained[column/targets] = true
		}
	}
}

// followsBuffer reports whether an untrained output is computed from a buffer: a matrix beside the weights
// that no optimizer moves, such as the covariance of the last layer's weights. It
// changes one buffer after the other. A buffer that changes trained outputs too, such as the mean of
// batch normalisation, does not count.
func followsBuffer(s models.Spec, output int, untrained []int, seed uint64) (bool, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward, err := s.Forward(b, smallBatchRows)
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
		buffer := graph.ParamValues(params, params.Float64s(), i)
		after, err := runWithOtherBuffer(runner, buffer)
		if err != nil {
			return false, err
		}
		changed := changedOutputs(before, after, s.Architecture)
		isTrained := func(output int) bool { return !slices.Contains(untrained, output) }
		if slices.Contains(changed, output) && !slices.ContainsFunc(changed, isTrained) {
			return true, nil
		}
	}
	return false, nil
}

// runWithOtherBuffer returns the output of a graph with 0.1 added to the values of a buffer. It restores
// the buffer before it returns. The output is valid until the next run.
func runWithOtherBuffer(runner *graph.Runner, buffer []float64) ([]float64, error) {
	original := slices.Clone(buffer)
	defer copy(buffer, original)
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
		column := i % a.Outputs
		output := column / a.Targets
		if after[i] != v && !slices.Contains(changed, output) {
			changed = append(changed, output)
		}
	}
	return changed
}

// outputChange is the number that is added to plausible outputs of a network to see whether a prediction
// depends on them. It is small, so that they stay plausible, and no round number, so that a change
// hardly ever cancels out.
const outputChange = 0.07

// predictorReads reports whether a prediction changes with an output of the network, whose index is
// counted per target. It changes the output everywhere: in the full network, in each sub-network, and in
// the mean and the standard deviation over sub-networks.
func predictorReads(s models.Spec, output int) (bool, error) {
	return predictionChanges(s, func(outputs models.NetworkOutputs) {
		changeOutput(outputs.Full, s.Architecture, output)
		for _, draw := range outputs.Draws {
			changeOutput(draw, s.Architecture, output)
		}
		changeOutput(outputs.Mean, s.Architecture, output)
		changeOutput(outputs.Std, s.Architecture, output)
	})
}

// changeOutput adds outputChange to the values of an output for all rows and targets. values has the
// rows of the network's output one after the other.
func changeOutput[F float32 | float64](values []F, a models.Architecture, output int) {
	for i := range values {
		if i/a.Targets%a.OutputsPerTarget() == output {
			values[i] += outputChange
		}
	}
}

// predictorReadsSubNetworks reports whether a prediction changes with the outputs of sub-networks: with
// their mean, their standard deviation or the single outputs. Each of these, and each sub-network,
// changes by a different amount, so that the changes do not cancel out.
func predictorReadsSubNetworks(s models.Spec) (bool, error) {
	return predictionChanges(s, func(outputs models.NetworkOutputs) {
		for i := range outputs.Mean {
			outputs.Mean[i] += outputChange
		}
		for i := range outputs.Std {
			outputs.Std[i] += 2 * outputChange
		}
		for draw, values := range outputs.Draws {
			factor := float32(1 + draw%3)
			for i := range values {
				values[i] += float32(outputChange * factor)
			}
		}
	})
}

// predictionChanges reports whether predictions from plausible outputs of a network differ after edit
// has changed these outputs.
func predictionChanges(s models.Spec, edit func(models.NetworkOutputs)) (bool, error) {
	before, err := tryPredictor(s, s.PlausibleOutputs(0, smallBatchRows))
	if err != nil {
		return false, err
	}
	edited := s.PlausibleOutputs(0, smallBatchRows)
	edit(edited)
	after, err := tryPredictor(s, edited)
	return !slices.Equal(before, after), err
}

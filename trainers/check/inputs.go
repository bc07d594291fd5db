package check

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// maxSensitivity is the largest allowed change of a network's input where a target changes by 1. An
// input made of targets changes by about 1, or by 1/rows if it is made of their mean. Adversarial
// inputs, which add the sign of a gradient, or a hundredth of the gradient, change by less.
const maxSensitivity = 0.03

// checkInputs fails an objective that gives the network inputs made of targets. A prediction has no
// targets, so a network that learns from them predicts badly. Inputs may depend on targets in another
// way, as adversarial inputs do: so the check changes targets a little, and measures how much the inputs
// change.
func checkInputs(s models.Spec, seed uint64) Finding {
	const check = "inputs"
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	var networkInputs graph.Nodes // of all calls of the network
	_, err := s.LossWithNetwork(b, smallBatchRows, func(x *graph.Node, f models.Forward) models.Forward {
		networkInputs = append(networkInputs, x)
		return f
	})
	if err != nil {
		return failedFinding(check, err)
	}
	var suspects graph.Nodes // inputs that depend on targets
	for _, x := range networkInputs {
		if graph.Inspect(b).DependsOn(x, models.InputY) {
			suspects = append(suspects, x)
		}
	}
	if len(suspects) == 0 {
		return Finding{Check: check, Status: Passed, Message: "the network gets no targets as inputs"}
	}
	runner, err := graph.NewRunner(graph.Compiled, b, suspects...)
	if err != nil {
		return failedFinding(check, err)
	}
	defer runner.Close()
	params.Initialise(seed)
	fillTypical(s, runner, seed)
	sensitivity, err := targetSensitivity(s, runner, len(suspects))
	if err != nil {
		return failedFinding(check, err)
	}
	f := Finding{Check: check, Status: Passed}
	f.Message = fmt.Sprintf("inputs of the network that depend on targets change by %.2g where a target changes by 1", sensitivity)
	if sensitivity > maxSensitivity {
		f.Status = Failed
		f.Message += ": a prediction has no targets"
	}
	return f
}

// targetSensitivity runs a graph twice, and changes the targets of the first row in between. It returns
// the largest change of any of the graph's outputs, divided by the change of the targets. The other rows
// keep their targets: if all targets changed alike, an output made of their differences would not
// change.
func targetSensitivity(s models.Spec, runner *graph.Runner, outputs int) (float64, error) {
	change := 1e-6 // so small that hardly any sign of a gradient flips
	m, err := models.Lookup(s.Method)
	if err == nil && (m.PredictsClasses() || m.Support == models.Counts) {
		change = 1 / s.TypicalTarget().Std // one class or count, standardised
	}
	if err := runner.Run(); err != nil {
		return 0, err
	}
	before := make([][]float64, outputs)
	for i := range before {
		before[i] = slices.Clone(runner.Output64(i))
	}
	for target := range s.Architecture.Targets {
		runner.Input64(models.InputY)[target] += change
	}
	if err := runner.Run(); err != nil {
		return 0, err
	}
	largest := 0.0
	for i, values := range before {
		for j, v := range values {
			largest = max(largest, math.Abs(runner.Output64(i)[j]-v)/change)
		}
	}
	return largest, nil
}

package check

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// seesTarget is how far an input may move where a target moves by 1. An input made of
// targets moves by about 1, and by 1/rows if it is made of their mean. Adversarial inputs,
// which take the sign of a gradient, or a hundredth of it, move by less.
const seesTarget = 0.03

// inputs looks for networks that see targets. A prediction has no targets, so a network that
// learns from them predicts badly.
func inputs(s models.Spec, seed uint64) Finding {
	const check = "inputs"
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	var all graph.Nodes
	_, err := s.LossOver(b, rows, func(x *graph.Node, f models.Forward) models.Forward {
		all = append(all, x)
		return f
	})
	if err != nil {
		return failedFinding(check, err)
	}
	var suspects graph.Nodes
	for _, x := range all {
		if graph.Inspect(b).DependsOn(x, models.InputY) {
			suspects = append(suspects, x)
		}
	}
	found := Finding{Check: check, Status: Passed, Says: "the network sees no targets"}
	if len(suspects) == 0 {
		return found
	}
	run, err := graph.NewRunner(graph.Compiled, b, suspects...)
	if err != nil {
		return failedFinding(check, err)
	}
	defer run.Close()
	params.Initialise(seed)
	typical(s, run, seed)
	moved, err := sensitivity(s, run, len(suspects))
	if err != nil {
		return failedFinding(check, err)
	}
	found.Says = fmt.Sprintf("inputs of the network that follow from targets move by %.2g where a target moves by 1", moved)
	if moved > seesTarget {
		found.Status = Failed
		found.Says += ": predictions have no targets"
	}
	return found
}

// sensitivity returns the largest change of any output of a graph, relative to a change of the
// first row's targets.
func sensitivity(s models.Spec, run *graph.Runner, outputs int) (float64, error) {
	step := 1e-6 // of a sign, which few targets change
	if m, err := models.Lookup(s.Method); err == nil && (m.ForClasses() || m.Support == models.Counts) {
		step = 1 / s.TypicalTarget().Std // one class or count
	}
	before := make([][]float64, outputs)
	for side := range 2 {
		if err := run.Run(); err != nil {
			return 0, err
		}
		if side == 0 {
			for i := range before {
				before[i] = append(before[i], run.Output64(i)...)
			}
			for target := range s.Architecture.Targets { // of one row, so that what follows from a batch's mean moves too
				run.Input64(models.InputY)[target] += step
			}
		}
	}
	moved := 0.0
	for i, values := range before {
		for j, v := range values {
			moved = max(moved, math.Abs(run.Output64(i)[j]-v)/step)
		}
	}
	return moved, nil
}

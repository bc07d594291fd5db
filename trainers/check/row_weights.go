package check

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// checkRowWeights notes terms of the loss that ignore the weights of rows: a term over rows has to
// depend on them, and must not change with the target of a row whose weight is 0. A term that
// compares rows with one another may do so and be right.
func checkRowWeights(s models.Spec, seed uint64) Finding {
	const check = "weights"
	s.Weighted = true
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := s.LossWithNetwork(b, smallBatchRows, nil)
	if err != nil {
		return failedFinding(check, err)
	}
	weighted, details := weightedTerms(b, lossTerms(b, loss))
	nodes := graph.Nodes{loss} // node 0; the value of weighted[i] is node 1+i
	for _, t := range weighted {
		nodes = append(nodes, t.Value)
	}
	runner, err := graph.NewRunner(graph.Compiled, b, nodes...)
	if err != nil {
		return failedFinding(check, err)
	}
	defer runner.Close()
	params.Initialise(seed)
	fillTypical(s, runner, seed)
	before, after, err := changeWeightlessRow(s, runner, len(nodes))
	if err != nil {
		return failedFinding(check, err)
	}
	for _, values := range [][]float64{before, after} {
		if math.IsNaN(values[0]) || math.IsInf(values[0], 0) {
			return notFiniteFinding(check, values[0])
		}
	}
	for i, t := range weighted {
		if before[1+i] != after[1+i] {
			details = append(details, fmt.Sprintf("term %q: a row of weight 0 has an effect", t.Name))
		}
	}
	if len(details) == 0 {
		return Finding{Check: check, Status: Passed, Message: "rows count by their weights, if they have any"}
	}
	return Finding{
		Check:   check,
		Status:  Noted,
		Message: "the loss ignores weights of rows, at least in part: take means over rows with Task.Mean or Task.MSE, not with the builder's Mean or MSE",
		Details: details,
	}
}

// weightedTerms returns the terms that depend on the weights of rows, and a line for each term that
// depends on rows but not on their weights.
func weightedTerms(b *graph.Builder, terms []graph.Term) (weighted []graph.Term, mistakes []string) {
	inspect := graph.Inspect(b)
	for _, t := range terms {
		switch {
		case inspect.DependsOn(t.Value, models.InputWeight):
			weighted = append(weighted, t)
		case inspect.DependsOn(t.Value, models.InputX), inspect.DependsOn(t.Value, models.InputY):
			mistakes = append(mistakes, fmt.Sprintf("term %q: weights have no effect", t.Name))
		}
	}
	return weighted, mistakes
}

// changeWeightlessRow sets the weight of the first row to 0, and runs a graph with two different targets
// of this row. It returns the values of the graph's outputs, which are single numbers, in both runs.
func changeWeightlessRow(s models.Spec, runner *graph.Runner, outputs int) (before, after []float64, err error) {
	weights := runner.Input64(models.InputWeight)
	if weights != nil { // the graph reads weights
		weights[0] = 0
	}
	before, err = runWithFirstTarget(s, runner, outputs, 1)
	if err != nil {
		return nil, nil, err
	}
	after, err = runWithFirstTarget(s, runner, outputs, -1)
	return before, after, err
}

// runWithFirstTarget runs a graph with a typical value, made from the standard normal number drawn,
// as each target of the first row. It returns the values of the graph's outputs, which are single
// numbers.
func runWithFirstTarget(s models.Spec, runner *graph.Runner, outputs int, drawn float64) ([]float64, error) {
	for target := range s.Architecture.Targets {
		runner.Input64(models.InputY)[target] = s.TypicalInput(models.InputY, target, drawn)
	}
	if err := runner.Run(); err != nil {
		return nil, err
	}
	values := make([]float64, outputs)
	for i := range values {
		values[i] = runner.Output64(i)[0]
	}
	return values, nil
}

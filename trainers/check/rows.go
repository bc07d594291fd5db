package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/models"
)

// buildForward adds a network for the given number of rows to a graph.
type buildForward func(b *graph.Builder, rows int) (models.Forward, error)

// checkRows fails a network whose output for a row depends on the other rows, in any of the given
// passes. A prediction must not depend on the rows that happen to be computed with it.
func checkRows(build buildForward, passes []graph.Pass, seed uint64) Finding {
	const check = "rows"
	for _, pass := range passes {
		if err := checkRowsOfPass(build, pass, seed); err != nil {
			return failedFinding(check, err)
		}
	}
	return Finding{Check: check, Status: Passed, Message: "the output of a row does not depend on other rows"}
}

// checkRowsOfPass runs a pass twice, with the same first row and other rows below, and returns an
// error if the output of the first row differs.
func checkRowsOfPass(build buildForward, pass graph.Pass, seed uint64) error {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward, err := build(b, smallBatchRows)
	if err != nil {
		return err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, forward(pass))
	if err != nil {
		return err
	}
	defer runner.Close()
	params.Initialise(seed)
	runner.SampleMasks(graph.MaskKey{Seed: seed})
	x := runner.Input64(models.InputX)
	rnd := rand.New(rand.NewPCG(seed, inputStream))

	fillNormal(x, rnd)
	if err := runner.Run(); err != nil {
		return err
	}
	output := runner.Output64(0)
	firstRow := slices.Clone(output[:len(output)/smallBatchRows])

	fillNormal(x[len(x)/smallBatchRows:], rnd) // the first row stays
	if err := runner.Run(); err != nil {
		return err
	}
	for i, v := range runner.Output64(0)[:len(firstRow)] {
		if math.Abs(v-firstRow[i]) > tolerance*math.Abs(v) {
			return fmt.Errorf("the %s gives %.6g for a row, and %.6g for the same row among other rows: keep values that are computed over a batch, such as its mean, in a buffer", passName(pass), firstRow[i], v)
		}
	}
	return nil
}

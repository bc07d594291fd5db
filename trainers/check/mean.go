package check

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// repetitions lists how many times a batch has every row in checkMean. Once is the reference, and must
// be first. Twice doubles a sum; sixteen times finds an objective that depends on the number of rows.
var repetitions = []struct {
	times int
	words string
}{
	{1, "once"},
	{2, "twice"},
	{16, "16 times"},
}

// checkMean notes a loss that is not a mean over the rows of a batch. It compares the loss of a batch
// with the loss of a batch that has the same rows several times: a mean stays the same, and a sum grows.
// A loss that compares rows with one another may change too, and need not be wrong.
func checkMean(s models.Spec, seed uint64) Finding {
	const check = "mean"
	params := new(graph.Params)
	var losses []float64
	for _, r := range repetitions {
		loss, err := lossOfRepeatedRows(s, params, r.times, seed)
		if err != nil {
			return failedFinding(check, err)
		}
		losses = append(losses, loss)
	}
	once := losses[0]
	for i, loss := range losses {
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return notFiniteFinding(check, loss)
		}
		if math.Abs(loss-once) > tolerance*math.Abs(once) {
			return Finding{Check: check, Status: Noted, Message: fmt.Sprintf(
				"the loss is %.4g, and %.4g for a batch with every row %s: a loss that is not a mean over rows, such as a sum, depends on the batch, also in the history and in validation", once, loss, repetitions[i].words)}
		}
	}
	return Finding{Check: check, Status: Passed, Message: "the loss is a mean over rows: a batch with every row twice has the same loss"}
}

// lossOfRepeatedRows returns the loss of a batch that has every row several times. All repetitions of
// a row have the same dropout masks.
func lossOfRepeatedRows(s models.Spec, params *graph.Params, times int, seed uint64) (float64, error) {
	b := graph.New(graph.Float64, params)
	node, err := s.Loss(b, smallBatchRows*times)
	if err != nil {
		return 0, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, node)
	if err != nil {
		return 0, err
	}
	defer runner.Close()
	params.Initialise(seed)
	batch, err := newBatch(s, smallBatchRows, seed)
	if err != nil {
		return 0, err
	}
	y := standardiseTargets(s, batch)
	for i := range times { // rows are stored one after the other
		copy(runner.Input64(models.InputX)[i*len(batch.X):], batch.X)
		copy(runner.Input64(models.InputY)[i*len(y):], y)
	}
	for _, name := range runner.Inputs() {
		if name == models.InputX || name == models.InputY {
			continue
		}
		values := runner.Input64(name)
		for i := range values {
			drawn := 0.5
			rowOfBatch := i % smallBatchRows
			if rowOfBatch%2 == 1 {
				drawn = -0.5
			}
			values[i] = s.TypicalInput(name, i, drawn)
		}
	}
	runner.SampleMasks(graph.MaskKey{Seed: seed, Shared: true})
	err = runner.Run()
	return runner.Output64(0)[0], err
}

package check

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

// averages compares the loss of a batch with that of the same rows several times, with
// the same masks in each row: a mean stays what it is. A sum is twice as large where
// they are there twice, and depends on the batch; what compares rows with one another
// may change too. Sixteen times finds what asks how many rows there are.
func averages(s models.Spec, seed uint64) Finding {
	const check = "mean"
	params := new(graph.Params)
	times := []int{1, 2, 16}
	loss := make([]float64, len(times))
	for i, times := range times {
		n := rows * times
		b := graph.New(graph.Float64, params)
		node, err := s.Loss(b, n)
		if err != nil {
			return failedFinding(check, err)
		}
		run, err := graph.NewRunner(graph.Compiled, b, node)
		if err != nil {
			return failedFinding(check, err)
		}
		params.Initialise(seed)
		once, err := batch(s, rows, seed)
		if err != nil {
			return failedFinding(check, err)
		}
		y := standardised(s, once)
		for from := range times {
			copy(run.Input64(models.InputX)[from*len(once.X):], once.X)
			copy(run.Input64(models.InputY)[from*len(y):], y)
		}
		for _, name := range run.Inputs() { // the others, row by row the same
			if values := run.Input64(name); name != models.InputX && name != models.InputY {
				for at := range values {
					values[at] = s.Typical(name, at, []float64{0.5, -0.5}[at%rows%2])
				}
			}
		}
		run.SampleMasks(graph.MaskKey{Seed: seed, Shared: true})
		err = run.Run()
		loss[i] = run.Output64(0)[0]
		run.Close()
		if err != nil {
			return failedFinding(check, err)
		}
	}
	for i, words := range []string{"", "twice", "16 times"} {
		switch {
		case math.IsNaN(loss[i]) || math.IsInf(loss[i], 0):
			return undecidedFinding(check, loss[i])
		case math.Abs(loss[i]-loss[0]) > tolerance*math.Abs(loss[0]):
			return Finding{Check: check, Status: Noted, Says: fmt.Sprintf(
				"the loss is %.4g, and %.4g where every row is there %s: what is no mean over rows, such as a sum, depends on the batch, also in the log and in validation", loss[0], loss[i], words)}
		}
	}
	return Finding{Check: check, Status: Passed, Says: "the loss is a mean over rows: that of a batch with every row twice is the same"}
}

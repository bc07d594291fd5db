package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

// blocks tells whether what each pass says of a row is the same beside other rows:
// predictions are made in blocks.
func blocks(forward func(b *graph.Builder, rows int) (models.Forward, error), passes []graph.Pass, seed uint64) Finding {
	const check = "rows"
	for _, pass := range passes {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		f, err := forward(b, rows)
		if err != nil {
			return failedFinding(check, err)
		}
		run, err := graph.NewRunner(graph.Compiled, b, f(pass))
		if err != nil {
			return failedFinding(check, err)
		}
		defer run.Close()
		params.Initialise(seed)
		run.SampleMasks(graph.MaskKey{Seed: seed})
		rnd := rand.New(rand.NewPCG(seed, inputStream))
		x := run.Input64(models.InputX)
		var first []float64
		for again := range 2 { // the second time, the first row stays
			for i := again * len(x) / rows; i < len(x); i++ {
				x[i] = portable.NormFloat64(rnd)
			}
			if err := run.Run(); err != nil {
				return failedFinding(check, err)
			}
			for o, v := range run.Output64(0)[:len(run.Output64(0))/rows] {
				if again > 0 && math.Abs(v-first[o]) > tolerance*math.Abs(v) {
					return failedFinding(check, fmt.Errorf("the %s says %.6g of a row, and %.6g beside other rows: predictions are made in blocks of any rows, so what is computed over a batch, such as its mean, is kept in a buffer", passName(pass), first[o], v))
				}
			}
			first = slices.Clone(run.Output64(0))
		}
	}
	return Finding{Check: check, Status: Passed, Says: "the output of a row does not depend on other rows"}
}

package check

import (
	"context"
	"errors"
	"math"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// checkDeterminism trains twice with one seed, the second time with more goroutines, and fails
// unless all weights and stored matrices have the same bytes.
func checkDeterminism(s models.Spec, seed uint64) Finding {
	const check = "determinism"
	rows, err := newBatch(s, 50, seed)
	if err != nil {
		return failedFinding(check, err)
	}
	first, err := trainBriefly(s, rows, seed, 1) // one goroutine
	if err != nil {
		return failedFinding(check, err)
	}
	second, err := trainBriefly(s, rows, seed, 3) // three goroutines
	if err != nil {
		return failedFinding(check, err)
	}
	f := Finding{Check: check, Status: Passed, Message: "the same seed gives the same weights, byte for byte"}
	secondWeights := second.Members[0].Float32s()
	for i, v := range first.Members[0].Float32s() {
		w := secondWeights[i]
		if math.Float32bits(v) != math.Float32bits(w) { // unlike v != w, it tells 0 from −0, and finds equal NaNs equal
			f.Status = Failed
			f.Message = "two trainings with the same seed give different weights: draw random numbers only by masks, and keep no state in the objective"
			f.Details = append(f.Details, parameterValue(first.Members[0], i, v)+", and the second time "+formatFloat32(w))
			break
		}
	}
	if first.Stored != nil && !models.EqualMatrices(first.Stored[0], second.Stored[0]) {
		f.Status = Failed
		f.Message = "two trainings with the same seed store different matrices: AfterStep and AfterTraining must keep nothing between calls, and must not depend on a clock, a generator or the order of a map"
	}
	return f
}

// trainBriefly trains one network for three epochs, and shares its large steps among the given number
// of goroutines.
func trainBriefly(s models.Spec, rows data.Subset, seed uint64, threads int) (*trainers.Result, error) {
	settings := trainers.Settings{
		Epochs:   3,
		Batch:    16,
		Protocol: data.Sound,
		Members:  1,
		Seed:     seed,
	}
	return trainers.Train(context.Background(), s, rows, settings, trainers.Options{Workers: 1, Threads: threads})
}

// checkRebuilding builds the objective after all other checks, and fails if its loss differs from
// the loss of the first build. An objective that counts its calls, or reads a clock, may give the
// same loss in the first few builds.
func checkRebuilding(s models.Spec, firstLoss *graph.Node) Finding {
	const check = "determinism"
	loss, err := s.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	if err != nil {
		return failedFinding(check, err)
	}
	if !graph.SameComputation(firstLoss, loss) {
		return failedFinding(check, errors.New("the objective has changed since the first of these checks: it must keep nothing between calls, and read no clock"))
	}
	return Finding{Check: check, Status: Passed}
}

package check

import (
	"context"
	"errors"
	"math"

	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// deterministic trains twice with one seed, the second time with more goroutines, and compares
// bytes.
func deterministic(s models.Spec, seed uint64) Finding {
	const check = "determinism"
	f := Finding{Check: check, Status: Passed, Says: "the same seed gives the same weights, byte for byte"}
	data, err := batch(s, 50, seed)
	if err != nil {
		return failedFinding(check, err)
	}
	var results [2]*trainers.Result
	for i := range results {
		var err error
		results[i], err = trainers.Train(context.Background(), s, data, trainers.Settings{Epochs: 3, Batch: 16, Protocol: "sound", Members: 1, Seed: seed}, trainers.Options{Workers: 1, Threads: 1 + 2*i})
		if err != nil {
			return failedFinding(check, err)
		}
	}
	first, second := results[0].Members[0], results[1].Members[0]
	for i, v := range first.Float32s() {
		if w := second.Float32s()[i]; math.Float32bits(v) != math.Float32bits(w) {
			f.Status = Failed
			f.Says = "two trainings with one seed differ: take randomness from masks, and keep no state in the objective"
			f.Details = append(f.Details, place(first, i, v)+", and the second time "+number(w))
			break
		}
	}
	if first, second := results[0].Stored, results[1].Stored; first != nil && !models.SameStored(first[0], second[0]) {
		f.Status = Failed
		f.Says = "two trainings with one seed store other matrices behind the training: let AfterStep and AfterTraining keep nothing between calls, and take nothing from a clock, a generator or the order of a map"
	}
	return f
}

// rebuilt tells whether the objective is still what it was before all other checks: what
// counts its calls, or looks at a clock, may be the same in a few builds.
func rebuilt(s models.Spec, first *graph.Node) Finding {
	const check = "determinism"
	again, err := s.Loss(graph.New(graph.Float32, new(graph.Params)), rows)
	if err != nil {
		return failedFinding(check, err)
	}
	if !graph.Same(first, again) {
		return failedFinding(check, errors.New("the objective is another one than before these checks: let it keep nothing between calls, and look at no clock"))
	}
	return Finding{Check: check, Status: Passed}
}

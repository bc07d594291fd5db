package check

import (
	"context"
	"math"

	"sml/models"
	"sml/trainers"
)

// deterministic trains twice with one seed and compares bytes.
func deterministic(s models.Spec, seed uint64) Finding {
	const check = "determinism"
	f := Finding{Check: check, Status: Passed, Says: "the same seed gives the same weights, byte for byte"}
	data := batch(s, 50, seed)
	var results [2]*trainers.Result
	for i := range results {
		var err error
		results[i], err = trainers.Train(context.Background(), s, data, trainers.Settings{Epochs: 3, Batch: 16, Protocol: "sound", Members: 1, Seed: seed}, trainers.Options{Workers: 1})
		if err != nil {
			return failed(check, err)
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
	return f
}

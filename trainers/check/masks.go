package check

import (
	"sml/graph"
	"sml/models"
)

// masks tells whether the loss changes with the masks of the sub-networks that the
// objective asks for.
func masks(s models.Spec, seed uint64) Finding {
	const check = "sub-networks"
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := s.Loss(b, rows)
	if err != nil {
		return failed(check, err)
	}
	run, err := graph.NewRunner(graph.Compiled, b, loss)
	if err != nil {
		return failed(check, err)
	}
	defer run.Close()
	params.Initialise(seed)
	typical(s, run, seed)
	const draws = 5 // two may keep the same units
	var first float64
	for draw := range uint32(draws) {
		run.SampleMasks(graph.MaskKey{Seed: seed, Step: draw})
		if err := run.Run(); err != nil {
			return failed(check, err)
		}
		if v := run.Output64(0)[0]; v-v != 0 {
			return untold(check, v)
		} else if draw == 0 {
			first = v
		} else if v != first {
			return Finding{Check: check, Status: Passed, Says: "the loss changes with the masks of the sub-networks"}
		}
	}
	return Finding{Check: check, Status: Failed, Says: "the objective runs sub-networks, and the loss is the same whatever they drop: Forward(graph.Drop(…)) has no effect"}
}

package check

import (
	"sml/graph"
	"sml/models"
)

// dropsOutputs tells whether a sub-network drops what the network says: outputs that are
// 0 to the last bit.
func dropsOutputs(s models.Spec, seed uint64) (bool, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	f, err := s.Forward(b, rows)
	if err != nil {
		return false, err
	}
	full, sub := f(graph.Full), f(graph.Drop(0))
	if err := b.Err(); err != nil {
		return false, err
	}
	run, err := graph.NewRunner(graph.Compiled, b, full, sub)
	if err != nil {
		return false, err
	}
	defer run.Close()
	for draw := seed; draw < seed+5; draw++ { // few outputs are dropped at a time
		params.Initialise(draw)
		typical(s, run, draw)
		if err := run.Run(); err != nil {
			return false, err
		}
		for i, v := range run.Output64(1) {
			if v == 0 && run.Output64(0)[i] != 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// masks tells whether the loss changes with the masks of the sub-networks that the
// objective asks for.
func masks(s models.Spec, seed uint64) Finding {
	const check = "sub-networks"
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := s.Loss(b, rows)
	if err != nil {
		return failedFinding(check, err)
	}
	run, err := graph.NewRunner(graph.Compiled, b, loss)
	if err != nil {
		return failedFinding(check, err)
	}
	defer run.Close()
	params.Initialise(seed)
	typical(s, run, seed)
	const draws = 5 // two may keep the same units
	var first float64
	for draw := range uint32(draws) {
		run.SampleMasks(graph.MaskKey{Seed: seed, Step: draw})
		if err := run.Run(); err != nil {
			return failedFinding(check, err)
		}
		if v := run.Output64(0)[0]; v-v != 0 {
			return undecidedFinding(check, v)
		} else if draw == 0 {
			first = v
		} else if v != first {
			f := Finding{Check: check, Status: Passed, Says: "the loss changes with the masks of the sub-networks"}
			switch dropped, err := dropsOutputs(s, seed); {
			case err != nil:
				return failedFinding(check, err)
			case dropped:
				f.Status = Noted
				f.Says += ", which drop the network's outputs themselves: those of hidden units are dropped before the last layer"
			}
			return f
		}
	}
	return Finding{Check: check, Status: Failed, Says: "the objective runs sub-networks, and the loss is the same whatever they drop: Forward(graph.Drop(…)) has no effect"}
}

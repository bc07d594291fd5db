package check

import (
	"math"

	"sml/graph"
	"sml/models"
)

// maskDraws is the number of dropout masks to draw: two of them may happen to be equal.
const maskDraws = 5

// checkMasks fails an objective that runs sub-networks if its loss is the same for all dropout masks. It
// notes a network whose masks drop outputs, not only hidden units.
func checkMasks(s models.Spec, seed uint64) Finding {
	const check = "sub-networks"
	losses, err := lossesOfMasks(s, seed)
	if err != nil {
		return failedFinding(check, err)
	}
	changes := false
	for _, loss := range losses {
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return notFiniteFinding(check, loss)
		}
		if loss != losses[0] {
			changes = true
			break
		}
	}
	if !changes {
		return Finding{Check: check, Status: Failed, Message: "the objective runs sub-networks, and its loss is the same for all masks: Forward(graph.Drop(…)) has no effect"}
	}
	f := Finding{Check: check, Status: Passed, Message: "the loss changes with the masks of the sub-networks"}
	dropped, err := dropsOutputs(s, seed)
	if err != nil {
		return failedFinding(check, err)
	}
	if dropped {
		f.Status = Noted
		f.Message += ", which also drop outputs of the network: drop hidden units before the last layer instead"
	}
	return f
}

// lossesOfMasks returns the loss of the same rows with several dropout masks.
func lossesOfMasks(s models.Spec, seed uint64) ([]float64, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss, err := s.Loss(b, smallBatchRows)
	if err != nil {
		return nil, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, loss)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	params.Initialise(seed)
	fillTypical(s, runner, seed)
	var losses []float64
	for draw := range uint32(maskDraws) {
		runner.SampleMasks(graph.MaskKey{Seed: seed, Step: draw})
		if err := runner.Run(); err != nil {
			return nil, err
		}
		losses = append(losses, runner.Output64(0)[0])
	}
	return losses, nil
}

// dropsOutputs reports whether a sub-network drops outputs of the network instead of hidden units: an
// output is then exactly 0 where the full network's is not, which does not happen by chance.
func dropsOutputs(s models.Spec, seed uint64) (bool, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward, err := s.Forward(b, smallBatchRows)
	if err != nil {
		return false, err
	}
	full := forward(graph.Full)
	sub := forward(graph.Drop(0))
	if err := b.Err(); err != nil {
		return false, err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, full, sub)
	if err != nil {
		return false, err
	}
	defer runner.Close()
	for draw := seed; draw < seed+maskDraws; draw++ { // a single mask may drop no output
		params.Initialise(draw)
		fillTypical(s, runner, draw)
		if err := runner.Run(); err != nil {
			return false, err
		}
		fullOutputs := runner.Output64(0)
		for i, v := range runner.Output64(1) { // the sub-network's
			if v == 0 && fullOutputs[i] != 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

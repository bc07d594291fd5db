package check

import (
	"errors"
	"fmt"
	"slices"

	"sml/graph"
	"sml/models"
)

// members compares an ensemble of one with the method that it is said to be: the
// same objective on the same network, and the same prediction.
func members(s models.Spec, m models.Method) Finding {
	const check = "members"
	if m.Member == "" {
		return Finding{Check: check, Status: Passed, Says: "a single member has no name of its own"}
	}
	if _, err := models.Lookup(m.Member); err != nil {
		return failedFinding(check, fmt.Errorf("a single member is to be a method: %w", err))
	}
	a := s.Architecture
	a.Network, a.Drop = "", "" // as the method has them
	alone, err := models.NewSpec(m.Member, s.Hyperparameters, a)
	if err != nil {
		return failedFinding(check, err)
	}
	var losses []*graph.Node
	for _, spec := range []models.Spec{s, alone} {
		loss, err := spec.Loss(graph.New(graph.Float32, new(graph.Params)), rows)
		if err != nil {
			return failedFinding(check, err)
		}
		losses = append(losses, loss)
	}
	if !graph.Same(losses[0], losses[1]) {
		return failedFinding(check, fmt.Errorf("a single member has another objective than method %s, which it is said to be", m.Member))
	}
	p, err := tryPredictor(s, s.Plausible(0, rows))
	q, err2 := tryPredictor(alone, s.Plausible(0, rows))
	if err := errors.Join(err, err2); err != nil {
		return failedFinding(check, err)
	}
	if !slices.Equal(p, q) {
		return failedFinding(check, fmt.Errorf("a single member predicts %v where method %s, which it is said to be, predicts %v", p, m.Member, q))
	}
	return Finding{Check: check, Status: Passed, Says: "an ensemble of one is " + m.Member}
}

// tryPredictor returns the values of the predictions of one network.
func tryPredictor(s models.Spec, said models.NetworkOutputs) ([]float64, error) {
	p, err := s.NewPredictor(models.PredictionOptions{Rows: rows, Draws: len(said.Draws)})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	values, err := p.Run(said, rows)
	return slices.Clone(values), err
}

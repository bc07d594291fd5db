package check

import (
	"fmt"
	"slices"

	"sml/graph"
	"sml/models"
)

// checkMembers fails an ensemble whose Method.MemberMethod names a method that computes another loss or
// other predictions than a single member of the ensemble: a study that trains the ensemble reports its
// first member under this name.
func checkMembers(s models.Spec, m models.Method) Finding {
	const check = "members"
	if m.MemberMethod == "" {
		return Finding{Check: check, Status: Passed, Message: "a single member has no name of its own"}
	}
	if _, err := models.Lookup(m.MemberMethod); err != nil {
		return failedFinding(check, fmt.Errorf("Method.MemberMethod must name a method: %w", err))
	}
	a := s.Architecture
	a.Network, a.Drop = "", "" // the defaults of the member's method
	memberSpec, err := models.NewSpec(m.MemberMethod, s.Hyperparameters, a)
	if err != nil {
		return failedFinding(check, err)
	}
	loss, err := s.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	if err != nil {
		return failedFinding(check, err)
	}
	memberLoss, err := memberSpec.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	if err != nil {
		return failedFinding(check, err)
	}
	if !graph.SameComputation(loss, memberLoss) {
		return failedFinding(check, fmt.Errorf("a single member has a different objective from method %s, which Method.MemberMethod names", m.MemberMethod))
	}
	predictions, err := tryPredictor(s, s.PlausibleOutputs(0, smallBatchRows))
	if err != nil {
		return failedFinding(check, err)
	}
	memberPredictions, err := tryPredictor(memberSpec, s.PlausibleOutputs(0, smallBatchRows))
	if err != nil {
		return failedFinding(check, err)
	}
	if !slices.Equal(predictions, memberPredictions) {
		return failedFinding(check, fmt.Errorf("a single member predicts %v; method %s, which Method.MemberMethod names, predicts %v", predictions, m.MemberMethod, memberPredictions))
	}
	return Finding{Check: check, Status: Passed, Message: "an ensemble of one is " + m.MemberMethod}
}

// tryPredictor returns the values of the predictions that the predictor makes of a network's
// outputs.
func tryPredictor(s models.Spec, outputs models.NetworkOutputs) ([]float64, error) {
	p, err := s.NewPredictor(models.PredictionOptions{Rows: smallBatchRows, Draws: len(outputs.Draws)})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	values, err := p.Run(outputs, smallBatchRows)
	return slices.Clone(values), err
}

package check

import (
	"fmt"
	"maps"
	"strings"

	"sml/graph"
	"sml/models"
)

// checkHyperparameters notes hyperparameters that neither the objective nor the predictor reads,
// whatever its switches are set to: they have no effect.
func checkHyperparameters(s models.Spec, m models.Method) Finding {
	const check = "settings"
	var unread []string
	for _, h := range m.Hyperparameters {
		if !readsHyperparameter(s, m, h.Name) {
			unread = append(unread, h.Name)
		}
	}
	if len(unread) == 0 {
		return Finding{Check: check, Status: Passed}
	}
	return Finding{Check: check, Status: Noted, Message: fmt.Sprintf(
		"nothing reads the hyperparameter %s: read it with Task.Float, On, Text, Scalar, Term or Moments, or remove it", strings.Join(unread, ", "))}
}

// readsHyperparameter reports whether the objective or the predictor reads a hyperparameter. Reading a
// hyperparameter that is missing is an error, so it leaves it out and looks for an error: with the
// other hyperparameters as they are, and with each switch set to its other value, as a switch may
// decide whether the hyperparameter is read.
func readsHyperparameter(s models.Spec, m models.Method, name string) bool {
	if failsWithout(s, name) {
		return true
	}
	for _, h := range m.Hyperparameters {
		if !h.IsSwitch() || h.Name == name {
			continue
		}
		flipped := s
		flipped.Hyperparameters = maps.Clone(s.Hyperparameters)
		flipped.Hyperparameters[h.Name] = 1 - s.Hyperparameters.Float(h.Name) // a switch is 0 or 1
		if failsWithout(flipped, name) {
			return true
		}
	}
	return false
}

// failsWithout reports whether the objective or the predictor can be built, but not without the named
// hyperparameter.
func failsWithout(s models.Spec, name string) bool {
	_, err := s.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	if err != nil {
		return false // it fails with the hyperparameter too
	}
	without := s
	without.Hyperparameters = maps.Clone(s.Hyperparameters)
	delete(without.Hyperparameters, name)
	if _, err := without.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows); err != nil {
		return true
	}
	_, _, err = without.PredictedFamily(1, nil)
	return err != nil
}

package check

import (
	"fmt"
	"maps"
	"strings"

	"sml/graph"
	"sml/models"
)

// unread looks for hyperparameters that nothing asks for, neither the objective nor the
// predictor, whatever its switches say: to set one would change nothing.
func unread(s models.Spec, m models.Method) Finding {
	const check = "settings"
	var names []string
	for _, h := range m.Hyperparameters {
		if !read(s, m, h.Name) {
			names = append(names, h.Name)
		}
	}
	if len(names) > 0 {
		return Finding{Check: check, Status: Noted, Says: fmt.Sprintf("nothing reads the hyperparameter %s: Task.Float, On, Text, Scalar, Term or Moments would", strings.Join(names, ", "))}
	}
	return Finding{Check: check, Status: Passed}
}

// read reports whether the objective, or the predictor, cannot do without a hyperparameter.
func read(s models.Spec, m models.Method, name string) bool {
	flips := []string{""} // switches that are the other way round, each by itself
	for _, h := range m.Hyperparameters {
		if h.Switch() && h.Name != name {
			flips = append(flips, h.Name)
		}
	}
	for _, flip := range flips {
		tried := s
		tried.Hyperparameters = maps.Clone(s.Hyperparameters)
		if flip != "" {
			tried.Hyperparameters[flip] = 1 - s.Hyperparameters.Float(flip)
		}
		if _, err := tried.Loss(graph.New(graph.Float32, new(graph.Params)), rows); err != nil {
			continue // it says nothing without that hyperparameter either
		}
		delete(tried.Hyperparameters, name)
		if _, err := tried.Loss(graph.New(graph.Float32, new(graph.Params)), rows); err != nil {
			return true
		}
		if _, _, err := tried.Predicted(1, nil); err != nil {
			return true
		}
	}
	return false
}

package evaluation

import (
	"fmt"

	"sml/models"
)

// MomentSource says where the mean and the standard deviation over the sub-networks of a network come from.
type MomentSource string

const (
	SampledMoments  MomentSource = ""         // Sampling.Samples sub-networks
	AnalyticMoments MomentSource = "analytic" // graph.Builder.DropoutMoments: all sub-networks, without drawing any
)

// check returns an error if there is no such source of moments, or if it does not fit the model.
func (s MomentSource) check(m *models.Model, method models.Method) error {
	if err := s.CheckMethod(method); err != nil {
		return err
	}
	if s == AnalyticMoments && m.SubNetworks(0).Len() > 0 {
		return s.unfit(method, "stores its sub-networks with the model, which have no dropout masks")
	}
	return nil
}

// CheckMethod returns an error if there is no such source of moments, or if the method needs more of the sub-networks
// than their mean and standard deviation.
func (s MomentSource) CheckMethod(method models.Method) error {
	switch {
	case s == SampledMoments:
		return nil
	case s != AnalyticMoments:
		return fmt.Errorf("unknown moments %q; want %s, or \"\" for sampled", s, AnalyticMoments)
	case method.UsesEachDraw:
		return s.unfit(method, "uses the outputs of each sub-network, and not only their mean and standard deviation")
	}
	return nil
}

// unfit returns the error for a method that cannot have these moments for a reason.
func (s MomentSource) unfit(method models.Method, reason string) error {
	return fmt.Errorf("moments %s: method %s %s; want sampled moments", s, method.Name, reason)
}

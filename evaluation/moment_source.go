package evaluation

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
)

// MomentSource says where the mean and the standard deviation over the sub-networks of a network come from.
type MomentSource string

const (
	SampledMoments  MomentSource = ""         // Sampling.Samples sub-networks
	AnalyticMoments MomentSource = "analytic" // graph.Builder.DropoutMoments: all sub-networks, without drawing any
)

// MomentNames returns the names of the sources of moments, the default first.
func MomentNames() []string { return []string{"sampled", string(AnalyticMoments)} }

// ParseMoments returns the source of moments with the given name, or the default for "". The error for an unknown name
// lists the names.
func ParseMoments(name string) (MomentSource, error) {
	switch name {
	case "", MomentNames()[0]:
		return SampledMoments, nil
	case string(AnalyticMoments):
		return AnalyticMoments, nil
	}
	return "", fmt.Errorf("unknown moments %q; want one of %s", name, strings.Join(MomentNames(), ", "))
}

// Check returns an error if there is no such source of moments, or if predictions of a model cannot have it: the method
// needs more of the sub-networks than their mean and standard deviation, or stores sub-networks with the model, which have
// no dropout masks, or the network has an operation whose moments are not known.
func (s MomentSource) Check(spec models.Spec) error {
	if source, err := ParseMoments(string(s)); err != nil || source == SampledMoments {
		return err
	}
	method, err := models.Lookup(spec.Method)
	if err != nil || !method.UsesSubNetworks() {
		return err
	}
	if method.SubNetworks == models.EachSubNetwork {
		return fmt.Errorf("no analytic moments: method %s uses the outputs of each sub-network, not only their mean and standard deviation", method.Name)
	}
	addsSubNetworks, err := spec.AddsSubNetworks()
	if err != nil {
		return err
	}
	if addsSubNetworks {
		return fmt.Errorf("no analytic moments: method %s stores its sub-networks with the model, and they have no dropout masks", method.Name)
	}
	const anyRows = 2
	b := graph.New(graph.Float32, nil)
	forward, err := spec.Forward(b, anyRows)
	if err != nil {
		return err
	}
	b.DropoutMoments(forward(graph.Drop(0)))
	if b.Err() != nil {
		return fmt.Errorf("no analytic moments: %w", b.Err())
	}
	return nil
}

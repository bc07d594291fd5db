package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// chooseWith divides the chosen hyperparameters between the method and its network n. It returns those
// of the method, and the network's together with a.Hyperparameters as the architecture's, both with
// defaults for the others. It returns an error if neither has a chosen hyperparameter, if both have one
// of the same name, or if a value is not allowed.
func (m Method) chooseWith(n Network, chosen Hyperparameters, a Architecture) (Hyperparameters, Architecture, error) {
	ofMethod := maps.Clone(chosen)
	ofNetwork := maps.Clone(a.Hyperparameters)
	for _, h := range n.Hyperparameters {
		if slices.Contains(hyperparameterNames(m.Hyperparameters), h.Name) {
			return nil, a, fmt.Errorf("method %s and network %s both have a hyperparameter %q: choose another network", m.Name, n.Name, h.Name)
		}
		value, isChosen := ofMethod[h.Name]
		if !isChosen {
			continue
		}
		if ofNetwork == nil {
			ofNetwork = make(Hyperparameters)
		}
		ofNetwork[h.Name] = value
		delete(ofMethod, h.Name)
	}
	var err error
	a.Hyperparameters, err = n.Choose(ofNetwork)
	if err != nil {
		return nil, a, err
	}
	if len(n.Hyperparameters) > 0 { // otherwise ChooseHyperparameters reports unknown names
		names := hyperparameterNames(m.AllHyperparameters(n.Name))
		for name := range ofMethod {
			if !slices.Contains(names, name) {
				return nil, a, fmt.Errorf("neither method %s nor network %s has a hyperparameter %q; want one of %s", m.Name, n.Name, name, strings.Join(names, ", "))
			}
		}
	}
	h, err := m.Choose(ofMethod)
	return h, a, err
}

// AllHyperparameters returns the hyperparameters of the method and of the network that it trains. An
// empty name stands for the method's default network.
func (m Method) AllHyperparameters(network string) []Hyperparameter {
	n, err := LookupNetwork(cmp.Or(network, m.Network))
	if err != nil {
		return m.Hyperparameters
	}
	return slices.Concat(m.Hyperparameters, n.Hyperparameters)
}

// CheckHyperparameters returns an error unless chosen are hyperparameters, with allowed values, of the
// method or of the network that it trains. An empty name stands for the method's default network.
func (m Method) CheckHyperparameters(network string, chosen Hyperparameters) error {
	n, err := LookupNetwork(cmp.Or(network, m.Network))
	if err != nil {
		return err
	}
	_, _, err = m.chooseWith(n, chosen, Architecture{})
	return err
}

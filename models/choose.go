package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// chooseWith divides chosen between the method and its network n, whose values it adds to
// the architecture, and returns the method's hyperparameters.
func (m Method) chooseWith(n Network, chosen Hyperparameters, a *Architecture) (Hyperparameters, error) {
	own := maps.Clone(chosen)
	network := maps.Clone(a.Hyperparameters)
	for _, h := range n.Hyperparameters {
		if slices.Contains(names(m.Hyperparameters), h.Name) {
			return nil, fmt.Errorf("method %s and network %s both have a hyperparameter %q: choose another network", m.Name, n.Name, h.Name)
		}
		v, ok := own[h.Name]
		if !ok {
			continue
		}
		if network == nil {
			network = make(Hyperparameters)
		}
		network[h.Name] = v
		delete(own, h.Name)
	}
	var err error
	if a.Hyperparameters, err = n.Choose(network); err != nil {
		return nil, err
	}
	for name := range own {
		if known := names(m.AllHyperparameters(n.Name)); len(n.Hyperparameters) > 0 && !slices.Contains(known, name) {
			return nil, fmt.Errorf("neither method %s nor network %s has a hyperparameter %q: there is %s", m.Name, n.Name, name, strings.Join(known, ", "))
		}
	}
	return m.Choose(own)
}

// AllHyperparameters returns the hyperparameters of the method and of the network that it
// trains, "" for the method's own.
func (m Method) AllHyperparameters(network string) []Hyperparameter {
	n, err := LookupNetwork(cmp.Or(network, m.Network))
	if err != nil {
		return m.Hyperparameters
	}
	return slices.Concat(m.Hyperparameters, n.Hyperparameters)
}

// CheckHyperparameters returns an error unless chosen are hyperparameters of the method or
// of the network that it trains, "" for the method's own.
func (m Method) CheckHyperparameters(network string, chosen Hyperparameters) error {
	n, err := LookupNetwork(cmp.Or(network, m.Network))
	if err == nil {
		_, err = m.chooseWith(n, chosen, new(Architecture))
	}
	return err
}

package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// divideHyperparameters divides chosen, the hyperparameters that a user chose by name, between the
// method and its network n. chosenForNetwork are those that are known to be the network's. It returns the
// hyperparameters of both, with defaults where none is chosen. It returns an error if neither has a
// chosen hyperparameter, if both have one of the same name, or if a value is not allowed.
func (m Method) divideHyperparameters(n Network, chosen, chosenForNetwork Hyperparameters) (ofMethod, ofNetwork Hyperparameters, err error) {
	chosenForMethod := maps.Clone(chosen)
	chosenForNetwork = maps.Clone(chosenForNetwork)
	for _, h := range n.Hyperparameters {
		if slices.Contains(hyperparameterNames(m.Hyperparameters), h.Name) {
			return nil, nil, fmt.Errorf("method %s and network %s both have a hyperparameter %q: choose another network", m.Name, n.Name, h.Name)
		}
		value, isChosen := chosenForMethod[h.Name]
		if !isChosen {
			continue
		}
		if chosenForNetwork == nil {
			chosenForNetwork = make(Hyperparameters)
		}
		chosenForNetwork[h.Name] = value
		delete(chosenForMethod, h.Name)
	}
	ofNetwork, err = n.Choose(chosenForNetwork)
	if err != nil {
		return nil, nil, err
	}
	if err := m.checkNames(n, chosenForMethod); err != nil {
		return nil, nil, err
	}
	ofMethod, err = m.Choose(chosenForMethod)
	return ofMethod, ofNetwork, err
}

// checkNames returns an error, which lists the names of both, if a chosen hyperparameter belongs neither
// to the method nor to the network. If the network has no hyperparameters it checks nothing: Method.Choose
// then reports unknown names.
func (m Method) checkNames(n Network, chosen Hyperparameters) error {
	if len(n.Hyperparameters) == 0 {
		return nil
	}
	names := hyperparameterNames(m.AllHyperparameters(n.Name))
	for name := range chosen {
		if !slices.Contains(names, name) {
			return fmt.Errorf("neither method %s nor network %s has a hyperparameter %q; want one of %s", m.Name, n.Name, name, strings.Join(names, ", "))
		}
	}
	return nil
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
	_, _, err = m.divideHyperparameters(n, chosen, nil)
	return err
}

package models

import (
	"fmt"
	"strings"

	"sml/graph"
)

// Objective is a training objective: a scalar, the mean over the batch, of
// the network f, the labels y [rows, targets] and the method's
// hyperparameters.
type Objective func(b *graph.Builder, f Forward, y *graph.Node, h Hyperparameters) *graph.Node

// Method is a way to train networks and to predict with them.
type Method struct {
	Name    string // on the command line and in files
	Title   string // in tables and figures
	Summary string // one line
	Source  string // paper and equation

	Objective       Objective
	Hyperparameters []Hyperparameter

	Network Network // default MLP
	Outputs int     // network outputs for each target; default 1
	Drop    Layers  // hidden layers that drop units; default NoLayers

	Stochastic bool      // Predict looks at dropout sub-networks
	Predict    Predictor // of one network
	Members    int       // networks trained independently; default 1
	Member     string    // the method that a single member is, if it has a name
	Combine    Combiner  // of several networks; needed where Members > 1
}

// CheckMembers returns an error if the method cannot have so many members, as
// nothing combines them.
func (m Method) CheckMembers(members int) error {
	if members > 1 && m.Combine == nil {
		return fmt.Errorf("method %s is a single network: it cannot have %d members", m.Name, members)
	}
	return nil
}

var methods []Method

// Register adds a method. It panics when the method is incomplete or its
// name is taken, which is a mistake in the program.
func Register(m Method) {
	if m.Network == nil {
		m.Network = MLP
	}
	m.Outputs = max(1, m.Outputs)
	m.Members = max(1, m.Members)
	if m.Drop == "" {
		m.Drop = NoLayers
	}
	if m.Title == "" {
		m.Title = m.Name
	}
	switch {
	case m.Name == "" || m.Objective == nil || m.Predict == nil:
		panic(fmt.Sprintf("models: method %q needs a name, an objective and a predictor", m.Name))
	case m.Members > 1 && m.Combine == nil:
		panic(fmt.Sprintf("models: method %q has %d members and no way to combine them", m.Name, m.Members))
	}
	for _, h := range m.Hyperparameters {
		if err := h.Check(h.Default); err != nil {
			panic(fmt.Sprintf("models: method %q: the default %v", m.Name, err))
		}
	}
	if _, err := Lookup(m.Name); err == nil {
		panic(fmt.Sprintf("models: method %q is registered twice", m.Name))
	}
	methods = append(methods, m)
}

// order is that of the paper's table 2; other methods follow as registered.
var order = []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de", "sml-de"}

// Methods lists all methods, the paper's first.
func Methods() []Method {
	var list []Method
	for _, name := range order {
		for _, m := range methods {
			if m.Name == name {
				list = append(list, m)
			}
		}
	}
next:
	for _, m := range methods {
		for _, name := range order {
			if m.Name == name {
				continue next
			}
		}
		list = append(list, m)
	}
	return list
}

// Lookup finds a method by its name.
func Lookup(name string) (Method, error) {
	var known []string
	for _, m := range Methods() {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
	}
	return Method{}, fmt.Errorf("unknown method %q: there is %s", name, strings.Join(known, ", "))
}

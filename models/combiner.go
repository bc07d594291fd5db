package models

import (
	"fmt"

	"sml/graph"
)

// combiner computes the predictions of several networks from the predictions of each.
type combiner struct {
	*predictionRunner

	// inputs holds the inputs of the graph for each network and value of a prediction (parameters, then
	// components), [rows, targets] each.
	inputs [][][]float64
}

// newCombiner returns a graph of the method's Combiner for two or more networks. single computes the predictions of one
// of them. It returns an error if the combiner has a mistake.
func (s Spec) newCombiner(single *predictionRunner, networks int, o PredictionOptions) (*combiner, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	c := new(combiner)
	c.predictionRunner, err = s.newPredictionRunner("combiner", m.Combine, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := make([]PredictionNodes, networks)
		for k := range nodes {
			nodes[k] = single.inputsOfNetwork(b, k)
		}
		combined := m.Combine(b, nodes)
		return combined, combined.list()
	})
	if err != nil {
		return nil, err
	}
	c.inputs = make([][][]float64, networks)
	for k := range c.inputs {
		for value := range len(single.family.Parameters) + len(single.components) {
			c.inputs[k] = append(c.inputs[k], c.run.Input64(memberInput(k, value)))
		}
	}
	return c, nil
}

// inputsOfNetwork returns inputs of a graph for the predictions of network k, which have the form of r's.
func (r *predictionRunner) inputsOfNetwork(b *graph.Builder, k int) PredictionNodes {
	nodes := PredictionNodes{Family: r.family}
	parameters := len(r.family.Parameters)
	for i := range parameters {
		nodes.Parameters = append(nodes.Parameters, predictionInput(b, memberInput(k, i), r.rows, r.targets))
	}
	for i, name := range r.components {
		std := predictionInput(b, memberInput(k, parameters+i), r.rows, r.targets)
		nodes.Components = append(nodes.Components, Component{name, std})
	}
	return nodes
}

// memberInput returns the name of the input for a value of a member's prediction.
func memberInput(member, value int) string { return fmt.Sprintf("part %d of member %d", value, member) }

// combine returns parameters and components of the combined predictions of rows: [rows, targets, parameters
// and components]. networks holds the values of each network's predictions.
func (c *combiner) combine(networks [][]float64, rows int) ([]float64, error) {
	for k, inputs := range c.inputs {
		valuesPerTarget := len(inputs)
		for value, input := range inputs {
			for i := range rows * c.targets { // i counts the targets of all rows
				input[i] = networks[k][i*valuesPerTarget+value]
			}
		}
	}
	return c.output(rows)
}

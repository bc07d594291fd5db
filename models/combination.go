package models

import (
	"fmt"

	"sml/graph"
)

// Combination computes the predictions of an ensemble from the predictions of its members.
type Combination struct {
	*PredictionGraph

	// inputs holds the inputs of the graph for each member and value of a prediction (parameters, then
	// components), [rows, targets] each.
	inputs [][][]float64
}

// NewCombination returns a graph of the method's Combiner for two or more members: all copies of all networks.
// member computes the predictions of a single one. It returns an error if the combiner has a mistake.
func (s Spec) NewCombination(member *PredictionGraph, members int, o PredictionOptions) (*Combination, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	c := new(Combination)
	c.PredictionGraph, err = s.newPredictionGraph(m, o, "combiner", m.Combine, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := make([]PredictionNodes, members)
		for k := range nodes {
			nodes[k] = memberNodes(b, member, k, o.Rows)
		}
		combined := m.Combine(b, nodes)
		return combined, combined.list()
	})
	if err != nil {
		return nil, err
	}
	c.inputs = make([][][]float64, members)
	for k := range c.inputs {
		for value := range len(member.Family.Parameters) + len(member.Components) {
			c.inputs[k] = append(c.inputs[k], c.run.Input64(memberInput(k, value)))
		}
	}
	return c, nil
}

// memberNodes returns inputs of a graph for the predictions of member k, which have the form of the
// predictions of member.
func memberNodes(b *graph.Builder, member *PredictionGraph, k, rows int) PredictionNodes {
	nodes := PredictionNodes{Family: member.Family}
	parameters := len(member.Family.Parameters)
	for i := range parameters {
		nodes.Parameters = append(nodes.Parameters, predictionInput(b, memberInput(k, i), rows, member.targets))
	}
	for i, name := range member.Components {
		std := predictionInput(b, memberInput(k, parameters+i), rows, member.targets)
		nodes.Components = append(nodes.Components, Component{name, std})
	}
	return nodes
}

// memberInput returns the name of the input for a value of a member's prediction.
func memberInput(member, value int) string { return fmt.Sprintf("part %d of member %d", value, member) }

// Run returns parameters and components of the combined predictions of rows: [rows, targets, parameters
// and components], valid until the next run. members holds, for each member, the values that
// NetworkPredictor.Run returned.
func (c *Combination) Run(members [][]float64, rows int) ([]float64, error) {
	for k, inputs := range c.inputs {
		valuesPerTarget := len(inputs)
		for value, input := range inputs {
			for i := range rows * c.targets { // i counts the targets of all rows
				input[i] = members[k][i*valuesPerTarget+value]
			}
		}
	}
	return c.output(rows)
}

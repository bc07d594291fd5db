package models

import (
	"fmt"

	"sml/graph"
)

// Combination computes the predictions of several networks from the predictions of each.
type Combination struct {
	*PredictionGraph

	members [][][]float64 // inputs of each member, parameters then components
}

// NewCombination returns a graph of the method's Combiner for a number of members, two or
// more; one computes the predictions of each.
func (s Spec) NewCombination(one *PredictionGraph, members int, o PredictionOptions) (*Combination, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	if err := m.CheckMembers(members); err != nil {
		return nil, err
	}
	c := new(Combination)
	c.PredictionGraph, err = s.newPredictionGraph(m, o, "combiner", m.Combine, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := make([]PredictionNodes, members)
		for k := range nodes {
			nodes[k].Family = one.Family
			part := 0
			input := func() *graph.Node {
				part++
				return predictionInput(b, memberInput(k, part-1), o.Rows, one.targets)
			}
			for range one.Family.Parameters {
				nodes[k].Parameters = append(nodes[k].Parameters, input())
			}
			for _, name := range one.Components {
				nodes[k].Components = append(nodes[k].Components, Component{name, input()})
			}
		}
		combined := m.Combine(b, nodes)
		return combined, combined.list()
	})
	if err != nil {
		return nil, err
	}
	c.members = make([][][]float64, members)
	for k := range c.members {
		for part := range len(one.Family.Parameters) + len(one.Components) {
			c.members[k] = append(c.members[k], c.run.Input64(memberInput(k, part)))
		}
	}
	return c, nil
}

func memberInput(member, part int) string { return fmt.Sprintf("part %d of member %d", part, member) }

// Run returns parameters and components of the combined predictions of rows. members
// holds the values that NetworkPredictor.Run returned for each member.
func (c *Combination) Run(members [][]float64, rows int) ([]float64, error) {
	for k, inputs := range c.members {
		for part, dst := range inputs {
			for at := range rows * c.targets {
				dst[at] = members[k][at*len(inputs)+part]
			}
		}
	}
	return c.output(rows)
}

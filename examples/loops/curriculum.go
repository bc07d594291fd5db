package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// trainCurriculum trains on easy rows first. It draws its batches from a set of rows that grows from a
// fifth of the table to the whole table in the first half of the steps, and begins with the rows whose
// targets are closest to the mean. Source: Bengio et al. 2009, curriculum learning.
func trainCurriculum(p *problem) (*models.Model, error) {
	params, err := p.spec.NewParams(seed)
	if err != nil {
		return nil, err
	}
	step, err := p.spec.NewStep(graph.Compiled, params, batch)
	if err != nil {
		return nil, err
	}
	defer step.Close()
	adam, err := newAdam(params)
	if err != nil {
		return nil, err
	}
	const steps = 600
	order := p.easyFirst()
	random := rand.New(rand.NewPCG(seed, 0))
	rows := make([]int, batch)
	for number := range steps {
		fraction := min(1, 0.2+1.6*float64(number)/steps) // of the table
		available := int(fraction * float64(len(order)))
		for i := range rows {
			rows[i] = order[random.IntN(available)]
		}
		if err := p.runStep(step, rows, number, steps); err != nil {
			return nil, err
		}
		adam.Step(params.Float32s(), step.Gradient(), optimizer.StepInfo{Step: number + 1, Rate: 0.003})
		step.UpdateBuffers() // new values of buffers, if the network has any
	}
	return p.model(params), nil
}

// easyFirst returns the indices of all rows, in the order of the distance of their targets from the mean.
func (p *problem) easyFirst() []int {
	order := make([]int, p.table.Rows())
	for i := range order {
		order[i] = i
	}
	distance := func(row int) float64 { return math.Abs(p.table.Y[row] - p.targets[0].Mean) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	return order
}

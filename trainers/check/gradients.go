package check

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// seedsPerCase is the number of seeds with which gradients of one case are compared.
const seedsPerCase = 2

// checkGradients compares the gradients of a method's loss with finite differences in float64, for
// each number of targets in targetCounts.
func checkGradients(name string, settings Settings, targetCounts []int) Finding {
	const check = "gradients"
	s, err := smallSpec(name, settings, nil)
	if err != nil {
		return failedFinding(check, err)
	}
	network, err := s.Network()
	if err != nil {
		return failedFinding(check, err)
	}
	activations := activationsOf(network)
	if len(activations) > 2 {
		activations = []string{"relu", "tanh"} // one with a kink and one without
	}
	var c gradientComparison
	for _, activation := range activations {
		for _, targets := range targetCounts {
			if err := c.addMethod(name, settings, activation, targets); err != nil {
				return failedFinding(check, err)
			}
		}
	}
	cases := fmt.Sprintf("%d target(s)", targetCounts[0])
	if len(targetCounts) > 1 {
		cases = "1 and 2 targets"
	}
	if len(activations) > 1 {
		cases = strings.Join(activations, " and ") + ", " + cases
	}
	return c.finding(cases + ", both engines")
}

// addMethod compares the gradients of a method with one activation and number of targets, for
// several seeds.
func (c *gradientComparison) addMethod(name string, settings Settings, activation string, targets int) error {
	for seed := settings.Seed; seed < settings.Seed+seedsPerCase; seed++ {
		spec, err := smallSpec(name, settings, func(a *models.Architecture) {
			a.Activation = activation
			a.Targets = targets
		})
		if err != nil {
			return err
		}
		description := fmt.Sprintf("%d target(s), seed %d", targets, seed)
		if activation != "" {
			description = activation + ", " + description
		}
		loss := func(b *graph.Builder) (*graph.Node, error) { return spec.Loss(b, smallBatchRows) }
		err = c.addCase(description, loss, gradcheck.Settings{Seed: seed, MaxElements: comparedElements, Value: spec.TypicalInput})
		if err != nil {
			return err
		}
	}
	return nil
}

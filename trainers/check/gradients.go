package check

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// gradients compares with finite differences in float64.
func gradients(name string, settings Settings, targets []int) Finding {
	const check = "gradients"
	n, err := networkOf(name, settings)
	if err != nil {
		return failedFinding(check, err)
	}
	tried := activations(n)
	if len(tried) > 2 {
		tried = []string{"relu", "tanh"} // one with kinks and one without
	}
	var c comparison
	for _, activation := range tried {
		for _, targets := range targets {
			for s := settings.Seed; s < settings.Seed+2; s++ {
				spec, err := smallSpec(name, settings, func(a *models.Architecture) { a.Activation, a.Targets = activation, targets })
				if err != nil {
					return failedFinding(check, err)
				}
				what := fmt.Sprintf("%d target(s), seed %d", targets, s)
				if activation != "" {
					what = activation + ", " + what
				}
				loss := func(b *graph.Builder) (*graph.Node, error) { return spec.Loss(b, rows) }
				if err := c.add(what, loss, gradcheck.Settings{Seed: s, MaxElements: comparedElements, Value: spec.Typical}); err != nil {
					return failedFinding(check, err)
				}
			}
		}
	}
	cases := fmt.Sprintf("%d target(s)", targets[0])
	if len(targets) > 1 {
		cases = "1 and 2 targets"
	}
	if len(tried) > 1 {
		cases = strings.Join(tried, " and ") + ", " + cases
	}
	return c.finding(cases + ", both engines")
}

// networkOf is the network that the method is checked with.
func networkOf(name string, settings Settings) (models.Network, error) {
	s, err := smallSpec(name, settings, nil)
	if err != nil {
		return models.Network{}, err
	}
	return s.Network()
}

package check

import (
	"cmp"
	"fmt"
	"strings"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// tolerance is the largest relative difference between a gradient and its
// finite difference.
const tolerance = 1e-6

// most is the number of elements to compare one by one in each parameter. They serve to
// name a wrong element: the direction that gradcheck adds finds any.
const most = 4

// gradients compares with finite differences in float64.
func gradients(name string, settings Settings, targets []int) Finding {
	const check = "gradients"
	n, err := networkOf(name, settings)
	if err != nil {
		return failed(check, err)
	}
	tried := activations(n)
	if len(tried) > 2 {
		tried = []string{"relu", "tanh"} // one with kinks and one without
	}
	var c comparison
	for _, activation := range tried {
		for _, targets := range targets {
			for s := settings.Seed; s < settings.Seed+2; s++ {
				spec, err := small(name, settings, func(a *models.Architecture) { a.Activation, a.Targets = activation, targets })
				if err != nil {
					return failed(check, err)
				}
				what := fmt.Sprintf("%d target(s), seed %d", targets, s)
				if activation != "" {
					what = activation + ", " + what
				}
				loss := func(b *graph.Builder) (*graph.Node, error) { return spec.Loss(b, rows) }
				if err := c.add(what, loss, gradcheck.Settings{Seed: s, Most: most, Value: spec.Typical}); err != nil {
					return failed(check, err)
				}
			}
		}
	}
	of := fmt.Sprintf("%d target(s)", targets[0])
	if len(targets) > 1 {
		of = "1 and 2 targets"
	}
	if len(tried) > 1 {
		of = strings.Join(tried, " and ") + ", " + of
	}
	return c.finding(of + ", both engines")
}

// networkOf is the network that the method is checked with.
func networkOf(name string, settings Settings) (models.Network, error) {
	s, err := small(name, settings, nil)
	if err != nil {
		return models.Network{}, err
	}
	return s.Network()
}

// comparison is of gradients with differences, in several cases.
type comparison struct {
	cases   int
	worst   float64
	details []string // of gradients that are wrong
}

// add compares the gradients of a loss.
func (c *comparison) add(what string, loss func(*graph.Builder) (*graph.Node, error), settings gradcheck.Settings) error {
	var built error
	found, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		loss, err := loss(b)
		built = cmp.Or(built, err)
		return loss
	}, settings)
	if err := cmp.Or(built, err); err != nil { // the second follows from the first
		return fmt.Errorf("%s: %w", what, err)
	}
	c.cases++
	for _, g := range found {
		if g.Error <= tolerance {
			c.worst = max(c.worst, g.Error)
			continue
		}
		place := fmt.Sprintf("%s[%d]", g.Name, g.Index)
		if g.Index == gradcheck.AlongDirection {
			place = g.Name + ", along a direction that moves all its elements,"
		}
		c.details = append(c.details, fmt.Sprintf("%s, %s engine: gradient of %s is %.6g, differences give %.6g", what, g.Engine, place, g.Backward, g.Numeric))
	}
	return nil
}

func (c *comparison) finding(of string) Finding {
	f := Finding{Check: "gradients", Status: Passed, Details: c.details}
	f.Says = fmt.Sprintf("agree with finite differences to %.0e (%s, %d cases)", c.worst, of, c.cases)
	if len(c.details) > 0 {
		f.Status = Failed
		f.Says = fmt.Sprintf("disagree with finite differences in %d places; stopped values were held", len(c.details))
	}
	return f
}

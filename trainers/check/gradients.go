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

// steps of the differences. A difference across a kink (of a ReLU, of an
// absolute value) is not a derivative, and a shorter one misses the kink; a
// wrong gradient is wrong at every step.
var steps = []float64{1e-4, 1e-5, 1e-6}

// most bounds the elements of a parameter that are compared: a wrong gradient is
// wrong in many.
const most = 25

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
	for _, engine := range graph.Engines() {
		for _, activation := range tried {
			for _, targets := range targets {
				for s := settings.Seed; s < settings.Seed+2; s++ {
					spec, err := small(name, settings, func(a *models.Architecture) { a.Activation, a.Targets = activation, targets })
					if err != nil {
						return failed(check, err)
					}
					what := fmt.Sprintf("%s, %d target(s), %s engine, seed %d", activation, targets, engine, s)
					loss := func(b *graph.Builder) (*graph.Node, error) { return spec.Loss(b, rows) }
					if err := c.add(what, loss, gradcheck.Settings{Seed: s, Engine: engine, Most: most, Value: spec.Typical}); err != nil {
						return failed(check, err)
					}
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
	found, err := differences(loss, settings)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	c.cases++
	for _, g := range found {
		if g.Error <= tolerance {
			c.worst = max(c.worst, g.Error)
			continue
		}
		c.details = append(c.details, fmt.Sprintf("%s: gradient of %s[%d] is %.6g, differences give %.6g", what, g.Name, g.Index, g.Backward, g.Numeric))
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

// differences compares at ever shorter steps and keeps what each parameter
// agrees best at.
func differences(loss func(*graph.Builder) (*graph.Node, error), settings gradcheck.Settings) ([]gradcheck.Gradient, error) {
	var best []gradcheck.Gradient
	for _, settings.Step = range steps {
		var built error
		found, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
			loss, err := loss(b)
			built = cmp.Or(built, err)
			return loss
		}, settings)
		if err := cmp.Or(built, err); err != nil { // the second follows from the first
			return nil, err
		}
		if best == nil {
			best = found
		}
		done := true
		for i, g := range found {
			if !(best[i].Error <= g.Error) {
				best[i] = g
			}
			done = done && best[i].Error <= tolerance
		}
		if done {
			break
		}
	}
	return best, nil
}

package check

import (
	"cmp"
	"fmt"

	"sml/graph"
	"sml/graph/gradcheck"
)

// tolerance is the largest allowed relative difference between a gradient and its finite difference, in
// float64. Finite differences of a float64 loss are themselves exact to about 1e-9.
const tolerance = 1e-6

// comparedElements is the number of elements of each parameter that are compared individually, so
// that the finding can name a wrong element. gradcheck also moves all elements of a parameter
// together, and thereby finds every wrong element.
const comparedElements = 4

// gradientComparison compares gradients with finite differences in several cases.
type gradientComparison struct {
	cases      int      // number of losses compared
	worstError float64  // largest relative difference of a correct gradient
	mistakes   []string // a line for each wrong gradient
}

// addCase compares the gradients of a loss with finite differences, and adds what it finds. description
// names the case in messages. addCase returns an error if the loss cannot be built.
func (c *gradientComparison) addCase(description string, loss func(*graph.Builder) (*graph.Node, error), settings gradcheck.Settings) error {
	var buildErr error // first error of loss, which gradcheck's callback cannot return
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		node, err := loss(b)
		buildErr = cmp.Or(buildErr, err)
		return node
	}, settings)
	if err := cmp.Or(buildErr, err); err != nil { // err is a consequence of buildErr
		return fmt.Errorf("%s: %w", description, err)
	}
	c.cases++
	for _, g := range gradients {
		if g.Error <= tolerance {
			c.worstError = max(c.worstError, g.Error)
			continue
		}
		place := fmt.Sprintf("%s[%d]", g.Name, g.Index)
		if g.Index == gradcheck.AlongDirection {
			place = g.Name + ", along a direction that moves all its elements,"
		}
		c.mistakes = append(c.mistakes, fmt.Sprintf("%s, %s engine: gradient of %s is %.6g, finite differences give %.6g", description, g.Engine, place, g.Backward, g.Numeric))
	}
	return nil
}

// finding returns the result of all comparisons. cases describes the cases in words.
func (c *gradientComparison) finding(cases string) Finding {
	if len(c.mistakes) > 0 {
		return Finding{
			Check:   "gradients",
			Status:  Failed,
			Message: fmt.Sprintf("disagree with finite differences in %d places; values behind a StopGradient were held constant", len(c.mistakes)),
			Details: c.mistakes,
		}
	}
	return Finding{
		Check:   "gradients",
		Status:  Passed,
		Message: fmt.Sprintf("agree with finite differences to %.0e (%s, %d cases)", c.worstError, cases, c.cases),
	}
}

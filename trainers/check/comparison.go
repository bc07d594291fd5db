package check

import (
	"cmp"
	"fmt"

	"sml/graph"
	"sml/graph/gradcheck"
)

// tolerance is the largest relative difference between a gradient and its
// finite difference.
const tolerance = 1e-6

// comparedElements is the number of elements in each parameter to compare individually, so that
// the finding can name a wrong element. gradcheck also moves all elements of a parameter together, and
// thereby finds every wrong element.
const comparedElements = 4

// comparison is the comparison of gradients with finite differences in several cases.
type comparison struct {
	cases   int      // number of compared losses
	worst   float64  // largest relative difference of a correct gradient
	details []string // a line for each wrong gradient
}

// add compares the gradients of a loss. It returns an error if the loss cannot be built.
func (c *comparison) add(what string, loss func(*graph.Builder) (*graph.Node, error), settings gradcheck.Settings) error {
	var built error
	found, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		loss, err := loss(b)
		built = cmp.Or(built, err)
		return loss
	}, settings)
	if err := cmp.Or(built, err); err != nil { // err is a consequence of built
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

// finding returns the result of all comparisons.
func (c *comparison) finding(cases string) Finding {
	f := Finding{Check: "gradients", Status: Passed, Details: c.details}
	f.Says = fmt.Sprintf("agree with finite differences to %.0e (%s, %d cases)", c.worst, cases, c.cases)
	if len(c.details) > 0 {
		f.Status = Failed
		f.Says = fmt.Sprintf("disagree with finite differences in %d places; stopped values were held", len(c.details))
	}
	return f
}

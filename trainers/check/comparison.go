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

// most is the number of elements to compare one by one in each parameter. They serve to
// name a wrong element: the direction that gradcheck adds finds any.
const most = 4

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

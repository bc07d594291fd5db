package preparation

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// Check returns what is wrong with a preparation that was read, of a table with so
// many targets: nobody can have fitted it.
func (p *Preparation) Check(targets int) error {
	if len(p.Targets) != 0 && len(p.Targets) != targets {
		return fmt.Errorf("%d transforms of %d targets", len(p.Targets), targets)
	}
	for _, t := range p.Targets {
		if err := t.check(); err != nil {
			return err
		}
	}
	for _, c := range p.Columns {
		known := c.Kind == data.Number || c.Kind == data.Category || c.Kind == data.Date
		switch {
		case !known:
			return fmt.Errorf("column %q is a %q", c.Name, c.Kind)
		case c.Dropped != "":
		case c.Kind == data.Category && len(c.Levels) == 0:
			return fmt.Errorf("column %q has no levels", c.Name)
		case c.Fill != nil && (math.IsNaN(*c.Fill) || math.IsInf(*c.Fill, 0)):
			return fmt.Errorf("column %q has %v for what is missing", c.Name, *c.Fill)
		case slices.ContainsFunc(c.Parts, func(name string) bool {
			return !slices.ContainsFunc(parts, func(p part) bool { return p.name == name })
		}):
			return fmt.Errorf("column %q has parts that no date has", c.Name)
		}
	}
	return nil
}

package preparation

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// Check returns an error if the preparation is not one that Fit returns, for example because its
// file is damaged. targets is the number of targets of the model.
func (p *Preparation) Check(targets int) error {
	if len(p.Targets) != 0 && len(p.Targets) != targets {
		return fmt.Errorf("the preparation has %d target transforms; want 0 or %d", len(p.Targets), targets)
	}
	for _, t := range p.Targets {
		if err := t.check(); err != nil {
			return err
		}
	}
	if len(p.Supports) != 0 && len(p.Supports) != targets {
		return fmt.Errorf("the preparation has %d supports of targets; want 0 or %d", len(p.Supports), targets)
	}
	for _, s := range p.Supports {
		if err := s.check(); err != nil {
			return err
		}
	}
	for _, c := range p.Columns {
		if err := c.check(); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	return nil
}

// check returns an error if the column is not one that Fit returns: if its kind is unknown, it lacks
// categories, or its replacement or parts of dates are invalid.
func (c *Column) check() error {
	if c.Kind != data.Number && c.Kind != data.Category && c.Kind != data.Date {
		return fmt.Errorf("unknown kind %q; want %s, %s or %s", c.Kind, data.Number, data.Category, data.Date)
	}
	if c.Dropped != "" {
		return nil
	}
	if c.Kind == data.Category && len(c.Categories) == 0 {
		return errors.New("a categorical column has no categories")
	}
	if c.Fill != nil && !statistics.IsFinite(*c.Fill) {
		return fmt.Errorf("the replacement of missing values is %v; want a finite number", *c.Fill)
	}
	for _, name := range c.DateParts {
		if !slices.Contains(DatePartNames(), name) {
			return fmt.Errorf("unknown part of a date %q", name)
		}
	}
	return nil
}

package preparation

import (
	"fmt"
	"strings"

	"sml/data"
)

// Says tells what becomes of the column, "" where it is a number as it is.
func (c *Column) Says() string {
	if c.Dropped != "" {
		return c.Dropped + ", left out"
	}
	var parts []string
	switch {
	case c.Kind == data.Category && c.Ordered:
		parts = append(parts, fmt.Sprintf("text of %d levels in order", len(c.Levels)))
	case c.Kind == data.Category:
		says := fmt.Sprintf("text of %d levels, an input each", len(c.Levels))
		if c.Other > 0 {
			says += fmt.Sprintf(", and one for all others (%d rows)", c.Other)
		}
		parts = append(parts, says)
	case c.Kind == data.Date:
		parts = append(parts, "a date, as "+strings.Join(c.Parts, ", "))
	}
	if c.Indicator {
		says := fmt.Sprintf("missing in %d rows", c.MissingRows)
		if c.Fill != nil {
			says += ", there " + c.Instead()
		}
		parts = append(parts, says+" and marked")
	}
	return strings.Join(parts, "; ")
}

// Instead says what stands for a value that is missing.
func (c *Column) Instead() string {
	if c.Fill == nil {
		return "no level"
	}
	return c.Field.Show(*c.Fill)
}

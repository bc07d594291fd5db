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
		parts = append(parts, fmt.Sprintf("text of %s in order", count(len(c.Levels), "level")))
	case c.Kind == data.Category && c.Other > 0:
		parts = append(parts, fmt.Sprintf("text, an input for each of %s and one for all others (%s)", count(len(c.Levels), "level"), count(c.Other, "row")))
	case c.Kind == data.Category:
		parts = append(parts, fmt.Sprintf("text, an input for each of %s", count(len(c.Levels), "level")))
	case c.Kind == data.Date:
		parts = append(parts, "a date, as "+strings.Join(c.Parts, ", "))
	}
	if c.Indicator {
		says := fmt.Sprintf("missing in %s", count(c.Missing, "row"))
		if c.Fill != nil {
			says += ", there " + c.Instead()
		}
		parts = append(parts, says+" and marked")
	}
	return strings.Join(parts, "; ")
}

// Fate is Says of many columns alike, without what differs between them.
func (c *Column) Fate() string {
	if c.Dropped != "" {
		return c.Dropped + ", left out"
	}
	var parts []string
	switch {
	case c.Kind == data.Category && c.Ordered:
		parts = append(parts, "texts with levels in order")
	case c.Kind == data.Category:
		parts = append(parts, "texts, an input for each level")
	case c.Kind == data.Date:
		parts = append(parts, "dates, as their parts")
	}
	if c.Indicator {
		parts = append(parts, "filled in and marked where missing")
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

// count says how many there are of what.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

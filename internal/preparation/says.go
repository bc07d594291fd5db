package preparation

import (
	"fmt"
	"slices"
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
		parts = append(parts, "ordinal, "+count(len(c.Levels), "level"))
	case c.Kind == data.Category && c.Other > 0:
		parts = append(parts, fmt.Sprintf("one-hot, %s and others (%s)", count(len(c.Levels), "level"), count(c.Other, "row")))
	case c.Kind == data.Category:
		parts = append(parts, "one-hot, "+count(len(c.Levels), "level"))
	case c.Kind == data.Date:
		parts = append(parts, "as "+c.dateParts())
	}
	if c.Indicator && c.Fill != nil {
		parts = append(parts, fmt.Sprintf("%d missing: %s, marked", c.MissingRows, c.Instead()))
	} else if c.Indicator {
		parts = append(parts, fmt.Sprintf("%d missing, marked", c.MissingRows))
	}
	return strings.Join(parts, "; ")
}

// dateParts are the parts of a date, sine and cosine as the angle that they are of.
func (c *Column) dateParts() string {
	var names []string
	for _, part := range c.Parts {
		name, _, _ := strings.Cut(part, ",")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Fate is Says of many columns alike, without what differs between them.
func (c *Column) Fate() string {
	if c.Dropped != "" {
		return c.Dropped + ", left out"
	}
	var parts []string
	switch {
	case c.Kind == data.Category && c.Ordered:
		parts = append(parts, "ordinal")
	case c.Kind == data.Category:
		parts = append(parts, "one-hot")
	case c.Kind == data.Date:
		parts = append(parts, "dates, as their parts")
	}
	if c.Indicator {
		parts = append(parts, "marked where missing, and filled in")
	}
	return strings.Join(parts, "; ")
}

// Instead says what stands for a value that is missing.
func (c *Column) Instead() string {
	if c.Fill == nil {
		return "no level"
	}
	if c.Kind == data.Number {
		return fmt.Sprintf("%.5g", *c.Fill)
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

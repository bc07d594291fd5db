package preparation

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// Describe returns how the column is prepared, "" if it is a number that stays as it is.
func (c *Column) Describe() string {
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
		parts = append(parts, fmt.Sprintf("%d missing: %s, marked", c.MissingRows, c.DescribeFill()))
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

// DescribeTreatment returns Describe without the details of the one column, so that many columns
// have the same text.
func (c *Column) DescribeTreatment() string {
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

// DescribeFill returns the text of the number or date that replaces a missing value. A missing
// category has no level.
func (c *Column) DescribeFill() string {
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

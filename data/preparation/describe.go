package preparation

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// Describe returns how the column becomes features, such as "one-hot, 3 categories", for
// people to read. It returns "" for a column of numbers without a change.
func (c *Column) Describe() string {
	if c.Dropped != "" {
		return c.Dropped + ", left out"
	}
	var parts []string
	switch {
	case c.Kind == data.Category && c.Ordered:
		parts = append(parts, "ordinal, "+formatCount(len(c.Categories), "category", "categories"))
	case c.Kind == data.Category && c.OtherRows > 0:
		parts = append(parts, fmt.Sprintf("one-hot, %s and others (%s)", formatCount(len(c.Categories), "category", "categories"), formatCount(c.OtherRows, "row", "rows")))
	case c.Kind == data.Category:
		parts = append(parts, "one-hot, "+formatCount(len(c.Categories), "category", "categories"))
	case c.Kind == data.Date:
		parts = append(parts, "as "+c.describeDateParts())
	}
	if c.Clip != nil {
		parts = append(parts, c.Clip.describe())
	}
	switch {
	case c.Indicator && c.Fill != nil:
		parts = append(parts, fmt.Sprintf("%d missing: %s, marked", c.MissingRows, c.DescribeFill()))
	case c.Indicator: // a categorical column needs no replacement
		parts = append(parts, fmt.Sprintf("%d missing, marked", c.MissingRows))
	}
	return strings.Join(parts, "; ")
}

// describeDateParts returns the names of the date's parts, separated by commas. "day of
// year, sine" and "day of year, cosine" become one "day of year".
func (c *Column) describeDateParts() string {
	var names []string
	for _, part := range c.DateParts {
		name, _, _ := strings.Cut(part, ",")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// DescribeTreatment returns Describe without counts and other details of this column, so that columns
// with the same treatment have the same text.
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
		parts = append(parts, "date, split into its parts")
	}
	if c.Clip != nil {
		parts = append(parts, "values that are far off cut off")
	}
	if c.Indicator {
		parts = append(parts, "missing values replaced and marked")
	}
	return strings.Join(parts, "; ")
}

// DescribeFill returns the number or date that replaces a missing value, as text. It
// returns "no category" for a categorical column.
func (c *Column) DescribeFill() string {
	if c.Fill == nil {
		return "no category"
	}
	if c.Kind == data.Number {
		return fmt.Sprintf("%.5g", *c.Fill)
	}
	return c.Field.Show(*c.Fill)
}

// formatCount returns a number with its noun, such as "1 row" or "2 rows".
func formatCount(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return fmt.Sprintf("%d %s", n, plural)
}

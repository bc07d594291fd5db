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
	return c.joinTreatments(func(t treatment) string { return t.details })
}

// DescribeTreatment returns Describe without counts and other details of this column, so that columns
// with the same treatment have the same text.
func (c *Column) DescribeTreatment() string {
	return c.joinTreatments(func(t treatment) string { return t.kind })
}

// treatment is something that makes features of a column's values, without and with the details of the column.
type treatment struct{ kind, details string }

// joinTreatments joins the texts of the column's treatments.
func (c *Column) joinTreatments(textOf func(treatment) string) string {
	if c.Dropped != "" {
		return c.Dropped + ", left out"
	}
	var texts []string
	for _, t := range c.treatments() {
		texts = append(texts, textOf(t))
	}
	return strings.Join(texts, "; ")
}

// treatments returns what makes features of the column's values.
func (c *Column) treatments() []treatment {
	var list []treatment
	categories := formatCount(len(c.Categories), "category", "categories")
	switch {
	case c.Kind == data.Category && c.Ordered:
		list = append(list, treatment{"ordinal", "ordinal, " + categories})
	case c.Kind == data.Category && c.OtherRows > 0:
		list = append(list, treatment{"one-hot", fmt.Sprintf("one-hot, %s and others (%s)", categories, formatCount(c.OtherRows, "row", "rows"))})
	case c.Kind == data.Category:
		list = append(list, treatment{"one-hot", "one-hot, " + categories})
	case c.Kind == data.Date:
		list = append(list, treatment{"date, split into its parts", "as " + c.describeDateParts()})
	}
	if c.Clip != nil {
		list = append(list, treatment{"values that are far off cut off", c.Clip.describe()})
	}
	if c.Indicator {
		details := fmt.Sprintf("%d missing, marked", c.MissingRows)
		if c.Fill != nil { // a categorical column needs no replacement
			details = fmt.Sprintf("%d missing: %s, marked", c.MissingRows, c.DescribeFill())
		}
		list = append(list, treatment{"missing values replaced and marked", details})
	}
	return list
}

// describe returns what the range does to values, for people.
func (c *Clip) describe() string {
	return fmt.Sprintf("%s so far off that all others would be equal: values below %.4g and above %.4g count as these", formatCount(c.Rows, "value is", "values are"), c.Low, c.High)
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

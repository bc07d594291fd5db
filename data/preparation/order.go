package preparation

import (
	"slices"
	"strings"

	"sml/data"
	"sml/data/read"
)

// ResolveColumns returns a copy of the options in which columns given by their
// number have their name in table t. It also corrects the orders of columns whose name
// contains "=": ParseOrder does not know the table, and takes the name to end at the first "=".
func (o Options) ResolveColumns(t *data.Table) Options {
	o.Keep = slices.Clone(o.Keep)
	for i, reference := range o.Keep {
		if name, ok := read.InputName(t, reference); ok {
			o.Keep[i] = name
		}
	}
	o.Ordinal = slices.Clone(o.Ordinal)
	for i, order := range o.Ordinal {
		o.Ordinal[i] = order.resolveColumn(t)
	}
	return o
}

// resolveColumn returns the order with the name of its input column in table t. If the
// text of the order contains several "=", the name ends at the last of them before which there is
// the name or number of a column. An unknown column stays as it is.
func (o Order) resolveColumn(t *data.Table) Order {
	for end := len(o.text) - 1; end > 0; end-- {
		if o.text[end] != '=' {
			continue
		}
		name, ok := read.InputName(t, o.text[:end])
		if ok {
			return Order{Column: name, Categories: parseCategories(o.text[end+1:])}
		}
	}
	name, ok := read.InputName(t, o.Column)
	if ok {
		o.Column = name
	}
	o.text = ""
	return o
}

// ParseOrder reads an order written as NAME=CATEGORY,CATEGORY,…, lowest category first. A
// category that contains a comma is in double quotes, and a quote in it is doubled, as in
// CSV files. It reports false if text has no "=" or no name before it.
func ParseOrder(text string) (Order, bool) {
	name, categories, found := strings.Cut(text, "=")
	if !found || name == "" {
		return Order{}, false
	}
	return Order{Column: name, Categories: parseCategories(categories), text: text}, true
}

// parseCategories returns the categories of a text CATEGORY,CATEGORY,… as ParseOrder reads it. A text
// without a comma is one category, which may be empty.
func parseCategories(text string) []string {
	var categories []string
	for hasNext := true; hasNext; {
		var category string
		category, text, hasNext = cutCategory(text)
		categories = append(categories, category)
	}
	return categories
}

// cutCategory returns the first category of a text of categories, and the text after its comma. hasNext
// is true if there was a comma: another category follows, even if the rest is empty.
func cutCategory(text string) (category, rest string, hasNext bool) {
	text = strings.TrimLeft(text, " ")
	category, rest, hasNext, isQuoted := cutQuoted(text)
	if isQuoted {
		return category, rest, hasNext
	}
	category, rest, hasNext = strings.Cut(text, ",")
	return strings.TrimSpace(category), rest, hasNext
}

// cutQuoted returns the same as cutCategory for a category in double quotes. ok is false if the
// text does not start with a quote, or no closing quote stands before a comma or the end:
// the quote is then part of the category, as in 5" pipe.
func cutQuoted(text string) (category, rest string, hasNext, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", false, false
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if strings.HasPrefix(text[i+1:], `"`) {
			i++ // a doubled quote is part of the category
			continue
		}
		after := strings.TrimLeft(text[i+1:], " ")
		if after == "" || after[0] == ',' {
			category = strings.ReplaceAll(text[1:i], `""`, `"`)
			return category, strings.TrimPrefix(after, ","), after != "", true
		}
	}
	return "", "", false, false
}

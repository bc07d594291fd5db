package preparation

import (
	"slices"
	"strings"

	"sml/data"
	"sml/data/read"
)

// ResolveColumns returns the options with the names of the inputs of t in place of their numbers. It
// corrects orders of columns whose names have a "=": ParseOrder cuts at the first one.
func (o Options) ResolveColumns(t *data.Table) Options {
	o.Keep = slices.Clone(o.Keep)
	for i, ref := range o.Keep {
		if name, ok := read.InputName(t, ref); ok {
			o.Keep[i] = name
		}
	}
	o.Ordinal = slices.Clone(o.Ordinal)
	for i, order := range o.Ordinal {
		o.Ordinal[i] = order.resolveColumn(t)
	}
	return o
}

// resolveColumn returns the order with the name of its input column of t.
func (o Order) resolveColumn(t *data.Table) Order {
	for at := len(o.text) - 1; at > 0; at-- {
		if o.text[at] != '=' {
			continue
		}
		if name, ok := read.InputName(t, o.text[:at]); ok { // the longest name that fits
			return Order{Column: name, Levels: levels(o.text[at+1:])}
		}
	}
	if name, ok := read.InputName(t, o.Column); ok {
		o.Column = name
	}
	o.text = ""
	return o
}

// ParseOrder reads NAME=LEVEL,LEVEL,… A level with a comma is written in quotes, as in
// CSV. ok is false where there is no name, or no "=".
func ParseOrder(text string) (o Order, ok bool) {
	at := strings.Index(text, "=")
	if at < 1 {
		return o, false
	}
	return Order{Column: text[:at], Levels: levels(text[at+1:]), text: text}, true
}

// levels reads LEVEL,LEVEL,…
func levels(text string) (list []string) {
	for more := true; more; {
		var level string
		level, text, more = cutLevel(text)
		list = append(list, level)
	}
	return list
}

// cutLevel cuts the first level off a list of them. A quote that is not closed before
// the next comma or the end is a letter like others.
func cutLevel(text string) (level, rest string, more bool) {
	text = strings.TrimLeft(text, " ")
	if strings.HasPrefix(text, `"`) {
		for i := 1; i < len(text); i++ {
			switch behind := strings.TrimLeft(text[i+1:], " "); {
			case text[i] != '"':
			case strings.HasPrefix(text[i+1:], `"`):
				i++
			case behind == "", behind[0] == ',':
				return strings.ReplaceAll(text[1:i], `""`, `"`), strings.TrimPrefix(behind, ","), behind != ""
			}
		}
	}
	level, rest, more = strings.Cut(text, ",")
	return strings.TrimSpace(level), rest, more
}

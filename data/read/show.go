package read

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// show returns a name for messages: in quotes, with invisible characters escaped, unless it is
// plain.
func displayName(name string) string {
	special := func(r rune) bool { return r == '"' || r == ',' || r == ';' || r == '\\' || !unicode.IsPrint(r) }
	if name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, special) {
		return strconv.Quote(name)
	}
	return name
}

// excerpt returns a field or name in quotes, cut to 40 bytes.
func quoteShort(field string) string {
	const most = 40 // bytes
	if len(field) <= most {
		return strconv.Quote(field)
	}
	quoted := strconv.Quote(strings.ToValidUTF8(field[:most], ""))
	return quoted[:len(quoted)-1] + `…"`
}

// label returns column i for messages: its number, from 1, and its name if it has one.
func columnLabel(names []string, i int) string {
	if names[i] == "" {
		return strconv.Itoa(i + 1)
	}
	return fmt.Sprintf("%d (%s)", i+1, shortName(names[i]))
}

// list returns names for messages, and only the first 20 of many.
func listNames(names []string) string {
	const most = 20
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, shortName(name))
	}
	text := strings.Join(out, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// brief returns a name for messages, cut if it is long.
func shortName(name string) string {
	const most = 100 // bytes
	if len(name) > most {
		return quoteShort(name)
	}
	return displayName(name)
}

// listPlaces returns places in a file for messages, with runs of places written as 2–5.
func listPlaces(of []int) string {
	var out []string
	for i := 0; i < len(of); {
		next := i + 1
		for next < len(of) && of[next] == of[next-1]+1 {
			next++
		}
		if next-i > 2 {
			out = append(out, fmt.Sprintf("%d–%d", of[i], of[next-1]))
			i = next
		} else {
			out = append(out, strconv.Itoa(of[i]))
			i++
		}
	}
	const most = 20
	if len(out) > most {
		out = append(out[:most], "…")
	}
	return strings.Join(out, ", ")
}

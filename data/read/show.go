package read

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// displayName returns the name of a file or column for messages. The name is in quotes, with invisible
// characters escaped, if it is empty, has blanks around it, or has punctuation that messages use.
func displayName(name string) string {
	needsQuotes := func(r rune) bool { return strings.ContainsRune(`",;\`, r) || !unicode.IsPrint(r) }
	if name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, needsQuotes) {
		return strconv.Quote(name)
	}
	return name
}

// quoteShort returns a field or name in quotes, cut to 40 bytes.
func quoteShort(field string) string {
	const maxBytes = 40
	if len(field) <= maxBytes {
		return strconv.Quote(field)
	}
	quoted := strconv.Quote(strings.ToValidUTF8(field[:maxBytes], ""))
	return strings.TrimSuffix(quoted, `"`) + `…"`
}

// columnLabel returns column i, from 0, for messages: its number, from 1, and its name if it has
// one.
func columnLabel(names []string, i int) string {
	if names[i] == "" {
		return strconv.Itoa(i + 1)
	}
	return fmt.Sprintf("%d (%s)", i+1, shortName(names[i]))
}

// maxListed is the maximum number of names or numbers that a message lists.
const maxListed = 20

// listNames returns names for messages, and only the first ones of many.
func listNames(names []string) string {
	var listed []string
	for _, name := range names[:min(len(names), maxListed)] {
		listed = append(listed, shortName(name))
	}
	text := strings.Join(listed, ", ")
	if more := len(names) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// shortName returns a name for messages, cut if it is longer than 100 bytes.
func shortName(name string) string {
	const maxBytes = 100
	if len(name) > maxBytes {
		return quoteShort(name)
	}
	return displayName(name)
}

// listColumnNumbers returns the numbers of columns for messages. Three and more successive ones are
// written as a range, such as 2–5.
func listColumnNumbers(numbers []int) string {
	var listed []string
	for i := 0; i < len(numbers); {
		end := i + 1 // of the successive numbers from i on
		for end < len(numbers) && numbers[end] == numbers[end-1]+1 {
			end++
		}
		const minRange = 3
		if end-i >= minRange {
			listed = append(listed, fmt.Sprintf("%d–%d", numbers[i], numbers[end-1]))
			i = end
		} else {
			listed = append(listed, strconv.Itoa(numbers[i]))
			i++
		}
	}
	if len(listed) > maxListed {
		listed = append(listed[:maxListed], "…")
	}
	return strings.Join(listed, ", ")
}

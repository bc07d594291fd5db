package terminal

import (
	"fmt"
	"strings"

	"sml/internal/texts"
)

// Count returns a number with its noun, in the plural unless n is 1: "2 rows", "3 categories".
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, inflect(n, noun))
}

// inflect returns the noun in the singular if n is 1, and otherwise in the regular plural.
func inflect(n int, noun string) string {
	stem, endsInY := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return noun
	case endsInY && !endsInVowel(stem):
		return stem + "ies"
	}
	return noun + "s"
}

// endsInVowel reports whether the last letter of an English word is a vowel.
func endsInVowel(word string) bool {
	return word != "" && strings.ContainsRune("aeiou", rune(word[len(word)-1]))
}

// First returns the first texts of a list with commas between them, at most maxCount, and the number
// of the other texts.
func First(list []string, maxCount int) string {
	first := strings.Join(list[:min(len(list), maxCount)], ", ")
	if more := len(list) - maxCount; more > 0 {
		first += fmt.Sprintf(" and %d more", more)
	}
	return first
}

// Shorten returns text with control characters escaped, cut to at most maxLength characters.
func Shorten(text string, maxLength int) string {
	return texts.Shorten(EscapeControls(text), maxLength)
}

// ShellCommand returns the words of a command as a shell reads them, with blanks between them.
func ShellCommand(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = ShellWord(word)
	}
	return strings.Join(quoted, " ")
}

// ShellWord returns a text in the form that a shell reads as one word: in single quotes if it is empty or
// has a character that may have a meaning to the shell.
func ShellWord(text string) string {
	isSpecial := func(r rune) bool {
		isEarlyASCII := r < '0' // blanks, quotes and signs; only the signs - . , are plain
		if isEarlyASCII {
			return !strings.ContainsRune("-.,", r)
		}
		return strings.ContainsRune(":;<>?[]\\^`{|}~", r)
	}
	if text != "" && !strings.ContainsFunc(text, isSpecial) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

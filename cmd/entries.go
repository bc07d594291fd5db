package cmd

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// entry is what is listed of one thing: its name, and lines beside it.
type entry struct {
	name  string
	lines []string
}

func (e *entry) add(format string, args ...any) {
	e.lines = append(e.lines, fmt.Sprintf(format, args...))
}

// entries puts names into one column, lines into another.
func entries(list []entry) string {
	width := 0
	for _, e := range list {
		width = max(width, utf8.RuneCountInString(e.name))
	}
	var paragraphs []string
	for _, e := range list {
		indent := "\n" + strings.Repeat(" ", width+2)
		paragraphs = append(paragraphs, fmt.Sprintf("%-*s  %s", width, e.name, strings.Join(e.lines, indent)))
	}
	return strings.Join(paragraphs, "\n\n")
}

// columns puts the first of each pair into one column, the second into another.
func columns(pairs [][2]string) []string {
	width := 0
	for _, p := range pairs {
		width = max(width, utf8.RuneCountInString(p[0]))
	}
	var lines []string
	for _, p := range pairs {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, p[0], p[1]))
	}
	return lines
}

package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable returns a table with a header, whose words keep their case. Columns from the column number firstRight on, counted from
// 1, are aligned to the right; if firstRight is 0, the values of each column decide.
func NewTable(firstRight int, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for number := firstRight; number > 0 && number <= len(header); number++ {
		configs = append(configs, table.ColumnConfig{Number: number, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}

// Entry is a name with lines of text, which Entries prints to the right of it.
type Entry struct {
	Name  string
	Lines []string
}

// Entries returns names in one column and their lines in another, with an empty line between
// two entries.
func Entries(entries []Entry) string {
	const gap = "  " // between the columns
	width := 0       // of the names, in characters
	for _, e := range entries {
		width = max(width, utf8.RuneCountInString(e.Name))
	}
	lineBreak := "\n" + strings.Repeat(" ", width) + gap // and the indent of the next line
	var paragraphs []string
	for _, e := range entries {
		text := strings.Join(e.Lines, lineBreak)
		paragraphs = append(paragraphs, fmt.Sprintf("%-*s%s%s", width, e.Name, gap, text))
	}
	return strings.Join(paragraphs, "\n\n")
}

// Pair is a term, such as a flag, with its meaning.
type Pair struct{ Term, Meaning string }

// Pairs returns a line for each pair: the terms in one column, which is as wide as the longest of them, and
// the meanings in another.
func Pairs(pairs []Pair) []string {
	width := 0 // in characters
	for _, p := range pairs {
		width = max(width, utf8.RuneCountInString(p.Term))
	}
	var lines []string
	for _, p := range pairs {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, p.Term, p.Meaning))
	}
	return lines
}

package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable returns a table with a header. Columns from the column number firstRight on, counted from
// 1, are aligned to the right; if firstRight is 0, the values of each column decide.
func NewTable(firstRight int, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for i := firstRight; i > 0 && i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
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
func Entries(list []Entry) string {
	width := 0
	for _, e := range list {
		width = max(width, utf8.RuneCountInString(e.Name))
	}
	var paragraphs []string
	for _, e := range list {
		indent := "\n" + strings.Repeat(" ", width+2)
		paragraphs = append(paragraphs, fmt.Sprintf("%-*s  %s", width, e.Name, strings.Join(e.Lines, indent)))
	}
	return strings.Join(paragraphs, "\n\n")
}

// Pairs returns a line for each pair: the first text in one column, the second in another.
func Pairs(pairs [][2]string) []string {
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

package check

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// marks are the signs before the findings of a report.
var marks = map[Status]string{
	Passed: "✓",
	Noted:  "!",
	Failed: "✗",
	Exempt: "–",
}

// maxPrintedDetails is the number of details of a finding that a report prints.
const maxPrintedDetails = 8

// String returns the findings, and a table that shows which weights each term of the objective
// trains.
func (r Report) String() string { return r.Findings.String() + r.Reach.String() }

// String returns a line for each finding, marked ✓ (passed), ! (noted), ✗ (failed) or – (exempt),
// with its details below.
func (f Findings) String() string {
	var text strings.Builder
	for _, f := range f {
		f.print(&text)
	}
	return text.String()
}

// print writes the finding's line and its details.
func (f Finding) print(text *strings.Builder) {
	fmt.Fprintf(text, "%s %-12s %s\n", marks[f.Status], f.Check, f.Message)
	for i, detail := range f.Details {
		if i == maxPrintedDetails {
			fmt.Fprintf(text, "    … and %d more\n", len(f.Details)-maxPrintedDetails)
			break
		}
		fmt.Fprintf(text, "    %s\n", detail)
	}
	if f.Exempt != "" {
		fmt.Fprintf(text, "    exempt: %s\n", f.Exempt)
	}
}

// String returns a table with a line for each term.
func (r Reach) String() string {
	if len(r.Terms) == 0 {
		return ""
	}
	heading := []string{"term"}
	for _, pass := range r.Passes {
		heading = append(heading, "reaches the "+pass)
	}
	table := [][]string{append(heading, "weights without gradient")}
	for _, t := range r.Terms {
		table = append(table, t.tableRow())
	}
	return "\n" + alignColumns(table)
}

// tableRow returns the term's row of the table that Reach.String prints.
func (t TermReach) tableRow() []string {
	row := []string{fmt.Sprintf("%s (× %v)", t.Term, t.Weight)}
	for _, reached := range t.Passes {
		if reached {
			row = append(row, "yes")
		} else {
			row = append(row, "no")
		}
	}
	untrained := "none"
	if len(t.Untrained) > 0 {
		untrained = strings.Join(t.Untrained, ", ")
	}
	if len(t.Own) > 0 {
		untrained += "; trains its own " + strings.Join(t.Own, ", ")
	}
	return append(row, untrained)
}

// alignColumns returns the rows of a table as lines, with spaces that align the columns. The rows must
// have equally many cells.
func alignColumns(table [][]string) string {
	widths := make([]int, len(table[0])) // in characters, not bytes
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	const gap = 2 // spaces between columns
	var text strings.Builder
	for _, row := range table {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+gap)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}

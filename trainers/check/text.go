package check

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var marks = map[Status]string{Passed: "✓", Noted: "!", Failed: "✗", Exempt: "–"}

// String returns the report for reading: its findings, and a table of what each
// term of the objective trains.
func (r Report) String() string { return r.Findings.String() + r.Reach.String() }

// String returns a line for each finding, marked ✓, ! (worth knowing), ✗ or – (exempt).
func (f Findings) String() string {
	var text strings.Builder
	for _, f := range f {
		fmt.Fprintf(&text, "%s %-12s %s\n", marks[f.Status], f.Check, f.Says)
		const most = 8
		for i, d := range f.Details {
			if i == most {
				fmt.Fprintf(&text, "    … and %d more\n", len(f.Details)-most)
				break
			}
			fmt.Fprintf(&text, "    %s\n", d)
		}
		if f.Exempt != "" {
			fmt.Fprintf(&text, "    exempt: %s\n", f.Exempt)
		}
	}
	return text.String()
}

// String returns a table with a line for each term.
func (r reach) String() string {
	if len(r.Terms) == 0 {
		return ""
	}
	table := [][]string{{"term"}}
	for _, p := range r.Passes {
		table[0] = append(table[0], "reaches the "+p)
	}
	table[0] = append(table[0], "weights without gradient")
	for _, t := range r.Terms {
		row := []string{fmt.Sprintf("%s (× %v)", t.Term, t.Weight)}
		for _, yes := range t.Passes {
			row = append(row, map[bool]string{true: "yes", false: "no"}[yes])
		}
		misses := strings.Join(t.Misses, ", ")
		if misses == "" {
			misses = "none"
		}
		if len(t.Own) > 0 {
			misses += "; trains its own " + strings.Join(t.Own, ", ")
		}
		table = append(table, append(row, misses))
	}
	return "\n" + aligned(table)
}

// aligned puts the columns of a table below each other.
func aligned(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range table {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}

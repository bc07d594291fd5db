package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/internal/safefile"
)

// Between these marks of the page is what tables makes.
const (
	begin = "<!-- made by go run ./bench -table -->\n"
	end   = "<!-- end of what is made -->\n"
)

// writeTables puts the tables of a file of results into a page.
func writeTables(page, results string) error {
	r, err := readReport(results)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	made, err := withTables(string(old), r)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return safefile.Write(page, func(w io.Writer) error {
		_, err := io.WriteString(w, made)
		return err
	})
}

// withTables is a page with the tables of results between its marks.
func withTables(page string, r report) (string, error) {
	before, rest, ok := strings.Cut(page, begin)
	_, after, also := strings.Cut(rest, end)
	if !ok || !also {
		return "", fmt.Errorf("want a line %q and, behind it, a line %q: tables go between them", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + tables(r) + end + after, nil
}

// tables are those of methods and of sizes, in Markdown.
func tables(r report) string {
	var fewest, most int
	for _, one := range r.Results {
		if n := len(one.Times); fewest == 0 || n < fewest {
			fewest = n
		}
		most = max(most, len(one.Times))
	}
	rounds := fmt.Sprint(most)
	if fewest < most {
		rounds = fmt.Sprintf("%d to %d", fewest, most)
	}
	methods := newTable("case", "inputs, rows", "compiled engine", "GFLOP/s", "tape machine", "PyTorch")
	for _, b := range methodCases() {
		if row := r.row(b, 1, side{tape, 1}, side{torch, 1}); row != nil {
			name := strings.Replace(strings.Replace(b.Case, "-step", " step", 1), "predict", "200 sub-networks", 1)
			methods.AppendRow(append(table.Row{name, fmt.Sprintf("%d, %d", b.Inputs, b.Rows)}, row...))
		}
	}
	sizes := newTable("width", "inputs, rows", "threads", "compiled engine", "GFLOP/s", "× one thread", "PyTorch", "stacked", "stacked, 16 bits")
	for _, b := range sizeCases() {
		for _, n := range threads {
			row := r.row(b, n, side{torch, n}, side{stacked, n}, side{stacked16, n})
			if row == nil {
				continue
			}
			row = slices.Insert(row, 2, any(r.gain(b, n)))
			sizes.AppendRow(append(table.Row{b.Width, fmt.Sprintf("%d, %d", b.Inputs, b.Rows), n}, row...))
		}
	}
	title := fmt.Sprintf("On %s. Medians of %s rounds. A time of another program is followed by its ratio to the compiled engine's time, with the quartiles over the rounds.", r.title(), rounds)
	bySize := "The SML step by size and threads; the time of a stack is divided by its number of networks:"
	if !slices.ContainsFunc(r.Results, func(one result) bool { return one.Engine == compiled && one.Threads > 1 }) {
		bySize = "The SML step by size and threads, of which the compiled engine has one; the time of a stack is divided by its number of networks:"
	}
	return strings.Join([]string{title, methods.RenderMarkdown(), bySize, sizes.RenderMarkdown()}, "\n\n") + "\n"
}

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.AppendHeader(header)
	var right []table.ColumnConfig
	for i := 3; i <= len(header); i++ {
		right = append(right, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	return t
}

// row is our time and rate of a case on so many threads, then the others' times; nil
// where nothing was timed.
func (r report) row(b benchmark, threads int, others ...side) table.Row {
	ours, known := r.of(b, side{compiled, threads})
	timed := known
	row := table.Row{"–", "–"}
	if known {
		_, us, _ := quartiles(ours.Times)
		row[0] = duration(us)
		if ours.Operations > 0 {
			row[1] = fmt.Sprintf("%.0f", float64(ours.Operations)/us/1e3)
		}
	}
	for _, s := range others {
		cell := "–"
		if other, ok := r.of(b, s); ok {
			_, us, _ := quartiles(other.Times)
			cell = duration(us)
			if known {
				cell += " · " + spread(ours.ratios(other))
			}
			timed = true
		}
		row = append(row, cell)
	}
	if !timed {
		return nil
	}
	return row
}

// gain is how many times faster we are on more than one thread than on one.
func (r report) gain(b benchmark, n int) string {
	one, ok := r.of(b, side{compiled, 1})
	more, also := r.of(b, side{compiled, n})
	if n == 1 || !ok || !also {
		return "–"
	}
	return spread(more.ratios(one))
}

// spread is a median with its quartiles.
func spread(ratios []float64) string {
	low, median, high := quartiles(ratios)
	digits := func(v float64) string {
		if v < 10 {
			return fmt.Sprintf("%.2f", v)
		}
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%s (%s–%s)", digits(median), digits(low), digits(high))
}

// duration has three digits.
func duration(us float64) string {
	unit, v := "µs", us
	switch {
	case us >= 1e6:
		unit, v = "s", us/1e6
	case us >= 1e3:
		unit, v = "ms", us/1e3
	}
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 10:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.2f %s", v, unit)
}

// summary is a case as it is printed when it is done.
func summary(results []result) string {
	r := report{Results: results}
	var parts []string
	for _, one := range results {
		_, us, _ := quartiles(one.Times)
		part := fmt.Sprintf("%s/%d %s", one.Engine, one.Threads, duration(us))
		if one.Operations > 0 {
			part += fmt.Sprintf(" (%.0f GFLOP/s)", float64(one.Operations)/us/1e3)
		}
		if ours, ok := r.of(one.benchmark, side{compiled, one.Threads}); ok && one.Engine != compiled {
			part += " · " + spread(ours.ratios(one))
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%-24v %s", results[0].benchmark, strings.Join(parts, ", "))
}

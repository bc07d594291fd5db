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

// tables returns the table of methods and the table of sizes, in Markdown.
func tables(r report) string {
	title := fmt.Sprintf("On %s. Medians of %s rounds. Columns of other programs say how many times as long they take as the compiled engine. `bench/results.json` has all cases and rounds.", r.title(), r.rounds())
	bySize := fmt.Sprintf("The step of `sml` by size, with 90 inputs. The last two columns are ratios on one thread; *× %d threads* is the gain of the compiled engine:", mostThreads())
	return strings.Join([]string{title, r.methodTable(), bySize, r.sizeTable()}, "\n\n") + "\n"
}

// rounds returns the number of rounds of the cases, as a range if it varies.
func (r report) rounds() string {
	var fewest, most int
	for _, one := range r.Results {
		if n := len(one.Times); fewest == 0 || n < fewest {
			fewest = n
		}
		most = max(most, len(one.Times))
	}
	if fewest < most {
		return fmt.Sprintf("%d to %d", fewest, most)
	}
	return fmt.Sprint(most)
}

// On the page are some of the cases. The file of results has all.
var (
	pageMethods = []string{"sml", "mc", "quantiles", "mdn", "w-dropout", "concrete", "bayes"}
	pageWidths  = []int{50, 256, 1024}
	pageRows    = []int{10, 100, 1000, 10_000}
)

// isOnPage reports whether the table of methods has a row for a case.
func isOnPage(b benchmark) bool {
	method, isStep := strings.CutSuffix(b.Case, "-step")
	return !isStep || slices.Contains(pageMethods, method) && b.Inputs == 13
}

// methodTable returns the table that compares methods on one thread.
func (r report) methodTable() string {
	methods := newTable("case", "inputs, rows", "compiled engine", "tape machine", "PyTorch")
	for _, b := range methodCases() {
		if !isOnPage(b) {
			continue
		}
		if row := r.row(b, side{tape, 1}, side{torch, 1}); row != nil {
			name := strings.Replace(strings.Replace(b.Case, "-step", " step", 1), "predict", "200 sub-networks", 1)
			row = slices.Delete(row, 1, 2) // the rate
			methods.AppendRow(append(table.Row{name, fmt.Sprintf("%d, %d", b.Inputs, b.Rows)}, row...))
		}
	}
	return methods.RenderMarkdown()
}

// sizeTable returns the table that compares sizes of the step of sml.
func (r report) sizeTable() string {
	sizes := newTable("width", "rows", "one thread", "GFLOP/s", fmt.Sprintf("× %d threads", mostThreads()), "PyTorch", "stacked")
	for _, b := range sizeCases() {
		if b.Inputs != 90 || !slices.Contains(pageWidths, b.Width) || !slices.Contains(pageRows, b.Rows) {
			continue
		}
		if row := r.row(b, side{torch, 1}, side{stacked, 1}); row != nil {
			row = slices.Insert(row, 2, any(r.gain(b, mostThreads())))
			sizes.AppendRow(append(table.Row{b.Width, b.Rows}, row...))
		}
	}
	return sizes.RenderMarkdown()
}

// mostThreads returns the largest number of threads that is timed.
func mostThreads() int { return slices.Max(threads) }

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

// row returns the compiled engine's time and rate of a case on one thread, then the ratios of other
// programs' times to it. It returns nil if the compiled engine was not timed.
func (r report) row(b benchmark, others ...side) table.Row {
	ours, ok := r.of(b, side{compiled, 1})
	if !ok {
		return nil
	}
	_, us, _ := quartiles(ours.Times)
	row := table.Row{duration(us), "–"}
	if ours.Operations > 0 {
		row[1] = fmt.Sprintf("%.0f", float64(ours.Operations)/us/1e3)
	}
	for _, s := range others {
		cell := "–"
		if other, ok := r.of(b, s); ok {
			cell = median(ours.ratios(other))
		}
		row = append(row, cell)
	}
	return row
}

// gain returns how many times as fast the compiled engine is on n threads as on one, or a dash if
// either was not timed.
func (r report) gain(b benchmark, n int) string {
	one, hasOne := r.of(b, side{compiled, 1})
	more, hasMore := r.of(b, side{compiled, n})
	if !hasOne || !hasMore {
		return "–"
	}
	return median(more.ratios(one))
}

// median returns the median of ratios with three digits.
func median(ratios []float64) string {
	_, middle, _ := quartiles(ratios)
	return threeDigits(middle)
}

// spread returns the median of ratios with its quartiles.
func spread(ratios []float64) string {
	low, middle, high := quartiles(ratios)
	return fmt.Sprintf("%s (%s–%s)", threeDigits(middle), threeDigits(low), threeDigits(high))
}

func threeDigits(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.2f", ratio)
	}
	return fmt.Sprintf("%.1f", ratio)
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

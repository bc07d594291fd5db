package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/internal/safefile"
)

// Lines of the page before and after the generated tables.
const (
	tablesBegin = "<!-- made by go run ./bench -table -->\n"
	tablesEnd   = "<!-- end of the generated tables -->\n"
)

// writeTables replaces the tables in the file page by the tables of the results in the file results.
func writeTables(page, results string) error {
	r, err := readReport(results)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	newText, err := replaceTables(string(text), r)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return safefile.Write(page, safefile.WriteBytes([]byte(newText)))
}

// replaceTables returns the text of a page with the tables of r between the lines tablesBegin and
// tablesEnd. It returns an error if the page does not have these lines in this order.
func replaceTables(page string, r report) (string, error) {
	before, rest, hasBegin := strings.Cut(page, tablesBegin)
	_, after, hasEnd := strings.Cut(rest, tablesEnd)
	if !hasBegin || !hasEnd {
		return "", fmt.Errorf("want a line %q and, later, a line %q: the tables stand between them", strings.TrimSpace(tablesBegin), strings.TrimSpace(tablesEnd))
	}
	return before + tablesBegin + tables(r) + tablesEnd + after, nil
}

// tables returns the table of methods and the table of sizes, in Markdown.
func tables(r report) string {
	title := fmt.Sprintf("On %s. Medians of %s rounds. Columns of other programs say how many times as long they take as the compiled engine. `bench/results.json` has all cases and rounds.", r.title(), r.rounds())
	bySize := fmt.Sprintf("The step of `sml` by size, with 90 inputs. The last two columns are ratios on one thread; *× %d threads* is the gain of the compiled engine:", mostThreads())
	return strings.Join([]string{title, r.methodTable(), bySize, r.sizeTable()}, "\n\n") + "\n"
}

// rounds returns the number of rounds of the cases, as a range if it varies.
func (r report) rounds() string {
	minRounds, maxRounds := math.MaxInt, 0
	for _, result := range r.Results {
		minRounds = min(minRounds, len(result.Times))
		maxRounds = max(maxRounds, len(result.Times))
	}
	if minRounds < maxRounds {
		return fmt.Sprintf("%d to %d", minRounds, maxRounds)
	}
	return fmt.Sprint(maxRounds)
}

// Cases on the page, which shows only some of those in the file of results: methods in the table of
// methods, and widths and rows in the table of sizes.
var (
	pageMethods = []string{"sml", "mc", "quantiles", "mdn", "w-dropout", "concrete", "bayes"}
	pageWidths  = []int{50, 256, 1024}
	pageRows    = []int{10, 100, 1000, 10_000}
)

// Numbers of features of the steps in the two tables.
const (
	methodTableInputs = 13
	sizeTableInputs   = 90
)

// isInMethodTable reports whether the table of methods has a row for a case: for a step of some methods,
// and for all other cases.
func isInMethodTable(b benchmark) bool {
	method, isStep := strings.CutSuffix(b.Case, "-step")
	return !isStep || slices.Contains(pageMethods, method) && b.Inputs == methodTableInputs
}

// isInSizeTable reports whether the table of sizes has a row for a case.
func isInSizeTable(b benchmark) bool {
	return b.Inputs == sizeTableInputs && slices.Contains(pageWidths, b.Width) && slices.Contains(pageRows, b.Rows)
}

// methodTable returns the table that compares methods on one thread.
func (r report) methodTable() string {
	t := newTable("case", "inputs, rows", "compiled engine", "tape machine", "PyTorch")
	for _, b := range methodCases() {
		ours, ok := r.find(b, side{compiled, 1})
		if !ok || !isInMethodTable(b) {
			continue
		}
		t.AppendRow(table.Row{
			caseTitle(b.Case),
			fmt.Sprintf("%d, %d", b.Inputs, b.Rows),
			formatDuration(ours.median()),
			r.ratio(ours, side{tape, 1}),
			r.ratio(ours, side{torch, 1}),
		})
	}
	return t.RenderMarkdown()
}

// caseTitle returns the title of a case in the table, such as "sml step".
func caseTitle(name string) string {
	if name == "predict" {
		return "200 sub-networks"
	}
	return strings.Replace(name, "-step", " step", 1)
}

// sizeTable returns the table that compares sizes of the step of sml.
func (r report) sizeTable() string {
	t := newTable("width", "rows", "one thread", "GFLOP/s", fmt.Sprintf("× %d threads", mostThreads()), "PyTorch", "stacked")
	for _, b := range sizeCases() {
		ours, ok := r.find(b, side{compiled, 1})
		if !ok || !isInSizeTable(b) {
			continue
		}
		rate := noValue
		if ours.Operations > 0 {
			rate = fmt.Sprintf("%.0f", ours.gigaflops())
		}
		t.AppendRow(table.Row{
			b.Width,
			b.Rows,
			formatDuration(ours.median()),
			rate,
			r.gain(b, mostThreads()),
			r.ratio(ours, side{torch, 1}),
			r.ratio(ours, side{stacked, 1}),
		})
	}
	return t.RenderMarkdown()
}

// mostThreads returns the largest number of threads that is timed.
func mostThreads() int { return slices.Max(timedThreads) }

// newTable returns a table whose first two columns name a case and whose other columns, with numbers, are
// aligned to the right.
func newTable(header ...any) table.Writer {
	const firstNumber = 3 // number of the first column of numbers, from 1
	t := table.NewWriter()
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for i := firstNumber; i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}

// noValue stands in a table for a value that was not measured.
const noValue = "–"

// ratio returns how many times as long as ours another side takes for the same case, as the median over
// the rounds. It returns noValue if the other side was not timed.
func (r report) ratio(ours result, s side) string {
	other, ok := r.find(ours.benchmark, s)
	if !ok {
		return noValue
	}
	return formatMedianRatio(ours.timeRatios(other))
}

// gain returns how many times as fast the compiled engine is on a number of threads as on one, or
// noValue if either was not timed.
func (r report) gain(b benchmark, threads int) string {
	single, hasSingle := r.find(b, side{compiled, 1})
	parallel, hasParallel := r.find(b, side{compiled, threads})
	if !hasSingle || !hasParallel {
		return noValue
	}
	return formatMedianRatio(parallel.timeRatios(single))
}

// formatMedianRatio returns the median of ratios, such as "2.00".
func formatMedianRatio(ratios []float64) string {
	_, median, _ := quartiles(ratios)
	return formatRatio(median)
}

// formatRatios returns the median of ratios with the quartiles, such as "2.00 (1.95–2.10)".
func formatRatios(ratios []float64) string {
	low, median, high := quartiles(ratios)
	return fmt.Sprintf("%s (%s–%s)", formatRatio(median), formatRatio(low), formatRatio(high))
}

// formatRatio returns a ratio with two decimals, or one if it is at least 10.
func formatRatio(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.2f", ratio)
	}
	return fmt.Sprintf("%.1f", ratio)
}

// formatDuration returns a duration with three digits, in µs, ms or s.
func formatDuration(microseconds float64) string {
	value, unit := microseconds, "µs"
	switch {
	case microseconds >= 1e6:
		value, unit = microseconds/1e6, "s"
	case microseconds >= 1e3:
		value, unit = microseconds/1e3, "ms"
	}
	decimals := 2
	switch {
	case value >= 100:
		decimals = 0
	case value >= 10:
		decimals = 1
	}
	return fmt.Sprintf("%.*f %s", decimals, value, unit)
}

// summary returns the line that is printed for the results of a case: the median of each side, its rate,
// and the ratio of its time to the compiled engine's on the same number of threads.
func summary(results []result) string {
	r := report{Results: results}
	var summaries []string
	for _, one := range results {
		text := fmt.Sprintf("%s/%d %s", one.Engine, one.Threads, formatDuration(one.median()))
		if one.Operations > 0 {
			text += fmt.Sprintf(" (%.0f GFLOP/s)", one.gigaflops())
		}
		ours, ok := r.find(one.benchmark, side{compiled, one.Threads})
		if ok && one.Engine != compiled {
			text += " · " + formatRatios(ours.timeRatios(one))
		}
		summaries = append(summaries, text)
	}
	return fmt.Sprintf("%-24v %s", results[0].benchmark, strings.Join(summaries, ", "))
}

package cmd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/data"
)

// write writes the description of table t for people: a heading, a line for each column, and the
// suspicions. all adds the columns and suspicions that are left out of a long description.
func (d describeResult) write(w io.Writer, t *data.Table, all bool) {
	d.writeHeading(w, t)
	shown := d.sortedColumns()
	if !all {
		shown = d.shownColumns(shown)
	}
	fmt.Fprintln(w, d.columnTable(shown, terminal.Width(w)))
	if more := len(d.Columns) - len(shown); more > 0 {
		fmt.Fprintf(w, "and %s like these, which --all shows\n", terminal.Count(more, "more column"))
	}
	d.writeTogether(w)
	d.writeSuspicions(w, all)
	switch {
	case d.preparationErr != nil:
		// The caller returns it.
	case d.Command == "":
		fmt.Fprintln(w, "No training is recommended: every input gives a target away or is left out.")
	default:
		fmt.Fprintf(w, "To train a model on it%s:\n%s\n", d.describeTest(), d.Command)
	}
}

// describeTest says what the test rows of the recommended command flatter. It returns "" if they are fair.
func (d describeResult) describeTest() string {
	reasons := map[summary.Kind]string{
		summary.Neighbours: "neighbouring rows are alike",
		summary.Copies:     "there are copies of rows",
	}
	for _, s := range d.Suspicions {
		if reasons[s.Kind] != "" && d.recommendSplit().kind == "random" {
			return ", with test rows at random, which flatter since " + reasons[s.Kind]
		}
	}
	return ""
}

// sortedColumns returns the targets, then the inputs, the most predictive ones first, and then all other
// columns.
func (d describeResult) sortedColumns() []describedColumn {
	order := map[summary.Role]int{summary.Target: 0, summary.Input: 1, summary.Extra: 2, summary.Weight: 3}
	sorted := slices.Clone(d.Columns)
	slices.SortStableFunc(sorted, func(a, b describedColumn) int {
		byRole := cmp.Compare(order[a.Role], order[b.Role])
		return cmp.Or(byRole, cmp.Compare(b.bestR2(), a.bestR2()))
	})
	return sorted
}

// bestR2 returns how well the column predicts the target that it predicts best, 0 if it is no input.
func (c describedColumn) bestR2() float64 {
	best := 0.0
	for _, p := range c.Predicts {
		best = max(best, p.R2)
	}
	return best
}

// writeTogether writes how well all inputs together predict each target, and what the scores are.
func (d describeResult) writeTogether(w io.Writer) {
	if len(d.Together) == 0 {
		return
	}
	var scores []string
	for _, p := range d.Together {
		scores = append(scores, fmt.Sprintf("%s %.2f", p.Target, p.R2))
	}
	sample := ""
	if d.ScoredRows < d.Rows {
		sample = fmt.Sprintf(" (%d rows looked at)", d.ScoredRows)
	}
	fmt.Fprintf(w, "R² on held-out rows%s: each column alone, by a small tree; all but leaks together, by ridge regression: %s\n", sample, strings.Join(scores, ", "))
}

// writeHeading writes the size of table t, the rows that are left out of it and, for a registered data set,
// its source. The meaning of its registered target is left out if the user has chosen other targets.
func (d describeResult) writeHeading(w io.Writer, t *data.Table) {
	fmt.Fprintf(w, "%s: %d rows, %d inputs, %d target column(s)\n", d.Name, d.Rows, len(t.Columns), len(t.Targets))
	for _, line := range describeLeftOut(t) {
		fmt.Fprintln(w, line)
	}
	set, err := data.Lookup(d.Name)
	if err != nil { // a file
		return
	}
	if slices.Equal(t.Targets, []string{set.Target}) {
		fmt.Fprintf(w, "target: %s\n", set.Meaning)
	}
	fmt.Fprintf(w, "source: %s\nlicence: %s\n", set.Source, set.Licence)
}

// columnTable returns the table of the shown columns. Lines longer than maxWidth are cut, not wrapped;
// 0 is no limit. The last columns of the table say how well a column predicts the target, unless there
// are too few rows, and how train prepares it, unless it prepares none.
func (d describeResult) columnTable(shown []describedColumn, maxWidth int) string {
	const ( // characters in a cell
		maxName        = 24
		maxPreparation = 48
	)
	isPrepared := slices.ContainsFunc(d.Columns, func(c describedColumn) bool { return c.Prepared != "" })
	header := []any{"COLUMN", "", "KIND", "MISSING", "RANGE OR CATEGORIES", "HISTOGRAM", "R"}
	if d.Together != nil {
		header = append(header, "R²")
	}
	if isPrepared {
		header = append(header, "TRAIN")
	}
	out := terminal.NewTable(0, header...)
	out.Style().Size.WidthMax = maxWidth
	for _, c := range shown {
		var missing any = "" // an empty cell in place of 0
		if c.Missing > 0 {
			missing = c.Missing
		}
		row := table.Row{
			terminal.Shorten(c.Name, maxName),
			c.role(),
			c.Kind,
			missing,
			c.values(),
			bars(c.Histogram),
			c.correlation(),
		}
		if d.Together != nil {
			row = append(row, c.predictiveness())
		}
		if isPrepared {
			row = append(row, terminal.Shorten(c.Prepared, maxPreparation))
		}
		out.AppendRow(row)
	}
	return out.Render()
}

// correlation formats the correlation with the target, "" if there is none. With several targets it is
// the first target's or, if others are stronger than that one, the last of these.
func (c describedColumn) correlation() string {
	text := ""
	for i, r := range c.WithTarget {
		if i == 0 || math.Abs(r.R) > math.Abs(c.WithTarget[0].R) {
			text = fmt.Sprintf("%+.2f", r.R)
		}
	}
	return text
}

// predictiveness formats how well the column alone predicts the target, "" if it is no input.
func (c describedColumn) predictiveness() string {
	if c.Predicts == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", c.bestR2())
}

// shownColumns returns the columns to print: all sorted columns, or of a wide table the first columns of
// each kind of preparation, all columns that are not inputs, and columns with a suspicion as long as there
// is room. The kind of a preparation is the first word of its description.
func (d describeResult) shownColumns(sorted []describedColumn) (shown []describedColumn) {
	const (
		maxColumns = 40 // a wide table has more; two screens of a terminal
		maxPerKind = 10 // columns of a wide table with the same kind of preparation
	)
	if len(sorted) <= maxColumns {
		return sorted
	}
	isSuspicious := make(map[string]bool) // by the column's name
	for _, s := range d.Suspicions {
		for _, name := range s.Columns {
			isSuspicious[name] = true
		}
	}
	count := make(map[string]int) // number of inputs so far, by the kind of their preparation
	for _, c := range sorted {
		if c.Role != summary.Input {
			shown = append(shown, c)
			continue
		}
		kind, _, _ := strings.Cut(c.Prepared, " ")
		count[kind]++
		hasRoom := len(shown) < maxColumns
		if count[kind] <= maxPerKind || isSuspicious[c.Name] && hasRoom {
			shown = append(shown, c)
		}
	}
	return shown
}

// role returns what the column is used for, and whether it is constant.
func (c describedColumn) role() string {
	if c.Distinct == 1 && c.Missing == 0 {
		return string(c.Role) + ", constant"
	}
	return string(c.Role)
}

// values describes the column's values for a cell of the printed table: the categories, the range of
// dates, or the range, mean and standard deviation of numbers.
func (c describedColumn) values() string {
	switch {
	case c.Kind == data.Category:
		return c.describeCategories()
	case c.Numbers == nil:
		return "empty"
	case c.Kind == data.Date:
		return c.Show(c.Min) + " … " + c.Show(c.Max)
	}
	text := fmt.Sprintf("%.5g … %.5g (%.4g ± %.4g)", c.Min, c.Max, c.Mean, c.Std)
	const notableFraction = 0.1 // fraction of zeros from which the description of an input mentions them
	if c.Role == summary.Target || c.ZeroFraction >= notableFraction {
		percent := math.Round(1000*c.ZeroFraction) / 10 // with one decimal
		text += fmt.Sprintf(", %v%% zeros", percent)
	}
	return text
}

// describeCategories returns the number of categories, and the most frequent ones with their numbers
// of rows.
func (c describedColumn) describeCategories() string {
	const maxText = 36 // characters in a cell
	var frequencies []string
	for _, category := range c.Categories {
		frequencies = append(frequencies, fmt.Sprintf("%s %d", category.Text, category.Rows))
	}
	text := terminal.Count(c.Distinct, "category") + ": " + strings.Join(frequencies, ", ")
	return terminal.Shorten(text, maxText)
}

// bars draws a histogram, one character for each of its counts: a blank for 0, and the highest bar
// for the largest count.
func bars(histogram []int) string {
	heights := []rune("▁▂▃▄▅▆▇█") // ascending
	largest := 0
	for _, count := range histogram {
		largest = max(largest, count)
	}
	var text strings.Builder
	for _, count := range histogram {
		if count == 0 {
			text.WriteByte(' ')
			continue
		}
		// Proportional, rounded up: a small count has the lowest bar, the largest count the last.
		height := (count*len(heights) - 1) / largest
		text.WriteRune(heights[height])
	}
	return text.String()
}

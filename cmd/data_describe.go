package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/internal/preparation"
	"sml/trainers"
)

// describeCommand returns the command "sml data describe".
func describeCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "describe",
		Usage:     "describe the columns of a data set or file, and what looks suspicious",
		UsageText: "sml data describe NAME|FILE|- [options]",
		Description: "Print a line for each column: its kind, the number of missing values, its range with mean and standard\n" +
			"deviation or its most frequent categories, a histogram (numbers in ten equal parts of the range, categories from\n" +
			"the most frequent on), its correlation r with the target, and how train prepares it. The fraction of zeros is given\n" +
			"for targets, and for inputs with at least a tenth of zeros. Suspicions follow below.",
		Action: argumentAction("the name of a data set or file", describeData),
	}, []string{
		"sml data describe houses.csv",
		"sml data describe houses.csv --target price --drop id --json",
	}, optionGroup{flags: append(dataFlags()[1:],
		&cli.BoolFlag{Name: "all", Usage: "show every column of a wide table"},
		jsonFlag())})
}

// describeResult is the result of "sml data describe".
type describeResult struct {
	Name string `json:"name"`
	*summary.Summary
	Columns    []describedColumn `json:"columns"`    // replaces the columns of Summary
	Suspicions []suspicion       `json:"suspicions"` // replaces the suspicions of Summary

	preparationErr error // why train cannot prepare the table; nil if it can
}

// describedColumn is a column with a description of its preparation.
type describedColumn struct {
	summary.Column
	Prepared string `json:"prepared,omitempty"` // its preparation by train; "" if it is used unchanged
}

// suspicion is a suspicion with what the user can do about it.
type suspicion struct {
	summary.Suspicion
	Advice string `json:"advice"`
}

// describeData prints what the columns of a table contain, and what looks suspicious. name is a data
// set, a file, or "-" for standard input. A table that train cannot prepare is described, too; the
// error then says why it cannot be trained on.
func describeData(c *cli.Context, name string) error {
	source, err := chosenSource(c, name)
	if err != nil {
		return err
	}
	name = source.Name // the name as messages have it: standard input for "-"
	t, err := readToDescribe(c, source)
	if err != nil {
		return err
	}
	noteTable(c, t)
	d, err := await(c.Context, func() (describeResult, error) { return describeTable(c.Context, t, source) })
	if err != nil {
		return err
	}
	err = printResult(c, d, func(w io.Writer) error { return d.write(w, t, c.Bool("all")) })
	if d.preparationErr != nil { // matters more than a description that could not be printed
		return fmt.Errorf("%s cannot be trained on like this: %w", name, d.preparationErr)
	}
	return err
}

// readToDescribe reads the table of source. A target with texts is read as class labels; only
// standard input, which cannot be read a second time, returns an error for one.
func readToDescribe(c *cli.Context, source experiment.Source) (*data.Table, error) {
	settings := experiment.Settings{
		Table:    source,
		Training: trainers.Settings{Protocol: data.Sound},
	}
	dataDir := c.String("data-dir")
	t, err := readTable(c, settings, dataDir)
	isRereadable := source.Name != experiment.StandardInput
	if errors.Is(err, read.ErrLabels) && isRereadable {
		settings.Table.Classes = true
		return readTable(c, settings, dataDir)
	}
	return t, err
}

// describeTable summarises the table t of source and fits the preparation that train would fit to
// all rows. A preparation that fails is no error of describeTable: the result keeps its error.
func describeTable(ctx context.Context, t *data.Table, source experiment.Source) (describeResult, error) {
	tableSummary, err := summary.New(ctx, t)
	if err != nil {
		return describeResult{}, err
	}
	var prepared *preparation.Preparation // nil if train uses the table unchanged
	var preparationErr error
	if t.TargetFields == nil { // the targets are numbers
		source = source.WithTargetDefaults(preparation.Auto)
	}
	if source.Prepared() || source.Transform != "" || source.Support != "" {
		prepared, preparationErr = preparation.Fit(t, nil, source.Options)
	}
	return describeResult{
		Name:           source.Name,
		Summary:        tableSummary,
		Columns:        describePreparedColumns(tableSummary.Columns, prepared),
		Suspicions:     adviseOn(tableSummary.Suspicions, t.Targets, prepared),
		preparationErr: preparationErr,
	}, nil
}

// describePreparedColumns adds to each column how train prepares it. prepared is nil if train uses the table
// unchanged. Its columns are the inputs, which come first among the columns.
func describePreparedColumns(columns []summary.Column, prepared *preparation.Preparation) []describedColumn {
	var described []describedColumn
	target := 0 // index of the next target
	for i, c := range columns {
		column := describedColumn{Column: c}
		switch {
		case prepared == nil:
			// The column is used unchanged.
		case c.Role == summary.Input:
			column.Prepared = prepared.Columns[i].Describe()
		case c.Target:
			column.Prepared = describeTarget(prepared, target)
			target++
		}
		described = append(described, column)
	}
	return described
}

// adviseOn returns the suspicions that the preparation does not settle, with advice. prepared is nil
// if train uses the table unchanged. The result is never nil, so that JSON has an empty list.
func adviseOn(suspicions []summary.Suspicion, targets []string, prepared *preparation.Preparation) []suspicion {
	advised := []suspicion{}
	for _, s := range suspicions {
		if !isSettled(s, targets, prepared) {
			advised = append(advised, suspicion{Suspicion: s, Advice: advice(s)})
		}
	}
	return advised
}

// isSettled reports whether the preparation makes a suspicion pointless: it transforms a skewed
// target, or leaves the suspicious column out. A column of times or groups remains suspicious when it is
// left out, since the split of the rows should follow it. targets has the names of the targets. prepared is
// nil if train uses the table unchanged, which settles nothing.
func isSettled(s summary.Suspicion, targets []string, prepared *preparation.Preparation) bool {
	if prepared == nil {
		return false
	}
	switch s.Kind {
	case summary.Skewed:
		target := slices.Index(targets, s.Column)
		return prepared.Targets != nil && prepared.Targets[target].Name != ""
	case summary.Groups, summary.Time:
		return false
	}
	return slices.ContainsFunc(prepared.Columns, func(column preparation.Column) bool {
		isLeftOut := column.Dropped != "" // the reason, such as "constant"
		return column.Name == s.Column && isLeftOut
	})
}

// advice suggests to the user how to deal with a suspicion. It returns "" for a kind without advice.
func advice(s summary.Suspicion) string {
	name := terminal.ShellWord(s.Column)
	switch s.Kind {
	case summary.LikeTarget:
		return "is it known when you predict? If not: --drop " + name
	case summary.Duplicate, summary.Constant:
		return "it adds nothing that is known: --drop " + name
	case summary.Counter:
		return "if it is no more than the number of a row: --drop " + name
	case summary.Time:
		return "to predict what comes later, test on what comes later: --split time --time " + name
	case summary.Groups:
		return "to predict others than these, keep each on one side: --split group --group " + name
	case summary.Neighbours:
		return "if rows stand in the order of time or in groups, random folds flatter: --split time, --split group"
	case summary.Copies:
		return "copies on both sides of a split flatter; take out what is no measurement of its own"
	case summary.FewValues:
		return "σ and intervals speak of a continuous target; if the values are classes: --method classes"
	case summary.Skewed:
		return "--transform " + s.Transform
	case summary.Inflated:
		return spikeAdvice
	case summary.Far:
		return "look whether it is a mistake; if not, its logarithm may be the better input"
	case summary.Code:
		return "write an empty field in its place if it stands for a missing value"
	}
	return ""
}

// write writes the description of table t for people: a heading, a line for each column, and the
// suspicions. all adds the columns and suspicions that are left out of a long description.
func (d describeResult) write(w io.Writer, t *data.Table, all bool) error {
	d.writeHeading(w, t)
	shown := d.Columns
	if !all {
		shown = d.shownColumns()
	}
	if _, err := fmt.Fprintln(w, d.columnTable(shown, terminal.Width(w))); err != nil {
		return err
	}
	if more := len(d.Columns) - len(shown); more > 0 {
		fmt.Fprintf(w, "and %s like these, which --all shows\n", terminal.Count(more, "more column"))
	}
	return d.writeSuspicions(w, all)
}

// writeHeading writes the size of table t, the rows that are left out of it and, for a registered data set,
// its source. The meaning of its registered target is left out if the user has chosen other targets.
func (d describeResult) writeHeading(w io.Writer, t *data.Table) {
	fmt.Fprintf(w, "%s: %d rows, %d inputs, %d target column(s)\n", d.Name, d.Rows, len(t.Columns), len(t.Targets))
	for _, line := range describeLeftOut(d.Unlabelled, d.Blank, d.Incomplete) {
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
// 0 is no limit. The last column of the table says how train prepares the columns; it is left out
// if train prepares none.
func (d describeResult) columnTable(shown []describedColumn, maxWidth int) string {
	const ( // characters in a cell
		maxName        = 24
		maxPreparation = 48
	)
	isPrepared := slices.ContainsFunc(d.Columns, func(c describedColumn) bool { return c.Prepared != "" })
	header := []any{"column", "", "kind", "missing", "range or categories", "histogram", "r"}
	if isPrepared {
		header = append(header, "train")
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

// shownColumns returns the columns to print: all columns, or of a wide table the first columns of
// each kind of preparation, all columns that are not inputs, and columns with a suspicion as long as there
// is room. The kind of a preparation is the first word of its description.
func (d describeResult) shownColumns() (shown []describedColumn) {
	const (
		maxColumns = 40 // a wide table has more; two screens of a terminal
		maxPerKind = 10 // columns of a wide table with the same kind of preparation
	)
	if len(d.Columns) <= maxColumns {
		return d.Columns
	}
	isSuspicious := make(map[string]bool) // by the column's name
	for _, s := range d.Suspicions {
		isSuspicious[s.Column] = true
	}
	count := make(map[string]int) // number of columns so far, by the kind of their preparation
	for _, c := range d.Columns {
		kind, _, _ := strings.Cut(c.Prepared, " ")
		count[kind]++
		hasRoom := len(shown) < maxColumns
		if count[kind] <= maxPerKind || isSuspicious[c.Name] && hasRoom || c.Role != summary.Input {
			shown = append(shown, c)
		}
	}
	return shown
}

// writeSuspicions writes all suspicions, or else the first ones of each kind, which are the strongest,
// and how many of the kind are left out.
func (d describeResult) writeSuspicions(w io.Writer, all bool) error {
	const maxPerKind = 6                // suspicions of a kind, so that none fills the screen
	count := make(map[summary.Kind]int) // number of suspicions so far
	for _, s := range d.Suspicions {
		count[s.Kind]++
		if !all && count[s.Kind] > maxPerKind {
			continue
		}
		subject := "" // of a suspicion about rows
		if s.Column != "" {
			subject = s.Column + ": "
		}
		if _, err := fmt.Fprintf(w, "! %s%s; %s\n", subject, s.Says, s.Advice); err != nil {
			return err
		}
	}
	for _, kind := range distinctKinds(d.Suspicions) {
		if more := count[kind] - maxPerKind; more > 0 && !all {
			fmt.Fprintf(w, "! and %s (%s), which --all shows\n", terminal.Count(more, "more column"), kind)
		}
	}
	return nil
}

// distinctKinds returns the kinds of suspicions, each once, in the order of the list.
func distinctKinds(suspicions []suspicion) (kinds []summary.Kind) {
	for _, s := range suspicions {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	return kinds
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
	if c.Target || c.ZeroFraction >= notableFraction {
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

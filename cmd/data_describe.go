package cmd

import (
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
			"the most frequent on), its correlation r with the target, and how train prepares it. The share of zeros is given\n" +
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
	Columns    []describedColumn `json:"columns"` // replace the columns of Summary
	Suspicions []suspicion       `json:"suspicions"`
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

// describeData prints what the columns of a table contain, and what looks suspicious.
func describeData(c *cli.Context, name string) error {
	source, err := chosenSource(c, name)
	if err != nil {
		return err
	}
	name = source.Name
	settings := experiment.Settings{Table: source, Training: trainers.Settings{Protocol: data.Sound}}
	t, err := readTable(c, settings, c.String("data-dir"))
	if errors.Is(err, read.ErrLabels) && source.Name != experiment.StandardInput { // which can be read once
		settings.Table.Classes = true
		t, err = readTable(c, settings, c.String("data-dir"))
	}
	if err != nil {
		return err
	}
	noteTable(c, t)
	var unprepared error
	d, err := await(c.Context, func() (describeResult, error) {
		p, err := summary.New(c.Context, t)
		if err != nil {
			return describeResult{}, err
		}
		var prepared *preparation.Preparation
		if source.Prepared() || source.Transform != "" {
			prepared, unprepared = preparation.Fit(t, nil, source.Options)
		}
		return describe(name, p, prepared), nil
	})
	if err != nil {
		return err
	}
	err = printResult(c, d, func(w io.Writer) error { return d.write(w, t, c.Bool("all")) })
	if unprepared != nil {
		return fmt.Errorf("%s cannot be trained on like this: %w", name, unprepared)
	}
	return err
}

// describe joins the summary of a table with its preparation. The preparation is nil if train
// uses the table unchanged.
func describe(name string, p *summary.Summary, prepared *preparation.Preparation) describeResult {
	d := describeResult{Name: name, Summary: p, Suspicions: []suspicion{}}
	dropped := make(map[string]bool)
	for i, c := range p.Columns {
		column := describedColumn{Column: c}
		switch {
		case prepared == nil:
		case c.Role == "input":
			column.Prepared = prepared.Columns[i].Describe()
			dropped[c.Name] = prepared.Columns[i].Dropped != ""
		case c.Target && prepared.Targets != nil:
			column.Prepared = "put through " + prepared.Targets[0].Name
		}
		d.Columns = append(d.Columns, column)
	}
	for _, s := range p.Suspicions {
		if s.Kind == summary.Skewed && prepared != nil && prepared.Targets != nil {
			continue // the preparation transforms the target already
		}
		if !dropped[s.Column] || s.Kind == summary.Groups || s.Kind == summary.Time {
			d.Suspicions = append(d.Suspicions, suspicion{s, advice(s)})
		}
	}
	return d
}

// advice suggests to the user how to deal with a suspicion.
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
	case summary.Far:
		return "look whether it is a mistake; if not, its logarithm may be the better input"
	case summary.Code:
		return "write an empty field in its place if it stands for a missing value"
	}
	return ""
}

// write writes the description for people.
func (d describeResult) write(w io.Writer, t *data.Table, all bool) error {
	fmt.Fprintf(w, "%s: %d rows, %d inputs, %d target column(s)\n", d.Name, d.Rows, len(t.Columns), len(t.Targets))
	for _, says := range describeLeftOut(d.Unlabelled, d.Blank, d.Incomplete) {
		fmt.Fprintln(w, says)
	}
	if set, err := data.Lookup(d.Name); err == nil {
		if slices.Equal(t.Targets, []string{set.Target}) {
			fmt.Fprintf(w, "target: %s\n", set.Meaning)
		}
		fmt.Fprintf(w, "source: %s\nlicence: %s\n", set.Source, set.Licence)
	}
	shown, more := d.Columns, 0
	if !all {
		shown, more = d.shownColumns()
	}
	if _, err := fmt.Fprintln(w, d.columnTable(shown, terminal.Width(w))); err != nil {
		return err
	}
	if more > 0 {
		fmt.Fprintf(w, "and %s like these, which --all shows\n", terminal.Count(more, "more column"))
	}
	return d.writeSuspicions(w, all)
}

// columnTable returns the table of the shown columns. Lines longer than maxWidth are cut, not wrapped;
// 0 is no limit. How train prepares the columns is shown if it prepares any.
func (d describeResult) columnTable(shown []describedColumn, maxWidth int) string {
	isPrepared := slices.ContainsFunc(d.Columns, func(c describedColumn) bool { return c.Prepared != "" })
	header := []any{"column", "", "kind", "missing", "range or categories", "histogram", "r"}
	if isPrepared {
		header = append(header, "train")
	}
	out := terminal.NewTable(0, header...)
	out.Style().Size.WidthMax = maxWidth
	for _, c := range shown {
		var missing any = ""
		if c.Missing > 0 {
			missing = c.Missing
		}
		row := table.Row{terminal.Shorten(c.Name, 24), c.role(), c.Kind, missing, c.values(), bars(c.Histogram), c.correlation()}
		if isPrepared {
			row = append(row, terminal.Shorten(c.Prepared, 48))
		}
		out.AppendRow(row)
	}
	return out.Render()
}

// correlation formats the correlation with the target, "" if there is none. With several targets it
// is the last that is stronger than the correlation with the first target.
func (c describedColumn) correlation() string {
	text := ""
	for i, r := range c.WithTarget {
		if i == 0 || math.Abs(r.R) > math.Abs(c.WithTarget[0].R) {
			text = fmt.Sprintf("%+.2f", r.R)
		}
	}
	return text
}

// shownColumns returns the columns to print, which are not all columns of a wide table, and the
// number of columns left out.
func (d describeResult) shownColumns() (shown []describedColumn, more int) {
	const maxColumns, maxPerKind = 40, 10
	if len(d.Columns) <= maxColumns {
		return d.Columns, 0
	}
	suspected := make(map[string]bool)
	for _, s := range d.Suspicions {
		suspected[s.Column] = true
	}
	count := make(map[string]int) // number of columns so far, by the first word of their preparation
	for _, c := range d.Columns {
		kind, _, _ := strings.Cut(c.Prepared, " ")
		if count[kind]++; count[kind] <= maxPerKind || suspected[c.Name] && len(shown) < maxColumns || c.Role != "input" {
			shown = append(shown, c)
		} else {
			more++
		}
	}
	return shown, more
}

// writeSuspicions writes all suspicions, or else the strongest of each kind.
func (d describeResult) writeSuspicions(w io.Writer, all bool) error {
	const maxPerKind = 6
	count := make(map[summary.Kind]int)
	for _, s := range d.Suspicions {
		if count[s.Kind]++; !all && count[s.Kind] > maxPerKind {
			continue
		}
		about := ""
		if s.Column != "" {
			about = s.Column + ": "
		}
		if _, err := fmt.Fprintf(w, "! %s%s; %s\n", about, s.Says, s.Advice); err != nil {
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
func distinctKinds(list []suspicion) (kinds []summary.Kind) {
	for _, s := range list {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	return kinds
}

// role returns what the column is used for, and whether it is constant.
func (c describedColumn) role() string {
	if c.Distinct == 1 && c.Missing == 0 {
		return c.Role + ", constant"
	}
	return c.Role
}

// values describes the column's values for a cell of the printed table.
func (c describedColumn) values() string {
	switch {
	case c.Kind == data.Category:
		says := terminal.Count(c.Distinct, "category") + ": "
		for i, l := range c.Categories {
			if i > 0 {
				says += ", "
			}
			says += fmt.Sprintf("%s %d", l.Text, l.Rows)
		}
		return terminal.Shorten(says, 36)
	case c.Numbers == nil:
		return "empty"
	case c.Kind == data.Date:
		return c.Show(c.Min) + " … " + c.Show(c.Max)
	}
	text := fmt.Sprintf("%.5g … %.5g (%.4g ± %.4g)", c.Min, c.Max, c.Mean, c.Std)
	const notable = 0.1 // fraction of zeros above which the description of an input mentions them
	if c.Target || c.ZeroFraction >= notable {
		text += fmt.Sprintf(", %v%% zeros", math.Round(1000*c.ZeroFraction)/10)
	}
	return text
}

// bars draws a histogram: nothing for 0, and the highest bar for the largest number.
func bars(histogram []int) string {
	heights := []rune("▁▂▃▄▅▆▇█")
	var out strings.Builder
	for _, n := range histogram {
		if n == 0 {
			out.WriteByte(' ')
		} else {
			out.WriteRune(heights[(n*len(heights)-1)/slices.Max(histogram)])
		}
	}
	return out.String()
}

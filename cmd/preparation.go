package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/preparation"
	"sml/models"
)

// describePreparation describes how train prepares a table, in about a screen at most: which rows
// it leaves out, and how it changes the columns. Unchanged columns of numbers have no line.
func describePreparation(t *data.Table, p *preparation.Preparation) []string {
	lines := describeLeftOut(t)
	if p == nil {
		return lines
	}
	lines = append(lines, describeTargets(t.Targets, p)...)
	lines = append(lines, describeColumns(p.Columns)...)
	if p.CategoryLimit > 0 {
		lines = append(lines, fmt.Sprintf("there are many text columns: only the %d most frequent categories of each get a feature of their own", p.CategoryLimit))
	}
	if names, _ := p.Inputs(); len(p.Features()) != len(p.Columns) || len(names) < len(p.Columns) {
		lines = append(lines, fmt.Sprintf("%s become %s of the network", terminal.Count(len(p.Columns), "column"), terminal.Count(len(p.Features()), "input")))
	}
	return lines
}

// describeEmbeddings names the columns whose categories the network embeds. It returns "" if there are none.
func describeEmbeddings(p *preparation.Preparation, a models.Architecture) string {
	const maxNames = 6 // of columns in the line
	if len(a.Embeddings) == 0 {
		return ""
	}
	features := p.Features()
	var names []string
	for _, e := range a.Embeddings {
		column := features[e.First].Column
		names = append(names, p.Columns[column].Name)
	}
	return fmt.Sprintf("%s: the network embeds each category in %d numbers", terminal.First(names, maxNames), a.EmbeddingWidth)
}

// describeLeftOut describes how many rows are left out of a table, and why, and in how many rows targets are known.
func describeLeftOut(t *data.Table) (lines []string) {
	add := func(n int, one, several string) {
		switch {
		case n == 1:
			lines = append(lines, fmt.Sprintf("1 row %s and is left out", one))
		case n > 1:
			lines = append(lines, fmt.Sprintf("%d rows %s and are left out", n, several))
		}
	}
	add(t.UnlabelledRows, "has no target", "have no target")
	add(t.BlankRows, "has a target and no input,", "have a target and no input,")
	add(t.DuplicateRows, "is a copy of an earlier row", "are copies of earlier rows")
	add(t.IncompleteRows, "lacks an input", "lack an input")
	add(t.WeightlessRows, "has the weight 0", "have the weight 0")
	if t.LacksTargets(nil) {
		lines = append(lines, describePartlyKnown(t))
	}
	return lines
}

// describePartlyKnown says in how many rows each target is known.
func describePartlyKnown(t *data.Table) string {
	const maxTargets = 6 // in the line
	var counts []string
	for target, name := range t.Targets {
		counts = append(counts, fmt.Sprintf("%d have %s", len(t.KnownTargets(target, nil)), terminal.ShellWord(name)))
	}
	return fmt.Sprintf("of %d rows, %s: a row counts for the targets that it has", t.Rows(), terminal.First(counts, maxTargets))
}

// describeColumns describes the preparation of columns. Columns with the same preparation share a
// line. With many columns, the lines omit details, so that more columns share a line.
func describeColumns(columns []preparation.Column) []string {
	const maxDetailed = 30 // columns whose lines, with all details, fill about a screen
	described := 0
	for i := range columns {
		if columns[i].Describe() != "" {
			described++
		}
	}
	if described > maxDetailed {
		return groupColumns(columns, (*preparation.Column).DescribeTreatment)
	}
	return groupColumns(columns, (*preparation.Column).Describe)
}

// groupColumns groups columns by their descriptions, and returns a line for each group. Columns
// with an empty description have no line.
func groupColumns(columns []preparation.Column, describe func(*preparation.Column) string) []string {
	const maxNames = 6                 // of columns in a line
	var order []string                 // descriptions, in the order of their first columns
	names := make(map[string][]string) // names of the columns, by description
	hints := make(map[string]string)   // hint for the first column of each group, by description
	for i := range columns {
		text := describe(&columns[i])
		if text == "" {
			continue
		}
		if names[text] == nil {
			order = append(order, text)
			hints[text] = keepHint(&columns[i])
		}
		names[text] = append(names[text], columns[i].Name)
	}
	var lines []string
	for _, text := range order {
		lines = append(lines, terminal.First(names[text], maxNames)+": "+text+hints[text])
	}
	return lines
}

// keepHint names the flag that keeps a dropped column, or returns "" if no flag does.
func keepHint(c *preparation.Column) string {
	kind, ok := c.KindToKeep()
	if !ok {
		return ""
	}
	flag := "--numeric"
	if kind == data.Category {
		flag = "--categorical"
	}
	return fmt.Sprintf("; %s %s keeps %[2]s", flag, terminal.ShellWord(c.Name))
}

// noteUnknown prints the numbers of values in each column that the model does not know: missing
// values, and categories without an input of their own. It warns if the model knows no category of a column. It prints
// nothing if e is nil.
func noteUnknown(c *cli.Context, p *preparation.Preparation, e *preparation.Encoder) {
	if e == nil {
		return
	}
	var lines []string
	for i, column := range p.Columns {
		if n := e.Missing[i]; n > 1 && n == e.Rows {
			warn(c, fmt.Sprintf("column %s: all %d rows miss their values, which are replaced by %s: has it another name?", column.Name, n, column.DescribeFill()))
		} else if n > 0 {
			lines = append(lines, fmt.Sprintf("column %s: %s missing, replaced by %s", column.Name, terminal.Count(n, "value"), column.DescribeFill()))
		}
		if n := e.Unseen[i]; n > 1 && n == e.Rows {
			warn(c, fmt.Sprintf("column %s: none of the %d rows has a category of the training table: is it another column, or written in another way?", column.Name, n))
		} else if n > 0 {
			lines = append(lines, fmt.Sprintf("column %s: %s in categories without a feature of their own", column.Name, terminal.Count(n, "row")))
		}
	}
	const maxLines = 20 // that fit a screen
	if more := len(lines) - maxLines; more > 0 {
		lines = append(lines[:maxLines], "and the same in "+terminal.Count(more, "more column"))
	}
	for _, line := range lines {
		note(c, "%s", line)
	}
}

package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
)

// tellPreparation says in at most about a screen what is done with the columns of a
// table: what is a number as it is has no line.
func tellPreparation(w io.Writer, t *data.Table, p *preparation.Preparation) {
	for _, says := range leftOut(t.Unlabelled, t.Blank, t.Incomplete) {
		fmt.Fprintf(w, "sml: %s\n", says)
	}
	if p == nil {
		return
	}
	for _, line := range fates(p.Columns) {
		fmt.Fprintf(w, "sml: %s\n", line)
	}
	if p.MostLevels > 0 {
		fmt.Fprintf(w, "sml: there are many texts: no more than the %d most frequent levels of each have inputs of their own\n", p.MostLevels)
	}
	if names, _ := p.Inputs(); len(p.Features()) != len(p.Columns) || len(names) < len(p.Columns) {
		fmt.Fprintf(w, "sml: %s become %s of the network\n", terminal.Count(len(p.Columns), "column"), terminal.Count(len(p.Features()), "input"))
	}
}

// leftOut says how many rows are not in a table, and why.
func leftOut(unlabelled, blank, incomplete int) (list []string) {
	for _, of := range []struct {
		n        int
		one, are string
	}{{unlabelled, "has no target", "have no target"}, {blank, "has a target and no input,", "have a target and no input,"}, {incomplete, "lacks an input", "lack an input"}} {
		switch {
		case of.n == 1:
			list = append(list, fmt.Sprintf("1 row %s and is left out", of.one))
		case of.n > 1:
			list = append(list, fmt.Sprintf("%d rows %s and are left out", of.n, of.are))
		}
	}
	return list
}

// fates says what becomes of columns, those of the same fate together: of many without
// what differs between them.
func fates(columns []preparation.Column) []string {
	const many, named = 30, 6
	told := 0
	lines := func(says func(*preparation.Column) string) (all []string) {
		var fates []string
		names := make(map[string][]string)
		kept := make(map[string]*preparation.Column) // the first column of each fate
		for i := range columns {
			fate := says(&columns[i])
			if fate == "" {
				continue
			}
			told++
			if names[fate] == nil {
				fates = append(fates, fate)
				kept[fate] = &columns[i]
			}
			names[fate] = append(names[fate], columns[i].Name)
		}
		for _, fate := range fates {
			of := names[fate]
			list := strings.Join(of[:min(len(of), named)], ", ")
			if more := len(of) - named; more > 0 {
				list += fmt.Sprintf(" and %d more", more)
			}
			all = append(all, list+": "+fate+keptWith(kept[fate]))
		}
		return all
	}
	if all := lines((*preparation.Column).Says); told <= many {
		return all
	}
	return lines((*preparation.Column).Fate)
}

// keptWith names the flag that keeps a dropped column, or returns "" if no flag does.
func keptWith(c *preparation.Column) string {
	kind, ok := c.KeptAs()
	if !ok {
		return ""
	}
	flag := "--numeric"
	if kind == data.Category {
		flag = "--categorical"
	}
	return fmt.Sprintf("; %s %s keeps %[2]s", flag, terminal.ShellWord(c.Name))
}

// tellUnknown says which values of a table stood for nothing that the model knows.
func tellUnknown(c *cli.Context, p *preparation.Preparation, e *preparation.Encoder) {
	var says []string
	for i, column := range p.Columns {
		if n := e.Missing[i]; n > 0 {
			says = append(says, fmt.Sprintf("%s: %d missing, taken for %s", column.Name, n, column.Instead()))
		}
		if n := e.Unseen[i]; n > 0 {
			says = append(says, fmt.Sprintf("%s: %d of levels that have no input of their own", column.Name, n))
		}
	}
	const most = 20
	if more := len(says) - most; more > 0 {
		says = append(says[:most], fmt.Sprintf("and the like in %s", terminal.Count(more, "more column")))
	}
	for _, line := range says {
		note(c, "%s", line)
	}
}

// count says how many there are of what.
func terminal.Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
)

// tellPreparation says in a few lines what is done with the columns of a table: what
// is a number as it is has no line.
func tellPreparation(w io.Writer, t *data.Table, p *preparation.Preparation) {
	if t.Unlabelled > 0 {
		fmt.Fprintf(w, "sml: %d rows have no target and are left out\n", t.Unlabelled)
	}
	if t.Blank > 0 {
		fmt.Fprintf(w, "sml: %d rows have a target and no input, and are left out\n", t.Blank)
	}
	if t.Incomplete > 0 {
		fmt.Fprintf(w, "sml: %d rows lack an input and are left out\n", t.Incomplete)
	}
	if p == nil {
		return
	}
	for _, c := range p.Columns {
		if says := c.Says(); says != "" {
			fmt.Fprintf(w, "sml: %s: %s\n", c.Name, says)
		}
	}
	if names, _ := p.Inputs(); len(p.Features()) != len(p.Columns) || len(names) < len(p.Columns) {
		fmt.Fprintf(w, "sml: %d columns become %d inputs of the network\n", len(p.Columns), len(p.Features()))
	}
}

// tellUnknown says which values of a table stood for nothing that the model knows.
func tellUnknown(c *cli.Context, p *preparation.Preparation, e *preparation.Encoder) {
	var says []string
	for i, column := range p.Columns {
		if n := e.Missing[i]; n > 0 {
			says = append(says, fmt.Sprintf("%s: %d missing, taken for %s", column.Name, n, column.Instead()))
		}
		if n := e.Unseen[i]; n > 0 && !slices.Contains(says, column.Name) {
			says = append(says, fmt.Sprintf("%s: %d of levels that have no input of their own", column.Name, n))
		}
	}
	if len(says) > 0 {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s\n", strings.Join(says, "; "))
	}
}

package cmd

import (
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"sml/cmd/internal/terminal"
	"sml/evaluation"
)

// maxConfusedClasses is the largest number of classes whose confusion matrix fits the width of a terminal.
const maxConfusedClasses = 8

// writeClasses writes a line with the scores of each class of a target, and with the number of its rows that are
// predicted as each class if there are few. It writes nothing if c is nil. target is "" if there is only one.
func writeClasses(w io.Writer, target string, c *evaluation.Classes) {
	if c == nil {
		return
	}
	label := strconv.Itoa
	if c.Labels != nil {
		label = func(class int) string { return c.Labels[class] }
	}
	showsConfusion := len(c.Scores) <= maxConfusedClasses
	header := table.Row{"class", "rows", "precision", "recall", "F1"}
	if target != "" {
		header[0] = "class of " + target
	}
	if showsConfusion {
		for class := range c.Scores {
			header = append(header, "as "+label(class))
		}
	}
	const firstNumberColumn = 2 // from 1; numbers are aligned to the right
	t := terminal.NewTable(firstNumberColumn, header...)
	for class, s := range c.Scores {
		row := table.Row{label(class), fmt.Sprintf("%.5g", s.Rows), fmt.Sprintf("%.3f", float64(s.Precision)), fmt.Sprintf("%.3f", float64(s.Recall)), fmt.Sprintf("%.3f", float64(s.F1))}
		if showsConfusion {
			for _, rows := range c.Confusion[class] {
				row = append(row, fmt.Sprintf("%.5g", rows))
			}
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(w, t.Render())
}

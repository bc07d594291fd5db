package cmd

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/explain"
	"sml/evaluation/report"
)

// dependenceResult is the result of "sml explain --column".
type dependenceResult struct {
	judgedModel
	*explain.Dependence
}

// explainDependence returns the predictions of the rows with other values in the column of --column.
func explainDependence(c *cli.Context, judged judgedModel, m *experiment.Model, rows judgedRows, s evaluation.Sampling) (*explanation, error) {
	name, isInput := read.InputName(rows.targets, c.String("column"))
	if !isInput {
		name = c.String("column") // the error lists the columns of the model
	}
	d, err := awaitWithProgress(c, "predicting", func(progress func(done, total int)) (*explain.Dependence, error) {
		return explain.PartialDependence(c.Context, m, rows.targets, rows.table, rows.indices, name, s, progress)
	})
	if err != nil {
		return nil, err
	}
	heading := fmt.Sprintf("%s (%s) on %s: predictions of %d rows with each value of %s", judged.Model, judged.Method, &rows, d.Rows, d.Column)
	return &explanation{
		result: dependenceResult{judgedModel: judged, Dependence: d},
		text:   heading + "\n" + dependenceTable(d),
		files:  dependenceFiles(d),
	}, nil
}

// dependenceFiles returns the files of --out: the predictions as CSV, and the picture. Writing them needs d, their names
// do not.
func dependenceFiles(d *explain.Dependence) []report.File {
	picture := report.Picture{Name: "dependence"}
	if d != nil {
		picture = report.DependencePicture(d)
	}
	csv := report.File{Name: "dependence.csv", Write: func(w io.Writer) error { return d.WriteCSV(w) }}
	return append([]report.File{csv}, picture.Files()...)
}

// dependenceTable returns a table with at most twelve of the values, such as months, evenly spaced, and the mean prediction of each curve.
func dependenceTable(d *explain.Dependence) string {
	const maxLines = 12
	header := table.Row{d.Column}
	for _, curve := range d.Curves {
		name := curve.Target
		if curve.Class != "" {
			name = "p(" + curve.Class + ")"
		}
		header = append(header, name)
		if curve.Lower != nil {
			header = append(header, "interval")
		}
	}
	const firstNumberColumn = 2 // from 1; numbers are aligned to the right
	t := terminal.NewTable(firstNumberColumn, header...)
	lines := min(maxLines, len(d.Labels))
	shown := make(map[int]bool)
	for line := range lines {
		shown[line*max(1, len(d.Labels)-1)/max(1, lines-1)] = true
	}
	for i, label := range d.Labels {
		if !shown[i] {
			continue
		}
		row := table.Row{label}
		for _, curve := range d.Curves {
			row = append(row, fmt.Sprintf("%.4g", curve.Mean[i]))
			if curve.Lower != nil {
				row = append(row, fmt.Sprintf("%.4g to %.4g", curve.Lower[i], curve.Upper[i]))
			}
		}
		t.AppendRow(row)
	}
	return t.Render()
}

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
	Model  string `json:"model"`
	Method string `json:"method"`
	Data   string `json:"data"`
	On     string `json:"on"` // part of the split that the rows are, see splitParts
	*explain.Dependence
}

// explainColumn predicts the judged rows with other values in the column of --column, prints the predictions, and writes
// them with a picture into the folder of --out, if the flag is set.
func explainColumn(c *cli.Context, dir string, m *experiment.Model, s evaluation.Sampling) error {
	for _, flag := range []string{"repeats", "measure", "protocol"} {
		if c.IsSet(flag) {
			return usageErrorf("--%s is for importance, and --column %s asks for a dependence: leave one of them out", flag, c.String("column"))
		}
	}
	out, err := openExplainFolder(c, dependenceFiles(nil))
	if err != nil {
		return err
	}
	if out != nil {
		defer out.close()
	}
	rows, err := readJudged(c, m)
	if err != nil {
		return err
	}
	name, isInput := read.InputName(rows.targets, c.String("column"))
	if !isInput {
		name = c.String("column") // the error lists the columns of the model
	}
	view := newProgress(c, "predicting")
	defer view.End()
	dependence, err := await(c.Context, func() (*explain.Dependence, error) {
		progress := func(done, total int) { view.At(done, total, "") }
		return explain.PartialDependence(c.Context, m, rows.targets, rows.table, rows.indices, name, s, progress)
	})
	if err != nil {
		return err
	}
	view.End()
	if out != nil {
		if err := out.write(c.Context, dependenceFiles(dependence)); err != nil {
			return err
		}
	}
	result := dependenceResult{Model: dir, Method: m.Method, Data: rows.name, On: rows.splitPart, Dependence: dependence}
	return printResult(c, result, func(w io.Writer) error {
		fmt.Fprintf(w, "%s (%s) on %s: predictions of %d rows with each value of %s\n", dir, m.Method, &rows, dependence.Rows, dependence.Column)
		_, err := fmt.Fprintln(w, dependenceTable(dependence))
		if err != nil || out == nil {
			return err
		}
		_, err = fmt.Fprintln(w, out.path("dependence.csv"))
		return err
	})
}

// openExplainFolder opens the folder of --out for files. It returns nil if the flag is not set, and an error if the
// files would replace others.
func openExplainFolder(c *cli.Context, files []report.File) (*folder, error) {
	dir := c.String("out")
	if dir == "" {
		return nil, nil
	}
	out, err := openResults(c, dir)
	if err != nil {
		return nil, err
	}
	if err := out.checkNames(files); err != nil {
		out.close()
		return nil, err
	}
	return out, nil
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

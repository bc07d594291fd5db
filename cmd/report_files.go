package cmd

import (
	"io"

	"github.com/urfave/cli/v2"

	"sml/evaluation/measure"
	"sml/evaluation/paper"
	"sml/evaluation/report"
)

// write writes the whole report; nothing of an earlier one stays beside it,
// and nothing of anybody else's is touched.
func (f *found) write(c *cli.Context, out string) error {
	folder, err := openFolder(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	main := f.without(true)
	var figures []report.Picture
	files := []file{
		{"scores.csv", func(w io.Writer) error { return report.WriteScoresCSV(w, f.scores, report.ThePaper) }},
		{"scores.json", func(w io.Writer) error { return report.WriteScoresJSON(w, f.scores, report.ThePaper) }},
		{"report.html", func(w io.Writer) error { return f.page(main, figures).WriteHTML(w) }},
	}
	for _, t := range f.tables(main) {
		name := "tables/" + t.name
		files = append(files, file{name + ".md", each(t.list, report.Table.WriteMarkdown)}, file{name + ".tex", each(t.list, report.Table.WriteLaTeX)})
	}
	if err := folder.admit(files); err != nil { // before figures are drawn, which takes long
		return err
	}
	if figures, err = f.figures(c.Context); err != nil {
		return err
	}
	for _, p := range figures {
		for _, suffix := range []string{".svg", ".png"} {
			name := "figures/" + p.ID + suffix
			encode, err := report.Encoder(name)
			if err != nil {
				return err
			}
			files = append(files, file{name, func(w io.Writer) error { return encode(w, p.Figure) }})
		}
	}
	return folder.write(c.Context, files)
}

// each writes tables one after another.
func each(list []report.Table, write func(report.Table, io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		for i, t := range list {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := write(t, w); err != nil {
				return err
			}
		}
		return nil
	}
}

// tables is a file of tables.
type tables struct {
	name string
	list []report.Table
}

func (f *found) tables(main []measure.Score) []tables {
	all := []tables{{"table1", []report.Table{report.Table1(paper.Recipes(), f.mode())}}}
	if t := report.ScoreTables(main, report.ThePaper, "test", methodTitle); len(t) > 0 {
		all = append(all, tables{"scores", t})
	}
	if t := report.Table2(main, methodTitle); len(t) > 0 {
		all = append(all, tables{"table2", t})
	}
	if folds := pictured(main); len(folds) > 0 {
		all = append(all, tables{"splits", []report.Table{report.SplitTable(main, "ece", methodTitle), report.SplitTable(main, "ws", methodTitle)}})
		if report.Agree(main, report.ThePaper).Of > 0 {
			all = append(all, tables{"agreement", []report.Table{report.AgreementTable(main, report.ThePaper, methodTitle), report.MissTable(main, report.ThePaper, methodTitle)}})
		}
	}
	if t := singleTables(main); len(t) > 0 {
		all = append(all, tables{"single", t})
	}
	if beta := pictured(f.without(false)); len(beta) > 0 {
		all = append(all, tables{"beta", []report.Table{report.SplitTable(beta, "ece", methodTitle), report.SplitTable(beta, "ws", methodTitle)}})
	}
	return all
}

// singleTables show the scores on splits without folds, which no figure shows.
func singleTables(scores []measure.Score) []report.Table {
	var list []report.Table
	for _, split := range report.OtherSplits(scores) {
		list = append(list, report.ScoreTables(scores, report.ThePaper, split, methodTitle)...)
	}
	return list
}

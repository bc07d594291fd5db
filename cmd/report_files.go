package cmd

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"sml/data"
	"sml/data/safefile"
	"sml/evaluation/report"
)

// write writes the whole report; nothing of an earlier one stays beside it.
func (f *found) write(ctx context.Context, out string) error {
	figures, err := f.figures(ctx)
	if err != nil {
		return err
	}
	main := f.without(true)
	files := []file{
		{"scores.csv", func(w io.Writer) error { return report.WriteScoresCSV(w, f.scores) }},
		{"scores.json", func(w io.Writer) error { return report.WriteScoresJSON(w, f.scores) }},
		{"report.html", f.page(main, figures).WriteHTML},
	}
	for _, t := range f.tables(main) {
		name := filepath.Join("tables", t.name)
		files = append(files, file{name + ".md", each(t.list, report.Table.WriteMarkdown)}, file{name + ".tex", each(t.list, report.Table.WriteLaTeX)})
	}
	var written []string
	for _, folder := range []string{"figures", "tables"} {
		if err := os.MkdirAll(filepath.Join(out, folder), 0o755); err != nil {
			return err
		}
	}
	for _, p := range figures {
		for _, suffix := range []string{".svg", ".png"} {
			name := filepath.Join(out, "figures", p.ID+suffix)
			if err := report.Save(name, p.Figure); err != nil {
				return err
			}
			written = append(written, name)
		}
	}
	for _, file := range files {
		name := filepath.Join(out, file.name)
		if err := safefile.Write(name, file.write); err != nil {
			return err
		}
		written = append(written, name)
	}
	return sweep(out, written)
}

// file is a name and what writes its content.
type file struct {
	name  string
	write func(io.Writer) error
}

// sweep removes the figures and tables of an earlier report that are not
// among those written now. Other files stay.
func sweep(out string, written []string) error {
	patterns := []string{"figures/figure[0-9][0-9].svg", "figures/figure[0-9][0-9].png"}
	for _, name := range tableNames {
		patterns = append(patterns, "tables/"+name+".md", "tables/"+name+".tex")
	}
	for _, pattern := range patterns {
		old, err := filepath.Glob(filepath.Join(out, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, name := range old {
			if slices.Contains(written, name) {
				continue
			}
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
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

// tableNames are the files that tables makes.
var tableNames = []string{"table1", "table2", "splits", "agreement", "beta", "single"}

// tables is a file of tables.
type tables struct {
	name string
	list []report.Table
}

func (f *found) tables(main []report.Score) []tables {
	all := []tables{{"table1", []report.Table{report.Table1(data.Datasets(), f.mode())}}}
	if t := report.Table2(main, methodTitle); len(t) > 0 {
		all = append(all, tables{"table2", t})
	}
	if folds := pictured(main); len(folds) > 0 {
		all = append(all, tables{"splits", []report.Table{report.SplitTable(main, "ece", methodTitle), report.SplitTable(main, "ws", methodTitle)}})
		if report.Agree(main).Of > 0 {
			all = append(all, tables{"agreement", []report.Table{report.AgreementTable(main, methodTitle), report.MissTable(main, methodTitle)}})
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
func singleTables(scores []report.Score) []report.Table {
	var splits []string
	for _, s := range scores {
		if !slices.Contains(report.Splits(), s.Split) {
			splits = appendNew(splits, s.Split)
		}
	}
	var list []report.Table
	for _, split := range splits {
		for _, measure := range []string{"rmse", "nll", "ece", "ws"} {
			list = append(list, report.ScoreTable(scores, split, measure, methodTitle))
		}
	}
	return list
}

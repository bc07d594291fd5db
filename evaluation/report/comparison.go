package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/evaluation"
)

// Row is how one method did on one data set.
type Row struct {
	Dataset, Method string
	Rows            int     // how many were scored
	Seconds         float64 // that training and scoring took
	Scores          evaluation.Scores
}

// measures are the columns of every table of scores.
var measures = []struct {
	name         string
	of           func(evaluation.Scores) float64
	higherBetter bool
}{
	{"RMSE", func(s evaluation.Scores) float64 { return s.RMSE }, false},
	{"NLL", func(s evaluation.Scores) float64 { return s.NLL }, false},
	{"ECE", func(s evaluation.Scores) float64 { return s.ECE }, false},
	{"WS", func(s evaluation.Scores) float64 { return s.WS }, false},
	{"KS", func(s evaluation.Scores) float64 { return s.KS }, false},
	{"R2", func(s evaluation.Scores) float64 { return s.R2 }, true},
	{"MAE", func(s evaluation.Scores) float64 { return s.MAE }, false},
}

// Comparison writes a table for the terminal: the methods of each data set
// together, both in the order of first appearance. Where there are several,
// a star follows the best score of each measure, and any that looks the same
// in print: the highest R2, the lowest of the others.
func Comparison(w io.Writer, rows []Row) error {
	t := table.NewWriter()
	t.SetStyle(style)
	header := table.Row{"data set", "method", "rows"}
	for _, m := range measures {
		header = append(header, m.name+" ") // the place of the star
	}
	header = append(header, "seconds")
	t.AppendHeader(header)
	var columns []table.ColumnConfig
	for i := range header[2:] {
		columns = append(columns, table.ColumnConfig{Number: i + 3, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)

	for i, group := range byDataset(rows) {
		if i > 0 {
			t.AppendSeparator()
		}
		for j, row := range group {
			name := row.Dataset
			if j > 0 {
				name = ""
			}
			cells := table.Row{name, row.Method, row.Rows}
			for _, m := range measures {
				cell := number(m.of(row.Scores))
				if cell == best(group, m.of, m.higherBetter) {
					cell += "*"
				} else {
					cell += " "
				}
				cells = append(cells, cell)
			}
			t.AppendRow(append(cells, strconv.FormatFloat(row.Seconds, 'f', 1, 64)))
		}
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

var style = func() table.Style {
	s := table.StyleLight
	s.Format.Header = text.FormatDefault // names keep their case
	return s
}()

// byDataset collects the rows of each data set, in the order of first
// appearance.
func byDataset(rows []Row) [][]Row {
	var groups [][]Row
	for _, row := range rows {
		i := slices.IndexFunc(groups, func(g []Row) bool { return g[0].Dataset == row.Dataset })
		if i < 0 {
			groups = append(groups, []Row{row})
			continue
		}
		groups[i] = append(groups[i], row)
	}
	return groups
}

// best is how the best score of a group is printed, or nothing if there is
// nothing to compare. NaN is not a score.
func best(group []Row, of func(evaluation.Scores) float64, higher bool) string {
	var scores []float64
	for _, row := range group {
		if score := of(row.Scores); !math.IsNaN(score) {
			scores = append(scores, score)
		}
	}
	if len(scores) < 2 {
		return ""
	}
	if higher {
		return number(slices.Max(scores))
	}
	return number(slices.Min(scores))
}

// number prints a score with three decimals, or with three digits and an
// exponent where they would hide its size.
func number(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	case size >= 1e4 || 0 < size && size < 0.0005:
		return strconv.FormatFloat(x, 'e', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

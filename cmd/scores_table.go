package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/evaluation"
	"sml/evaluation/measure"
)

// scoresTable writes an evaluation by the measures of these names for people: a line
// for each, and a dash where it needs a standard deviation that there is not. What else
// predictions do not have the usual measures are silent of.
func scoresTable(w io.Writer, e *evaluation.Evaluation, names []string) error {
	measures, err := measure.Named(names)
	if err != nil {
		return err
	}
	measures = slices.DeleteFunc(measures, func(m measure.Measure) bool {
		usual := !slices.ContainsFunc(m.Needs, func(p measure.Part) bool { return p != measure.Mean && p != measure.Std })
		return (len(names) == 0 || names[0] == "all") && !usual && !e.Standardised.Has(m.Name)
	})
	parts := partsOf(e)
	const beside = 2 // so that a line has less than 100 characters
	for part := range slices.Chunk(parts, beside) {
		if _, err := fmt.Fprintln(w, part.render(measures, len(parts) > 1)); err != nil {
			return err
		}
	}
	if e.DropShare != nil {
		fmt.Fprintf(w, "%d sub-networks a row; their spread is %.0f%% of the standard deviation\n", e.Samples, 100**e.DropShare)
	}
	return nil
}

// scoresOf are scores that stand beside others, and what of.
type scoresOf struct {
	name                   string
	standardised, original measure.Scores
}

type scoreParts []scoresOf

// partsOf are the parts of an evaluation: raw and calibrated, each target, and the mean.
func partsOf(e *evaluation.Evaluation) scoreParts {
	of := func(name string, pick func(*evaluation.Evaluation) (standardised, original measure.Scores)) scoreParts {
		var parts scoreParts
		comma := ""
		if name != "" {
			comma = ", "
		}
		if e.Uncalibrated != nil {
			s, o := pick(e.Uncalibrated)
			parts = append(parts, scoresOf{name + comma + "raw", s, o})
			name += comma + "calibrated"
		}
		s, o := pick(e)
		return append(parts, scoresOf{name, s, o})
	}
	var all scoreParts
	for i, column := range e.Columns {
		all = append(all, of(column.Name, func(e *evaluation.Evaluation) (s, o measure.Scores) {
			return e.Columns[i].Standardised, e.Columns[i].Original
		})...)
	}
	mean := ""
	if len(e.Columns) > 0 {
		mean = "mean"
	}
	return append(all, of(mean, func(e *evaluation.Evaluation) (s, o measure.Scores) { return e.Standardised, e.Original })...)
}

// render is the table of some parts, side by side, with their names if they have some.
func (parts scoreParts) render(measures []measure.Measure, named bool) string {
	above, header := table.Row{""}, []any{"measure"}
	for _, p := range parts {
		above, header = append(above, p.name, p.name), append(header, "standardised", "original unit")
	}
	t := terminal.NewTable(2, header...)
	t.ResetHeaders()
	if named {
		t.AppendHeader(append(above, ""), table.RowConfig{AutoMerge: true})
	}
	t.AppendHeader(append(header, "better"))
	t.Style().Format.Header = text.FormatDefault // names keep their case
	for _, m := range measures {
		row := table.Row{m.Title}
		for _, p := range parts {
			row = append(row, fourDigits(p.standardised, m), fourDigits(p.original, m))
		}
		t.AppendRow(append(row, bestOf(m)))
	}
	return t.Render()
}

func fourDigits(s measure.Scores, m measure.Measure) string {
	if !s.Has(m.Name) {
		return "–"
	}
	return fmt.Sprintf("%.4g", s.Of(m.Name))
}

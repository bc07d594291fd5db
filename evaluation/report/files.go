package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/internal/strict"
)

// File is a part of a report.
type File struct {
	Name  string // with slashes
	Write func(io.Writer) error
}

// Files are all that a report is written into: the page, scores, tables, and the
// figures once they are drawn.
func (r *Report) Files() []File {
	files := []File{
		{"scores.csv", func(w io.Writer) error { return writeScoresCSV(w, r.Scores, r.Reference) }},
		{"scores.json", func(w io.Writer) error { return writeScoresJSON(w, r.Scores, r.Reference) }},
		{"report.html", r.WriteHTML},
	}
	for _, t := range r.tables() {
		name := "tables/" + t.Name
		files = append(files, File{name + ".md", t.each(tabular.Table.WriteMarkdown)}, File{name + ".tex", t.each(tabular.Table.WriteLaTeX)})
	}
	for _, p := range r.pictures {
		files = append(files, p.Files()...)
	}
	return files
}

// each writes tables one after another.
func (t Tables) each(write func(tabular.Table, io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		for i, table := range t.List {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := write(table, w); err != nil {
				return err
			}
		}
		return nil
	}
}

// writeScoresJSON writes an array of the scores in the order given, one on
// each line. What the reference has for a score is its last key, called as the
// reference.
func writeScoresJSON(w io.Writer, scores []measure.Score, beside compare.Reference) error {
	text := []byte("[")
	for i, s := range scores {
		object, err := s.MarshalJSON()
		if err != nil {
			return err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, '\n'), object...)
		if x := beside.Score(s); !math.IsNaN(x) {
			pair, err := json.Marshal(map[string]strict.Number{beside.Name: strict.Number(x)})
			if err != nil {
				return err
			}
			text = append(append(text[:len(text)-1], ','), pair[1:]...)
		}
	}
	_, err := w.Write(append(text, "\n]\n"...))
	return err
}

// WriteScoresCSV writes the scores in the format of a report's scores.csv, without a reference.
func WriteScoresCSV(w io.Writer, scores []measure.Score) error {
	return writeScoresCSV(w, scores, compare.Reference{})
}

// writeScoresCSV writes the columns dataset, method, split, measure, mean,
// std, folds and failed, one line for each score in the order given. Numbers
// have all their digits; NaN, +Inf and -Inf stand as such. A reference that has
// any of the scores has a column, called as it is and empty where it has none.
func writeScoresCSV(w io.Writer, scores []measure.Score, beside compare.Reference) error {
	out := csv.NewWriter(w)
	header := []string{"dataset", "method", "split", "measure", "mean", "std", "folds", "failed"}
	compared := compare.Agree(scores, beside).Of > 0
	if compared {
		header = append(header, beside.Name)
	}
	out.Write(header) // an error of Write is kept for Error
	for _, s := range scores {
		record := []string{s.Dataset, s.Method, s.Split, s.Measure, allDigits(s.Mean), allDigits(s.Std), strconv.Itoa(s.Folds), strconv.Itoa(s.Failed)}
		if x := beside.Score(s); !math.IsNaN(x) {
			record = append(record, allDigits(x))
		} else if compared {
			record = append(record, "")
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

func allDigits(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

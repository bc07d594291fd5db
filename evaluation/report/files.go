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

// File is a file of a report.
type File struct {
	Name  string // path within the report's directory, with slashes
	Write func(io.Writer) error
}

// Files returns the files of the report: the page, scores, tables and, after Draw, the figures.
func (r *Report) Files() []File {
	files := []File{
		{"scores.csv", func(w io.Writer) error { return writeScoresCSV(w, r.Scores, r.Reference) }},
		{"scores.json", func(w io.Writer) error { return writeScoresJSON(w, r.Scores, r.Reference) }},
		{"report.html", r.WriteHTML},
	}
	for _, t := range r.tables() {
		name := "tables/" + t.Name
		files = append(files,
			File{name + ".md", t.writer(tabular.Table.WriteMarkdown)},
			File{name + ".tex", t.writer(tabular.Table.WriteLaTeX)})
	}
	for _, p := range r.pictures {
		files = append(files, p.Files()...)
	}
	return files
}

// writer returns a function that writes the tables one after another in the format of write.
func (t Tables) writer(write func(tabular.Table, io.Writer) error) func(io.Writer) error {
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

// writeScoresJSON writes an array of the scores in the order given, one on each line. If the
// reference has the same score, the object ends with a key named after the reference.
func writeScoresJSON(w io.Writer, scores []measure.Score, reference compare.Reference) error {
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
		if x := reference.Score(s); !math.IsNaN(x) {
			pair, err := json.Marshal(map[string]strict.Number{reference.Name: strict.Number(x)})
			if err != nil {
				return err
			}
			withoutBrace := text[:len(text)-1]
			text = append(append(withoutBrace, ','), pair[1:]...)
		}
	}
	_, err := w.Write(append(text, "\n]\n"...))
	return err
}

// WriteScoresCSV writes the scores in the format of a report's scores.csv, without a reference.
func WriteScoresCSV(w io.Writer, scores []measure.Score) error {
	return writeScoresCSV(w, scores, compare.Reference{})
}

// writeScoresCSV writes the columns dataset, method, split, measure, mean, std, folds and failed,
// one line for each score in the order given. Numbers have all their digits; NaN, +Inf and -Inf
// are written like that. If the reference has any of the scores, its scores are one more column,
// named after it; a cell is empty if the reference does not have that score.
func writeScoresCSV(w io.Writer, scores []measure.Score, reference compare.Reference) error {
	out := csv.NewWriter(w)
	header := []string{"dataset", "method", "split", "measure", "mean", "std", "folds", "failed"}
	compared := compare.Agree(scores, reference).Compared > 0
	if compared {
		header = append(header, reference.Name)
	}
	out.Write(header) // out.Error returns the error of any Write
	for _, s := range scores {
		record := []string{
			s.Dataset, s.Method, s.Split, s.Measure,
			formatExactly(s.Mean), formatExactly(s.Std),
			strconv.Itoa(s.Folds), strconv.Itoa(s.Failed),
		}
		if x := reference.Score(s); !math.IsNaN(x) {
			record = append(record, formatExactly(x))
		} else if compared {
			record = append(record, "")
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

// formatExactly returns the shortest text from which x can be parsed.
func formatExactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

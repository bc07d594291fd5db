package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/study"
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
		{Name: "scores.csv", Write: func(w io.Writer) error { return writeScoresCSV(w, r.Scores, r.Reference) }},
		{Name: "scores.json", Write: func(w io.Writer) error { return writeScoresJSON(w, r.Scores, r.Reference) }},
		{Name: "folds.csv", Write: func(w io.Writer) error { return writeFoldsCSV(w, r.Folds) }},
		{Name: "report.html", Write: r.WriteHTML},
	}
	for _, t := range r.tables() {
		name := "tables/" + t.Name
		files = append(files,
			File{Name: name + ".md", Write: func(w io.Writer) error { return t.write(w, Table.Markdown) }},
			File{Name: name + ".tex", Write: func(w io.Writer) error { return t.write(w, Table.LaTeX) }})
	}
	for _, p := range r.pictures {
		files = append(files, p.Files()...)
	}
	return files
}

// write writes the tables with an empty line between them. format returns one table as text.
func (t Tables) write(w io.Writer, format func(Table) string) error {
	var texts []string
	for _, table := range t.List {
		texts = append(texts, format(table))
	}
	_, err := io.WriteString(w, strings.Join(texts, "\n"))
	return err
}

// writeScoresJSON writes a JSON array of the scores in the order given, one on each line. If the
// reference has the same score, the object's last key is the name of the reference.
func writeScoresJSON(w io.Writer, scores []measure.Score, reference Reference) error {
	var lines []string
	for _, s := range scores {
		object, err := scoreObject(s, reference)
		if err != nil {
			return err
		}
		lines = append(lines, "\n"+string(object))
	}
	_, err := io.WriteString(w, "["+strings.Join(lines, ",")+"\n]\n")
	return err
}

// scoreObject returns a score as a JSON object, with the reference's score as its last key if the
// reference has it.
func scoreObject(s measure.Score, reference Reference) ([]byte, error) {
	object, err := s.MarshalJSON()
	if err != nil {
		return nil, err
	}
	referenceScore := reference.score(s)
	if math.IsNaN(referenceScore) {
		return object, nil
	}
	extra, err := json.Marshal(strict.Number(referenceScore))
	object = bytes.TrimSuffix(object, []byte("}"))
	return fmt.Appendf(object, ",%q:%s}", reference.Name, extra), err
}

// WriteScoresCSV writes the scores in the format of a report's scores.csv, without a reference.
func WriteScoresCSV(w io.Writer, scores []measure.Score) error {
	return writeScoresCSV(w, scores, Reference{})
}

// writeScoresCSV writes the columns dataset, method, split, measure, mean, std, folds and failed,
// with a line for each score in the order given. Numbers have all their digits, or are NaN, +Inf or
// -Inf. If the reference has any of the scores, one more column with the name of the reference has
// its scores; a cell is empty if the reference does not have that score.
func writeScoresCSV(w io.Writer, scores []measure.Score, reference Reference) error {
	header := []string{"dataset", "method", "split", "measure", "mean", "std", "folds", "failed"}
	hasReference := Agree(scores, reference).Compared > 0
	if hasReference {
		header = append(header, reference.Name)
	}
	records := [][]string{header}
	for _, s := range scores {
		record := []string{
			s.Dataset,
			s.Method,
			s.Split,
			s.Measure,
			formatExactly(s.Mean),
			formatExactly(s.Std),
			strconv.Itoa(s.Folds),
			strconv.Itoa(s.Failed),
		}
		if hasReference {
			record = append(record, formatIfPresent(reference.score(s)))
		}
		records = append(records, record)
	}
	return csv.NewWriter(w).WriteAll(records)
}

// writeFoldsCSV writes the columns dataset, method, split, fold, inner_fold, seed, measure and score, with a line for
// each score of each training. Numbers have the form of writeScoresCSV.
func writeFoldsCSV(w io.Writer, folds []study.FoldScores) error {
	records := [][]string{{"dataset", "method", "split", "fold", "inner_fold", "seed", "measure", "score"}}
	for _, f := range folds {
		for _, score := range f.Scores {
			records = append(records, []string{
				f.Dataset,
				f.Method,
				f.Split,
				strconv.Itoa(f.Fold),
				strconv.Itoa(f.Inner),
				strconv.FormatUint(f.Seed, 10),
				score.Measure,
				formatExactly(score.Score),
			})
		}
	}
	return csv.NewWriter(w).WriteAll(records)
}

// formatIfPresent returns the text of a score that may be missing: formatExactly of x, or "" if x is NaN.
func formatIfPresent(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return formatExactly(x)
}

// formatExactly returns the shortest text that parses to the same number as x.
func formatExactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// tables returns the tables of each file, without files that would have none.
func (r *Report) tables() []Tables {
	all := append(slices.Clone(r.Tables),
		Tables{Name: "scores", List: r.ScoreTables("test")},
		Tables{Name: "splits", List: r.SplitTables()},
		Tables{Name: "single", List: r.otherTables()},
		Tables{Name: "agreement", List: r.agreementTables()},
		Tables{Name: "seeds", List: r.seedsTables()},
	)
	return slices.DeleteFunc(all, func(t Tables) bool { return len(t.List) == 0 })
}

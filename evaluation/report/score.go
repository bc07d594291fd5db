package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"

	"sml/data/strict"
	"sml/evaluation/measure"
)

// Splits returns the parts of the data that are scored, in the order of the
// paper's figures.
func Splits() []string {
	var names []string
	for _, s := range splits {
		names = append(names, s.name)
	}
	return names
}

// OtherSplits are those that the paper's figures do not have.
func OtherSplits(scores []measure.Score) []string {
	var names []string
	for _, s := range scores {
		if !slices.Contains(Splits(), s.Split) {
			names = appendNew(names, s.Split)
		}
	}
	return names
}

// WriteScoresJSON writes an array of the scores in the order given, one on
// each line. What the reference has for a score is its last key, called as the
// reference.
func WriteScoresJSON(w io.Writer, scores []measure.Score, beside Reference) error {
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
		if x := beside.of(s); !math.IsNaN(x) {
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

// WriteScoresCSV writes the columns dataset, method, split, measure, mean,
// std, folds and failed, one line for each score in the order given. Numbers
// have all their digits; NaN, +Inf and -Inf stand as such. A reference that has
// any of the scores has a column, called as it is and empty where it has none.
func WriteScoresCSV(w io.Writer, scores []measure.Score, beside Reference) error {
	out := csv.NewWriter(w)
	header := []string{"dataset", "method", "split", "measure", "mean", "std", "folds", "failed"}
	compared := Agree(scores, beside).Of > 0
	if compared {
		header = append(header, beside.Name)
	}
	out.Write(header) // an error of Write is kept for Error
	for _, s := range scores {
		record := []string{s.Dataset, s.Method, s.Split, s.Measure, allDigits(s.Mean), allDigits(s.Std), strconv.Itoa(s.Folds), strconv.Itoa(s.Failed)}
		if x := beside.of(s); !math.IsNaN(x) {
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

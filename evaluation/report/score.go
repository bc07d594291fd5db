package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
)

// Score is one measure of one method on one data set, cross-validated. It is
// in units of the standardised target.
type Score struct {
	Dataset string
	Method  string // a label of the command line: "sml" or "sml beta=0.25"
	Split   string // one of Splits, or a kind of split without folds
	Measure string // rmse, nll, ece, ws, ks, r2 or mae

	Mean, Std float64 // over the folds that did not fail; infinite or NaN as soon as one of them is
	Folds     int     // trainings that were to be done, one for each fold and seed
	Failed    int     // how many of them have no score
	Paper     float64 // what the paper printed; NaN where it printed nothing
}

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
func OtherSplits(scores []Score) []string {
	var names []string
	for _, s := range scores {
		if !slices.Contains(Splits(), s.Split) {
			names = appendNew(names, s.Split)
		}
	}
	return names
}

// scoreJSON is Score as it is stored. JSON has no NaN and no infinity, so
// both are stored as null.
type scoreJSON struct {
	Dataset string   `json:"dataset"`
	Method  string   `json:"method"`
	Split   string   `json:"split"`
	Measure string   `json:"measure"`
	Mean    *float64 `json:"mean"`
	Std     *float64 `json:"std"`
	Folds   int      `json:"folds"`
	Failed  int      `json:"failed"`
	Paper   *float64 `json:"paper"`
}

// MarshalJSON writes an object with the keys dataset, method, split, measure,
// mean, std, folds, failed and paper, in this order. A number that is not
// finite is written as null.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(scoreJSON{
		s.Dataset, s.Method, s.Split, s.Measure,
		finiteOrNil(s.Mean), finiteOrNil(s.Std), s.Folds, s.Failed, finiteOrNil(s.Paper),
	})
}

// UnmarshalJSON reads what MarshalJSON writes. A number that is null or
// absent becomes NaN.
func (s *Score) UnmarshalJSON(text []byte) error {
	var stored scoreJSON
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	*s = Score{
		stored.Dataset, stored.Method, stored.Split, stored.Measure,
		valueOrNaN(stored.Mean), valueOrNaN(stored.Std), stored.Folds, stored.Failed, valueOrNaN(stored.Paper),
	}
	return nil
}

func finiteOrNil(x float64) *float64 {
	if !finite(x) {
		return nil
	}
	return &x
}

func valueOrNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// WriteScoresJSON writes an array of the scores in the order given, one on
// each line.
func WriteScoresJSON(w io.Writer, scores []Score) error {
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
	}
	_, err := w.Write(append(text, "\n]\n"...))
	return err
}

// WriteScoresCSV writes the columns dataset, method, split, measure, mean,
// std, folds, failed and paper, one line for each score in the order given.
// Numbers have all their digits; NaN, +Inf and -Inf stand as such. The paper's
// column is empty where it printed nothing.
func WriteScoresCSV(w io.Writer, scores []Score) error {
	out := csv.NewWriter(w)
	out.Write([]string{"dataset", "method", "split", "measure", "mean", "std", "folds", "failed", "paper"}) // an error of Write is kept for Error
	for _, s := range scores {
		paper := ""
		if !math.IsNaN(s.Paper) {
			paper = allDigits(s.Paper)
		}
		out.Write([]string{
			s.Dataset, s.Method, s.Split, s.Measure,
			allDigits(s.Mean), allDigits(s.Std), strconv.Itoa(s.Folds), strconv.Itoa(s.Failed), paper,
		})
	}
	out.Flush()
	return out.Error()
}

func allDigits(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

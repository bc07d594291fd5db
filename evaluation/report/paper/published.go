package paper

import (
	_ "embed"
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report"
)

// reference has the scores that the paper printed for the test rows of random folds: rmse, nll, ece
// and ws of mc, mc-ll, sml, pu, pu-de and de, under the paper's settings. Most have two decimals.
//
// Source: Sicking et al., second-moment loss, appendix, the table of
// "regression performance and uncertainty quality".
var reference = report.Reference{
	Name:     "paper",
	InText:   "the paper",
	Lookup:   publishedScore,
	Rounding: publishedRounding,
	Cause:    deviationCause,
}

// publishedScore returns a score that the paper printed; ok is false if it did not print it.
func publishedScore(dataset, method, split, measure string) (score float64, ok bool) {
	text, isPrinted := published[printedCell{dataset, measure, method}]
	if split != "test" || !isPrinted {
		return 0, false
	}
	score, err := strconv.ParseFloat(text, 64)
	return score, err == nil
}

// publishedRounding returns half a unit of the last printed digit of a score. The paper prints two
// decimals; scores from 100,000 on have two significant digits instead.
func publishedRounding(score float64) float64 {
	const minWithTwoDigits = 1e5
	if math.Abs(score) < minWithTwoDigits {
		return 0.005
	}
	lastDigit := 1e4                       // unit of the second digit of scores from 100,000 to 999,999
	for 100*lastDigit <= math.Abs(score) { // the score has more than two digits before the unit
		lastDigit *= 10
	}
	return lastDigit / 2
}

// deviationCause returns a known reason why a score varies more between trainings than a few seeds show,
// or "" if none is known.
func deviationCause(s measure.Score) string {
	hasNoBound := s.Measure == "nll" || s.Measure == "ws" // single rows can make them very large
	switch {
	case hasNoBound && s.Method == "pu":
		return "a few outliers decide the mean"
	case hasNoBound && s.Method == "mc-ll":
		return "rows with σ close to 0 decide the mean"
	case s.Measure == "nll" && s.Dataset == "diabetes" && (s.Method == "de" || s.Method == "pu-de"):
		return "each fold has 44 test rows; on some of them the members agree by chance"
	case s.Dataset == "naval":
		return "trainings on naval differ much from one another"
	}
	return ""
}

// publishedMeasures lists the measures of the paper's table, which has a row for each of them and each data
// set.
var publishedMeasures = []string{"rmse", "nll", "ece", "ws"}

var (
	//go:embed published.csv
	paperTable string

	// published has the scores of the paper's table, by data set, measure and method.
	published = readPrinted(paperTable)
)

// printedCell is the key of a score in a printed table: the first two cells of its row, and the title of its column.
type printedCell struct{ first, second, column string }

// readTable returns the rows of a table in CSV. It panics if the table, which is a part of the program, is not CSV.
func readTable(table string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err)
	}
	return rows
}

// readPrinted returns the scores of a printed table in CSV, as they are printed.
func readPrinted(table string) map[printedCell]string {
	rows := readTable(table)
	header := rows[0]
	scores := make(map[printedCell]string)
	for _, row := range rows[1:] {
		for column, text := range row[2:] {
			scores[printedCell{row[0], row[1], header[2+column]}] = text
		}
	}
	return scores
}

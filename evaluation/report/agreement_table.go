package report

import (
	"fmt"
	"math"
	"slices"
)

// AgreementTable says how many of the paper's scores are met, by measure and
// method.
func AgreementTable(scores []Score, title func(label string) string) Table {
	var methods []string
	for _, s := range scores {
		if !math.IsNaN(s.Paper) {
			methods = appendNew(methods, s.Method)
		}
	}
	t := Table{Caption: "Scores of the paper that are met", words: 1}
	t.header = append(append([]string{"measure"}, titles(methods, title)...), "all methods")
	row := func(name string, measure func(string) bool) []cell {
		cells := words(name)
		for _, method := range append(methods[:len(methods):len(methods)], "") {
			a := Agree(slices.DeleteFunc(slices.Clone(scores), func(s Score) bool {
				return !measure(s.Measure) || method != "" && s.Method != method
			}))
			if a.Of == 0 {
				cells = append(cells, cell{text: printed(math.NaN())})
				continue
			}
			cells = append(cells, cell{text: fmt.Sprintf("%d of %d", a.Met, a.Of)})
		}
		return cells
	}
	for _, measure := range publishedMeasures {
		t.body = append(t.body, row(measureTitle(measure), func(m string) bool { return m == measure }))
	}
	t.foot = [][]cell{row("all measures", func(string) bool { return true })}
	return t
}

// MissTable lists the scores of the paper that are not met.
func MissTable(scores []Score, title func(label string) string) Table {
	t := Table{
		Caption: "Scores of the paper that are not met", words: 3,
		header: []string{"data set", "measure", "method", "ours", "paper", "ours − paper"},
	}
	for _, s := range Agree(scores).Misses {
		row := words(s.Dataset, measureTitle(s.Measure), titles([]string{s.Method}, title)[0], spread(s), printed(s.Paper), difference(s.Mean, s.Paper))
		if s.Failed > 0 {
			row[3].below = []string{failures(s)}
		}
		t.body = append(t.body, row)
	}
	return t
}

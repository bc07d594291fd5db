package report

import (
	"math"
	"slices"
	"testing"

	"sml/evaluation/measure"
)

// gridScores has one column for each method, NaN where every fold failed.
func gridScores(name string, columns map[string][]float64) []measure.Score {
	var scores []measure.Score
	for i, dataset := range []string{"x", "y", "z"} {
		for _, method := range []string{"a", "b", "c"} {
			if column := columns[method]; i < len(column) {
				scores = append(scores, measure.Score{Dataset: dataset, Method: method, Split: "test", Measure: name, Mean: column[i], Folds: 5})
			}
		}
	}
	return scores
}

func TestGridCommon(t *testing.T) {
	g := newGrid(gridScores("ece", map[string][]float64{"a": {1, 2, 3}, "b": {4, 5}, "c": {6, 7, 8}}), "test", "ece").common()
	if !slices.Equal(g.datasets, []string{"x", "y"}) || !slices.Equal(g.methods, []string{"a", "b", "c"}) {
		t.Errorf("data sets %v and methods %v; want x and y, which all methods have", g.datasets, g.methods)
	}
	if got := g.column("b", scoreMean); !slices.Equal(got, []float64{4, 5}) {
		t.Errorf("the scores of b are %v; want 4 and 5", got)
	}
}

func TestMeanRank(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	columns := map[string][]float64{"a": {1, 2, inf}, "b": {3, 2, 5}, "c": {2, 1, nan}}
	// By hand: a is 1st, shares the 2nd and 3rd place, and is 2nd; b is 3rd,
	// shares the same and is 1st; c is 2nd, 1st and 3rd. For R² more is better:
	// a 3rd, shared 1st and 2nd, 1st; b 1st, shared, 2nd; c 2nd, 3rd, 3rd.
	cases := []struct {
		measure string
		want    [3]float64
	}{
		{"ece", [3]float64{(1 + 2.5 + 2) / 3., (3 + 2.5 + 1) / 3., (2 + 1 + 3) / 3.}},
		{"r2", [3]float64{(3 + 1.5 + 1) / 3., (1 + 1.5 + 2) / 3., (2 + 3 + 3) / 3.}},
	}
	for _, c := range cases {
		g := newGrid(gridScores(c.measure, columns), "test", c.measure).common()
		for i, got := range g.ranking().MeanRanks {
			if math.Abs(got-c.want[i]) > 1e-12 {
				t.Errorf("%s: the mean rank of %s is %v; want %v", c.measure, g.methods[i], got, c.want[i])
			}
		}
	}
}

package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/expect"
	"sml/internal/statistics"
)

// foldsOf returns trainings of a method on ten folds, with scores by a measure, and their mean as a score. A tenth of
// the rows is tested on.
func foldsOf(method, name string, scores []float64) (folds []study.FoldScores, mean measure.Score) {
	for fold, score := range scores {
		folds = append(folds, study.FoldScores{
			Dataset: "x", Method: method, Split: "test", Fold: fold, Seed: 1, TestRows: 10, TrainRows: 90,
			Scores: measure.Scores{{Measure: name, Score: score}},
		})
	}
	return folds, scoreOf("x", method, "test", name, statistics.Mean(scores), 0, len(scores), 0)
}

// shift returns ten numbers around a mean: mean ± spread in turn, plus a hard fold that all methods share.
func shift(mean, spread float64) []float64 {
	var scores []float64
	for fold := range 10 {
		scores = append(scores, mean+spread*float64(fold%2*2-1))
	}
	scores[3] += 5
	return scores
}

// Every method is marked that is not significantly worse than the best. By hand: the differences ±s around a mean m
// have the sample standard deviation s·√(10/9), the factor of Nadeau and Bengio is √(1/10 + 1/9) = 0.4595, and t with 9
// degrees of freedom is 2.2622. Half the interval is therefore 1.0957·s.
func TestLevelMethodsAreMarked(t *testing.T) {
	for _, c := range []struct {
		name   string
		means  []float64 // of three methods; the first is best
		spread float64
		want   string // marks of the methods
	}{
		{"crps", []float64{1, 1.10, 1.12}, 0.1, "**-"}, // half the interval is 0.10957
		{"crps", []float64{1, 1.05, 1.10}, 0.01, "*--"},
		{"r2", []float64{1, 0.95, 0.85}, 0.1, "**-"}, // higher is better
		{"width90", []float64{1, 1, 1}, 0.1, "---"},  // neither is better
	} {
		var folds []study.FoldScores
		var scores []measure.Score
		for i, method := range []string{"a", "b", "c"} {
			spread := c.spread
			if i == 0 {
				spread = 0
			}
			own, mean := foldsOf(method, c.name, shift(c.means[i], spread))
			folds = append(folds, own...)
			scores = append(scores, mean)
		}
		tables := (&Report{Shown: scores, Folds: folds, MethodTitle: sameTitle}).ScoreTables("test")
		var marks strings.Builder
		for _, cell := range tables[0].Body[0][1:] {
			if cell.Best {
				marks.WriteByte('*')
			} else {
				marks.WriteByte('-')
			}
		}
		if marks.String() != c.want {
			t.Errorf("%s %v: the marks are %s; want %s", c.name, c.means, &marks, c.want)
		}
		isExplained := strings.Contains(tables[0].Notes[0], "Nadeau and Bengio")
		if isExplained != (c.name != "width90") {
			t.Errorf("%s: the note is %q", c.name, tables[0].Notes[0])
		}
	}
}

// A single fold tells nothing about the noise, and an infinite score is not as good as a number.
func TestNotLevel(t *testing.T) {
	one, oneMean := foldsOf("a", "crps", []float64{1})
	other, otherMean := foldsOf("b", "crps", []float64{1.1})
	single := (&Report{Shown: []measure.Score{oneMean, otherMean}, Folds: append(one, other...), MethodTitle: sameTitle}).ScoreTables("test")[0]
	if !single.Body[0][1].Best || single.Body[0][2].Best || strings.Contains(single.Notes[0], "significantly") {
		t.Errorf("marks of single folds are %v, note %q", single.Body[0], single.Notes[0])
	}
	finite, finiteMean := foldsOf("a", "crps", shift(1, 0.1))
	scores := shift(1, 0.1)
	scores[0] = math.Inf(1)
	infinite, infiniteMean := foldsOf("b", "crps", scores)
	table := (&Report{Shown: []measure.Score{finiteMean, infiniteMean}, Folds: append(finite, infinite...), MethodTitle: sameTitle}).ScoreTables("test")[0]
	if !table.Body[0][1].Best || table.Body[0][2].Best {
		t.Errorf("marks beside an infinite score are %v", table.Body[0])
	}
}

func TestWriteFoldsCSV(t *testing.T) {
	folds, _ := foldsOf("sml beta=0.5", "crps", []float64{0.25, math.Inf(1)})
	folds[1].Inner = 2
	var got bytes.Buffer
	expect.NoError(t, writeFoldsCSV(&got, folds))
	want := "dataset,method,split,fold,inner_fold,seed,measure,score\n" +
		"x,sml beta=0.5,test,0,0,1,crps,0.25\n" +
		"x,sml beta=0.5,test,1,2,1,crps,+Inf\n"
	if got.String() != want {
		t.Errorf("the file is\n%swant\n%s", &got, want)
	}
}

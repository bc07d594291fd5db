package report

import (
	"math"
	"strconv"
	"testing"

	"sml/evaluation/measure"
)

func TestAgree(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct {
		mean, paper float64
		failed      int
		reproduced  bool
	}{
		{0.53, 0.44, 0, true},
		{0.55, 0.44, 0, false}, // 0.11 is more than 0.1 and more than 0.088
		{1.19, 1, 0, true},
		{1.21, 1, 0, false},
		{-2.9, -2.5, 0, true},
		{0.44, 0.44, 1, false},
		{inf, 1.4e6, 0, false},
		{nan, 0.44, 0, false},
	}
	scores := []measure.Score{{Dataset: "none", Mean: 1}} // nothing to compare with
	var notReproduced []string                            // data sets
	reference := Reference{Lookup: func(dataset, _, _, _ string) (float64, bool) {
		i, err := strconv.Atoi(dataset)
		if err != nil {
			return 0, false
		}
		return cases[i].paper, true
	}}
	for i, c := range cases {
		scores = append(scores, measure.Score{Dataset: strconv.Itoa(i), Mean: c.mean, Failed: c.failed, Folds: 10})
		if !c.reproduced {
			notReproduced = append(notReproduced, strconv.Itoa(i))
		}
	}
	a := Agree(scores, reference)
	if a.Reproduced != 3 || a.Compared != len(cases) || len(a.NotReproduced) != len(notReproduced) {
		t.Fatalf("%d of %d are reproduced, %d are not; want 3 of %d, %d not", a.Reproduced, a.Compared, len(a.NotReproduced), len(cases), len(notReproduced))
	}
	for i, got := range a.NotReproduced {
		if got.Dataset != notReproduced[i] {
			t.Errorf("score %d that is not reproduced is %v; want case %s", i, got, notReproduced[i])
		}
	}
}

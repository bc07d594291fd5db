package main

import (
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/expect"
)

// The index follows from seven comparable pairs: (1, 2), (1, 3), (1, 4), (1, 5), (3, 4), (3, 5), and (4, 5), since row 5 is
// censored at the target of row 4. Row 2 is censored.
func TestConcordance(t *testing.T) {
	for _, test := range []struct {
		mean, weights []float64
		want          float64
	}{
		{[]float64{1, 2, 3, 4, 5}, nil, 1},
		{[]float64{5, 4, 3, 2, 1}, nil, 0},
		{[]float64{2, 3, 1, 4, 9}, nil, 6.0 / 7},                       // (1, 3) is discordant
		{[]float64{2, 2, 1, 4, 9}, nil, 5.5 / 7},                       // and the means of (1, 2) are equal
		{[]float64{2, 3, 1, 4, 9}, []float64{1, 1, 2, 1, 1}, 8.0 / 10}, // (1, 3), (3, 4) and (3, 5) count twice
		{[]float64{2, 3, 1, 4, 9}, []float64{1, 0, 1e-9, 0, 0}, 0},     // only (1, 3) is left
		{[]float64{7, 7, 7, 7, 7}, []float64{1, 2, 3, 4, 5}, 0.5},
	} {
		c := &measure.Column{
			Mean:     test.mean,
			Y:        []float64{1, 2, 3, 4, 4},
			Extras:   map[string][]float64{"censored": {0, 1, 0, 0, 1}},
			Weights:  test.weights,
			Protocol: data.Sound,
		}
		expect.NoError(t, c.Check())
		if got := score(t, c, "concordance"); !(got-test.want < 1e-15 && test.want-got < 1e-15) {
			t.Errorf("the concordance of means %v with weights %v is %v; want %v", test.mean, test.weights, got, test.want)
		}
	}
	withoutColumn := &measure.Column{Mean: []float64{1}, Y: []float64{1}, Protocol: data.Sound}
	m := expect.Must(measure.Lookup("concordance"))
	if scores := withoutColumn.Score([]measure.Measure{m}); scores != nil {
		t.Errorf("a table without the column has %v", scores)
	}
}

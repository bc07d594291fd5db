package report

import (
	"math"
	"strings"
	"testing"
)

func TestLossTerms(t *testing.T) {
	terms := Terms{Dataset: "wine-red", A: []float64{1, -2}, B: [][]float64{{0.5, -1}, {4}}}
	figure, err := LossTerms([]Terms{terms, terms})
	if err != nil {
		t.Fatal(err)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{">wine-red<": 2, ">a = f − y<": 1, ">(b, a)<": 1, "<image ": 2, "beyond": 0} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	// By hand: a from -2 to 1, b from -1 to 4, |b| − |a| is -0.5, 0 and 2.
	for i, want := range [][2]float64{{-2, 1}, {-1, 4}, {-1, 4}, {-0.5, 2}} {
		if p := figure.panels[0][i]; p.X.Min != want[0] || p.X.Max != want[1] {
			t.Errorf("panel %d shows %v to %v; want %v", i, p.X.Min, p.X.Max, want)
		}
	}
}

func TestHistogramCounts(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(1)}
	for i := range 1000 {
		values = append(values, float64(i%10))
	}
	p := histogramPanel(values, "a")
	if p.note != "2 beyond" {
		t.Errorf("note is %q; want %q", p.note, "2 beyond")
	}
	// By hand: 19 bins from 0 to 9, none of which can hold two of the ten values.
	if got := p.Y.Max; math.Abs(got-105) > 1e-9 {
		t.Errorf("the y axis ends at %v; want 5 %% above the 100 of a bin", got)
	}
}

func TestLossTermsErrors(t *testing.T) {
	_, err := LossTerms(nil)
	wantError(t, err, "no data sets")
	_, err = LossTerms([]Terms{{Dataset: "yacht"}})
	wantError(t, err, `"yacht": 0 values of a`)
	_, err = LossTerms([]Terms{{Dataset: "yacht", A: []float64{1}, B: [][]float64{nil}}})
	wantError(t, err, "no sub-networks")
}

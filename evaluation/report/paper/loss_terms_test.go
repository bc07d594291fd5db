package paper

import (
	"strings"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
)

func countedTerms(t *testing.T) evaluation.LossTerms {
	t.Helper()
	return expect.Must(evaluation.CountLossTerms([]float64{1, -2}, [][]float32{{0.5, 4}, {-1, 0}}))
}

func TestLossTerms(t *testing.T) {
	terms := countedTerms(t)
	figure := drawLossTerms([]string{"wine-red", "power"}, map[string]evaluation.LossTerms{"wine-red": terms, "power": terms})
	image := svgOf(t, figure)
	for text, want := range map[string]int{">wine-red<": 1, ">power<": 1, ">a = f − y<": 1, ">(b, a)<": 1, ">draws<": 4, ">rows<": 2, "<image ": 2, "beyond": 0} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	// By hand: a is −2 and 1, b from −1 to 4, |b| − |a| is −2, −0.5, 0 and 2.
	for i, want := range [][2]float64{{-2, 1}, {-1, 4}, {-1, 4}, {-2, 2}} {
		if p := figure.Panels[i]; p.X.Min != want[0] || p.X.Max != want[1] {
			t.Errorf("panel %d shows %v to %v; want %v", i, p.X.Min, p.X.Max, want)
		}
	}
}

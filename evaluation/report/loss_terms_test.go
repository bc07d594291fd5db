package report

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"sml/evaluation"
)

func countedTerms(t *testing.T) evaluation.LossTerms {
	t.Helper()
	counts, err := evaluation.CountLossTerms([]float64{1, -2}, [][]float32{{0.5, 4}, {-1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestLossTerms(t *testing.T) {
	terms := Terms{"wine-red", countedTerms(t)}
	figure, err := LossTerms([]Terms{terms, terms})
	if err != nil {
		t.Fatal(err)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{">wine-red<": 2, ">a = f − y<": 1, ">(b, a)<": 1, ">draws<": 4, ">rows<": 2, "<image ": 2, "beyond": 0} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	// By hand: a is −2 and 1, b from −1 to 4, |b| − |a| is −2, −0.5, 0 and 2.
	for i, want := range [][2]float64{{-2, 1}, {-1, 4}, {-1, 4}, {-2, 2}} {
		if p := figure.panels[0][i]; p.X.Min != want[0] || p.X.Max != want[1] {
			t.Errorf("panel %d shows %v to %v; want %v", i, p.X.Min, p.X.Max, want)
		}
	}
}

// A cloud of counted points is as dense as the points themselves.
func TestCountedCloud(t *testing.T) {
	p := newPlot("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	points := plotter.XYs{{X: 0.2, Y: 0.3}, {X: 0.7, Y: 0.3}, {X: 0.71, Y: 0.32}}
	thrice := cloud{points: append(append(points[:len(points):len(points)], points...), points...), radius: 1}
	counts := make([]int, len(points))
	for i := range counts {
		counts[i] = 3
	}
	counted := cloud{points: points, counts: counts, radius: 1}
	one, other := thrice.depth(p, 50, 50), counted.depth(p, 50, 50)
	for i := range one {
		if d := one[i] - other[i]; d > 1e-9 || d < -1e-9 {
			t.Fatalf("dot %d has the depth %v; want %v", i, other[i], one[i])
		}
	}
}

func TestLossTermsErrors(t *testing.T) {
	_, err := LossTerms(nil)
	wantError(t, err, "no data sets")
	_, err = LossTerms([]Terms{{Dataset: "yacht"}})
	wantError(t, err, `"yacht": loss terms of 0 rows and 0 sub-networks`)
	broken := countedTerms(t)
	broken.B.Counts[0]++
	_, err = LossTerms([]Terms{{"yacht", broken}})
	wantError(t, err, `"yacht": loss terms: b: `)
}

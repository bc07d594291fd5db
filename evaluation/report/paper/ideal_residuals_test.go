package paper

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"sml/internal/expect"
)

func TestIdealResiduals(t *testing.T) {
	figure, caption, err := idealResiduals(t.Context(), nil)
	expect.NoError(t, err)
	image := svgOf(t, figure)
	if strings.Count(image, "<image ") != 1 || !strings.Contains(image, "(expected 0.552)") || !strings.Contains(caption, " 0.552.") {
		t.Error("there is not one picture of the points, or not the correlation")
	}
	// A bent line of either kind through the origin, and one in the legend.
	for _, line := range []string{"stroke:#F28E1C;stroke-width:1.2", "stroke:#1B5FC1;stroke-width:1.2"} {
		if got := strings.Count(image, line); got != 2 {
			t.Errorf("%d lines %s; want 2", got, line)
		}
	}
}

// The paper says that the correlation is approximately 55 %; draws agree with
// the formula to four of their standard errors.
func TestIdealCorrelation(t *testing.T) {
	want := idealCorrelation()
	if math.Abs(want-0.552) > 5e-4 {
		t.Errorf("correlation %v; want 0.552", want)
	}
	var all, stds []float64
	for seed := range uint64(40) {
		points := idealPoints(seed)
		for i, residual := range points.X {
			all, stds = append(all, math.Abs(residual)), append(stds, points.Y[i])
		}
	}
	if got, deviation := stat.Correlation(all, stds, nil), 1/math.Sqrt(float64(len(all))); math.Abs(got-want) > 4*deviation {
		t.Errorf("correlation of %d draws is %v; want %v", len(all), got, want)
	}
}

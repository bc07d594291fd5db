package paper

import (
	"math"
	"strings"
	"testing"

	"sml/evaluation/report/chart"
)

func TestResidualGrid(t *testing.T) {
	some := func(scale float64) (points chart.Layer) {
		for i := range 200 {
			points.Add(scale*math.Sin(float64(i)), scale*float64(i+1)/200)
		}
		return points
	}
	wild := some(1)
	wild.Y[3], wild.X[4] = 1e6, math.Inf(1)
	figure := drawResiduals([][]chart.Layer{{some(2), wild}, {{}, some(3)}}, []string{"naval", "abalone"}, []string{"mc", "sml"})
	if len(figure.Panels) != 4 || figure.Columns != 2 {
		t.Fatalf("%d panels in %d columns; want 4 in 2", len(figure.Panels), figure.Columns)
	}
	left, right := figure.Panels[0], figure.Panels[1]
	if left.X.Min != right.X.Min || left.X.Max != right.X.Max || left.Y.Max != right.Y.Max {
		t.Error("panels of a row have different axes")
	}
	if -left.X.Min != left.X.Max || left.Y.Max > 3 || left.X.Max > 3 {
		t.Errorf("axes end at %v and %v; want them symmetric, and without the wild points", left.X.Max, left.Y.Max)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{">MC<": 1, ">SML<": 1, ">naval<": 1, ">abalone<": 1, ">no predictions<": 1, ">2 beyond the axes<": 1, "<image ": 3} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
}

func TestResidualGridIsReadableBesideADivergedMethod(t *testing.T) {
	methods := []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"}
	var points []chart.Layer
	for _, method := range methods {
		scale := 1.0
		if method == "pu" {
			scale = 1e6
		}
		points = append(points, chart.Layer{X: []float64{-scale, scale, scale}, Y: []float64{scale, scale, scale}})
	}
	figure := drawResiduals([][]chart.Layer{points}, []string{"protein"}, methods)
	for i, p := range figure.Panels {
		if p.X.Max > 10 || p.Y.Max > 10 {
			t.Errorf("panel %d reaches to (%v, %v); want the limits of the five others", i, p.X.Max, p.Y.Max)
		}
	}
	if !strings.Contains(svgOf(t, figure), ">3 beyond the axes<") {
		t.Error("the points of the diverged method are not all beyond the axes")
	}
}

func TestLargestUsual(t *testing.T) {
	cases := []struct {
		values []float64
		want   float64 // by hand
	}{{nil, 1}, {[]float64{0}, 1}, {[]float64{3}, 3}, {[]float64{1, 2, 3, 1, 2, 1e6}, 3}, {[]float64{1, math.Inf(1)}, 1}}
	for _, c := range cases {
		if got := largestWithoutOutliers(c.values); got != c.want {
			t.Errorf("%v: got %v; want %v", c.values, got, c.want)
		}
	}
}

package report

import (
	"math"
	"strings"
	"testing"
)

func TestResidualGrid(t *testing.T) {
	some := func(dataset, method string, scale float64) Residuals {
		r := Residuals{Dataset: dataset, Method: method}
		for i := range 200 {
			r.Residual = append(r.Residual, scale*math.Sin(float64(i)))
			r.Std = append(r.Std, scale*float64(i+1)/200)
		}
		return r
	}
	wild := some("naval", "sml", 1)
	wild.Std[3], wild.Residual[4] = 1e6, math.Inf(1)
	figure, err := ResidualGrid([]Residuals{some("naval", "mc", 2), wild, some("abalone", "sml", 3)}, strings.ToUpper)
	if err != nil {
		t.Fatal(err)
	}
	if len(figure.panels) != 2 || len(figure.panels[0]) != 2 {
		t.Fatalf("panels in %d rows; want 2 of 2", len(figure.panels))
	}
	left, right := figure.panels[0][0], figure.panels[0][1]
	if left.X.Min != right.X.Min || left.X.Max != right.X.Max || left.Y.Max != right.Y.Max {
		t.Error("panels of a row have different axes")
	}
	if -left.X.Min != left.X.Max || left.Y.Max > 3 || left.X.Max > 3 {
		t.Errorf("axes end at %v and %v; want them symmetric, and without the wild points", left.X.Max, left.Y.Max)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{">MC<": 1, ">SML<": 1, ">naval<": 1, ">abalone<": 1, ">no predictions<": 1, ">2 beyond<": 1, "<image ": 3} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
}

func TestResidualGridIsReadableBesideADivergedMethod(t *testing.T) {
	var all []Residuals
	for _, method := range []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"} {
		scale := 1.0
		if method == "pu" {
			scale = 1e6
		}
		all = append(all, Residuals{"protein", method, []float64{-scale, scale, scale}, []float64{scale, scale, scale}})
	}
	figure, err := ResidualGrid(all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range figure.panels[0] {
		if p.X.Max > 10 || p.Y.Max > 10 {
			t.Errorf("panel %d reaches to (%v, %v); want the limits of the five others", i, p.X.Max, p.Y.Max)
		}
	}
	if note := figure.panels[0][3].note; note != "3 beyond" {
		t.Errorf("note of the diverged method is %q; want all its points counted", note)
	}
}

func TestLargestUsual(t *testing.T) {
	cases := []struct {
		values []float64
		want   float64 // by hand
	}{{nil, 1}, {[]float64{0}, 1}, {[]float64{3}, 3}, {[]float64{1, 2, 3, 1, 2, 1e6}, 3}, {[]float64{1, math.Inf(1)}, 1}}
	for _, c := range cases {
		if got := largestUsual(c.values); got != c.want {
			t.Errorf("%v: got %v; want %v", c.values, got, c.want)
		}
	}
}

func TestResidualGridErrors(t *testing.T) {
	_, err := ResidualGrid(nil, nil)
	wantError(t, err, "no predictions")
	_, err = ResidualGrid([]Residuals{{Dataset: "yacht", Method: "mc", Residual: []float64{1}}}, nil)
	wantError(t, err, "1 residuals for 0 uncertainties")
	_, err = ResidualGrid([]Residuals{{Dataset: "yacht", Method: "mc"}, {Dataset: "yacht", Method: "mc"}}, nil)
	wantError(t, err, "given twice")
}

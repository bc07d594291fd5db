package report

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// wobbling is the toy function with two panels of lines around it, as in the
// paper's figure 1.
func wobbling(lines int) []SubNetworks {
	const n = 1000
	rng := rand.New(rand.NewPCG(7, 0))
	x, truth := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = -15 + 35*float64(i)/(n-1)
		bump := 4000 * math.Exp(-(x[i]+1)*(x[i]+1)/200) * math.Sin(x[i])
		truth[i] = 0.01 * (25*x[i]*x[i] - x[i]*x[i]*x[i] + bump)
	}
	panels := []SubNetworks{{Title: "MC", X: x, Truth: truth}, {Title: "SML", X: x, Truth: truth}}
	for p := range panels {
		for range lines {
			size, phase := float64(3+5*p)*rng.NormFloat64(), 6*rng.Float64()
			line := make([]float64, n)
			for i := range line {
				line[i] = truth[i] + size*math.Sin(x[i]/2+phase)
			}
			panels[p].Lines = append(panels[p].Lines, line)
		}
	}
	return panels
}

func TestFigure1(t *testing.T) {
	image := string(encoded(t, "figure.svg", wobbling(200)))

	const grey, red = ";stroke-opacity:0.27451;", "stroke:#D61F26;stroke-width:1.4"
	if got := strings.Count(image, grey); got != 2*200 {
		t.Errorf("%d grey lines; want 400", got)
	}
	if got := strings.Count(image, red); got != 2+1 {
		t.Errorf("%d red lines; want one in each panel and one in the legend", got)
	}
	if strings.LastIndex(image, red) < strings.LastIndex(image, grey) {
		t.Error("the truth lies below the sub-networks")
	}
	for _, text := range []string{">MC<", ">SML<", ">x<", ">y<", ">sub-networks<", ">ground truth<", ">−10<"} {
		if !strings.Contains(image, text) {
			t.Errorf("there is no text %s", text)
		}
	}
	// 400,000 points of some 13 bytes would be 5 MB.
	if len(image) > 1_500_000 {
		t.Errorf("%d bytes; want the lines thinned", len(image))
	}
}

func TestFigure1SharesTheYRange(t *testing.T) {
	figure, err := Figure1([]SubNetworks{
		{X: []float64{0, 1}, Lines: [][]float64{{-1, 2}}},
		{X: []float64{5, 9}, Truth: []float64{0, 4}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range figure.panels[0] {
		// By hand: −1 to 4, and 3 % of it at each end.
		if math.Abs(p.Y.Min+1.15) > 1e-12 || math.Abs(p.Y.Max-4.15) > 1e-12 {
			t.Errorf("panel %d shows y from %v to %v; want −1.15 to 4.15", i, p.Y.Min, p.Y.Max)
		}
	}
}

func TestFigure1Legend(t *testing.T) {
	x, line := []float64{0, 1}, []float64{2e17, 2e17} // where ±1 is lost
	cases := []struct {
		panel SubNetworks
		want  string
	}{
		{SubNetworks{X: x, Lines: [][]float64{line}}, "sub-networks"},
		{SubNetworks{X: x, Truth: line}, "ground truth"},
	}
	for _, c := range cases {
		figure, err := Figure1([]SubNetworks{c.panel})
		if err != nil {
			t.Fatal(err)
		}
		if len(figure.legend) != 1 || len(figure.legend[0]) != 1 || figure.legend[0][0].text != c.want {
			t.Errorf("legend has %d lines; want %q alone", len(figure.legend), c.want)
		}
		if err := writePNG(&bytes.Buffer{}, figure); err != nil {
			t.Errorf("a constant line: %v", err)
		}
	}
}

func TestFigure1Errors(t *testing.T) {
	x, y := []float64{0, 1}, []float64{2, 3}
	cases := []struct {
		panels []SubNetworks
		want   string
	}{
		{nil, "no panels"},
		{[]SubNetworks{{Title: "A", X: x}}, `panel "A" has no lines`},
		{[]SubNetworks{{Title: "A", X: x[:1], Truth: y[:1]}}, `panel "A" has 1 inputs; want at least two`},
		{[]SubNetworks{{Title: "A", X: []float64{1, 1}, Truth: y}}, `panel "A": input 1 is 1; want finite inputs in increasing order`},
		{[]SubNetworks{{Title: "A", X: []float64{1, math.NaN()}, Truth: y}}, "input 1 is NaN"},
		{[]SubNetworks{{Title: "A", X: x, Truth: y, Lines: [][]float64{y, {1}}}}, "line 1 has 1 values for 2 inputs"},
		{[]SubNetworks{{Title: "A", X: x, Truth: []float64{1, math.Inf(1)}, Lines: [][]float64{y}}}, "truth is +Inf at input 1"},
	}
	for _, c := range cases {
		_, err := Figure1(c.panels)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v; want one with %q", err, c.want)
		}
	}
}

// Rows have a y range each, titles stand above the first alone, and data are
// dots below the lines.
func TestFigure1Rows(t *testing.T) {
	x := []float64{0, 1}
	figure, err := Figure1(
		[]SubNetworks{{Title: "MC", Dataset: "toy", X: x, Truth: x, Lines: [][]float64{x}}, {Title: "SML", X: x, Truth: x, Lines: [][]float64{x}}},
		[]SubNetworks{{Title: "MC", Dataset: "noise", X: x, Lines: [][]float64{x}, Data: [][2]float64{{0, -9}, {1, 11}}}, {Title: "SML", X: x, Lines: [][]float64{x}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{">MC<": 1, ">SML<": 1, ">toy<": 1, ">noise<": 1, "<image ": 1, ">ground truth<": 1, ">data with noise<": 1, ">x<": 2, ">y<": 2} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	// By hand: 0 to 1, and −9 to 11, and 3 % at each end.
	for j, want := range [][2]float64{{-0.03, 1.03}, {-9.6, 11.6}} {
		for i, p := range figure.panels[j] {
			if math.Abs(p.Y.Min-want[0]) > 1e-12 || math.Abs(p.Y.Max-want[1]) > 1e-12 {
				t.Errorf("panel %d of row %d shows %v to %v; want %v", i, j, p.Y.Min, p.Y.Max, want)
			}
		}
	}
	_, err = Figure1([]SubNetworks{{X: x, Truth: x}}, nil)
	wantError(t, err, "row 2 of figure 1 has 0 panels, the first 1")
	_, err = Figure1([]SubNetworks{{Title: "A", X: x, Truth: x, Data: [][2]float64{{0, math.NaN()}}}})
	wantError(t, err, "row 0 of the data")
}

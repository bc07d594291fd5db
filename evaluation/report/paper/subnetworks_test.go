package paper

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/report/chart"
	"sml/internal/expect"
)

// wobbling is the toy function with lines around it, as in the paper's figure 1,
// above noise.
func wobbling(lines int) *SubNetworks {
	const n = 1000
	rng := rand.New(rand.NewPCG(7, 0))
	x, truth := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = -15 + 35*float64(i)/(n-1)
		bump := 4000 * math.Exp(-(x[i]+1)*(x[i]+1)/200) * math.Sin(x[i])
		truth[i] = 0.01 * (25*x[i]*x[i] - x[i]*x[i]*x[i] + bump)
	}
	var f SubNetworks
	for column, title := range []string{"MC", "SML"} {
		toy := chart.Panel{Title: title, X: chart.Axis{Label: "x"}, Y: chart.Axis{Label: "y"}}
		grey := chart.Layer{Name: "sub-networks", X: x, Width: 0.4, Colour: chart.Pale(chart.Grey)}
		for range lines {
			size, phase := float64(3+5*column)*rng.NormFloat64(), 6*rng.Float64()
			line := make([]float64, n)
			for i := range line {
				line[i] = truth[i] + size*math.Sin(x[i]/2+phase)
			}
			grey.Y = line
			toy.Layers = append(toy.Layers, grey)
		}
		noise := toy
		_, _, truthLayer := dataLayers(&data.Table{X: x, Y: truth})
		toy.Layers = append(toy.Layers, truthLayer...)
		_, noise.Layers, _ = dataLayers(&data.Table{X: []float64{0, 0, 1}, Y: []float64{-9, 11, 0}})
		grey.X, grey.Y = []float64{0, 1}, []float64{0, 1}
		noise.Layers = append(noise.Layers, grey)
		f[0][column], f[1][column] = toy, noise
	}
	return &f
}

func TestSubNetworks(t *testing.T) {
	figure := expect.Must(wobbling(200).Figure())
	image := svgOf(t, figure)
	const grey, red = "stroke-opacity:0.25", "stroke:#D61F26;stroke-width:1.4"
	// By hand: 200 lines and one in either column; the truth above, and in the legend.
	for text, want := range map[string]int{
		grey: 2 * 201, red: 2 + 1, "<image ": 2, ">MC<": 1, ">SML<": 1, ">x<": 2, ">y<": 2, ">toy<": 1, ">toy-modulated<": 1,
		">sub-networks<": 1, ">ground truth<": 1, ">data with noise<": 1,
	} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	if first, _, _ := strings.Cut(image, "<image "); strings.LastIndex(first, red) < strings.LastIndex(first, grey) {
		t.Error("the truth lies below the sub-networks")
	}
	// 400,000 points of some 13 bytes would be 5 MB.
	if len(image) > 1_500_000 {
		t.Errorf("%d bytes; want the lines thinned", len(image))
	}
	// By hand: −9 to 11 in both panels of a row, and 3 % of it at each end.
	for i, p := range figure.Panels[2:] {
		if math.Abs(p.Y.Min+9.6) > 1e-12 || math.Abs(p.Y.Max-11.6) > 1e-12 {
			t.Errorf("panel %d shows y from %v to %v; want −9.6 to 11.6", i, p.Y.Min, p.Y.Max)
		}
	}
}

func TestSubNetworksErrors(t *testing.T) {
	f := wobbling(1)
	f[0][1].Layers[0].Y[3] = math.Inf(1)
	expect.Error(t, expect.ErrorOf(f.Figure()), "SML on toy has a value +Inf")
	f[0][1] = chart.Panel{}
	expect.Error(t, expect.ErrorOf(f.Figure()), "no panel of sml on toy")
}

// Figure 1 shows MC and SML on a curve without noise and on noise.
func TestSubNetworksOfToys(t *testing.T) {
	var f SubNetworks
	for _, toy := range Toys {
		toy.Epochs = 1
		for _, method := range []string{"mc", "sml", "pu"} {
			e, m, err := toy.Train(t.Context(), method)
			if err == nil {
				err = f.Add(t.Context(), e, m)
			}
			expect.NoError(t, err)
		}
	}
	// Layers are 200 lines, and the truth above or the noise below; the rows are of package data's toys.
	for i, want := range []struct{ inputs, truth, noise int }{{1000, 1000, 0}, {2000, 0, 20000}} {
		for j, title := range []string{"MC", "SML"} {
			p := f[i][j]
			first, last := p.Layers[0], p.Layers[len(p.Layers)-1]
			if p.Title != title || len(p.Layers) != 201 || len(p.Layers[100].X) != want.inputs {
				t.Errorf("panel %d, %d: %s with %d layers, %d inputs", i, j, p.Title, len(p.Layers), len(p.Layers[100].X))
			}
			if want.truth > 0 && (last.Name != "ground truth" || len(last.X) != want.truth) || want.noise > 0 && (first.Kind != chart.Cloud || len(first.X) != want.noise) {
				t.Errorf("panel %d, %d: %s of %d rows, %s of %d", i, j, first.Name, len(first.X), last.Name, len(last.X))
			}
		}
	}
}

// A report trains the networks of its first figure: where that is interrupted,
// so is the report.
func TestInterruptedSubNetworks(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := subNetworks(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is no interruption", err)
	}
}

package models_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
)

// binnedSpec returns a network whose inputs 0 and 2 are binned; input 1 is an indicator.
func binnedSpec(t *testing.T, bins int) models.Spec {
	t.Helper()
	spec, err := models.NewSpec("pu", nil, models.Architecture{
		Inputs: 3, Targets: 1, Hidden: []int{4}, Bins: bins, Indicators: []int{1}, Activation: "tanh",
	})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// The bins of an input have as many rows each; equal and close values share one.
func TestFitBins(t *testing.T) {
	spec := binnedSpec(t, 4)
	params := expect.Must(spec.NewParams(1))
	uniform := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8}
	skewed := []float32{0, 0, 0, 0, 0, 0, 0, 1, 9} // quantiles 0, 0, 0, 0 and 9
	spec.FitBins(params, [][]float32{uniform, skewed})
	want := map[string][]float32{
		"bins.start": {0, 2, 4, 6, 0, 0, 0, 0},
		"bins.scale": {0.5, 0.5, 0.5, 0.5, 1.0 / 9, 0, 0, 0},
	}
	for i, p := range params.List() {
		if want[p.Name] == nil {
			continue
		}
		if got := graph.ParamValues(params, params.Float32s(), i); !slices.Equal(got, want[p.Name]) {
			t.Errorf("%s is %v, want %v", p.Name, got, want[p.Name])
		}
		if !p.Buffer {
			t.Errorf("%s is trained", p.Name)
		}
	}
}

// A network of one linear layer shows the encoding: its outputs are sums of the bins' numbers. The expected numbers are
// the formula of Gorishniy et al. 2022, equation 1, and x/√(1 + x²/9).
func TestEncodeBins(t *testing.T) {
	spec := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{}, Bins: 2}))
	params := expect.Must(spec.NewParams(1))
	spec.FitBins(params, [][]float32{{-1, 0, 2}}) // bins from −1 to 0 and from 0 to 2
	weights := []float64{100, 10, 1}              // of the clipped input and of each bin, in the first output
	for i, p := range params.List() {
		if p.Name == "output.weight" {
			values := graph.ParamValues(params, params.Float32s(), i)
			clear(values)
			for row, weight := range weights {
				values[row*p.Columns] = float32(weight)
			}
		}
		if p.Name == "output.bias" {
			clear(graph.ParamValues(params, params.Float32s(), i))
		}
	}
	inputs := []float32{-2, -0.75, 0.5, 4}
	b := graph.New(graph.Float32, params)
	forward := expect.Must(spec.Forward(b, len(inputs)))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, forward(graph.Full)))
	defer r.Close()
	copy(r.Input(models.InputX), inputs)
	expect.NoError(t, r.Run())
	encodings := [][2]float64{{0, 0}, {0.25, 0}, {1, 0.25}, {1, 1}}
	for i, x := range inputs {
		clipped := float64(x) / math.Sqrt(1+float64(x*x)/9)
		want := weights[0]*clipped + weights[1]*encodings[i][0] + weights[2]*encodings[i][1]
		got := float64(r.Output(0)[2*i])
		if math.Abs(got-want) > 1e-4 { // float32: numbers of up to 250 have an error of 3e-5
			t.Errorf("the encoding of %v gives %v, want %v", x, got, want)
		}
	}
}

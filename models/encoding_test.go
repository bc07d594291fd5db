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

// The bins of an input have as many rows each; equal and close values share one. Input 1 is an indicator, without bins.
func TestFitBins(t *testing.T) {
	spec := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}, Bins: 4, Indicators: []int{1}}))
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

// TestPeriodicEmbedding compares the first output of one linear layer with the formula of Gorishniy et al. 2022,
// section 3.3, in package math. Inputs 0 and 2 have embeddings, and input 1 is an indicator. It is linear in the inputs and in 8 units for each of two inputs.
func TestPeriodicEmbedding(t *testing.T) {
	spec := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{}, Periodic: 2, Indicators: []int{1}}))
	if n := spec.Architecture.FirstLayerInputs(); n != 3+2*8 {
		t.Fatalf("the first layer has %d inputs, want 19", n)
	}
	const rows = 4
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward := expect.Must(spec.Forward(b, rows))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, forward(graph.Full)))
	defer r.Close()
	values := make(map[string][]float64)
	for i, p := range params.List() {
		values[p.Name] = graph.ParamValues(params, params.Float64s(), i)
		for j := range values[p.Name] {
			values[p.Name][j] = float64((7*j+len(p.Name))%11-5) / 8
		}
	}
	x := r.Input64(models.InputX)
	for i := range x {
		x[i] = float64(5*i%7-3) / 2
	}
	expect.NoError(t, r.Run())
	outputs := len(values["output.bias"])
	for row := range rows {
		inputs := x[3*row:][:3]
		encoded := append([]float64(nil), inputs...)
		for i, input := range []int{0, 2} {
			encoded = append(encoded, periodicUnits(values, inputs[input], values["periodic.frequency"][2*i:][:2])...)
		}
		want := values["output.bias"][0]
		for i, v := range encoded {
			want += v * values["output.weight"][i*outputs]
		}
		got := r.Output64(0)[row*outputs]
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
}

// periodicUnits returns the 8 units of the embedding of x with two frequencies.
func periodicUnits(values map[string][]float64, x float64, frequencies []float64) []float64 {
	units := make([]float64, 8)
	for unit := range units {
		sum := values["periodic.bias"][unit]
		for k, c := range frequencies {
			sine, cosine := math.Sincos(2 * math.Pi * c * x)
			sum += sine*values["periodic.weight"][k*8+unit] + cosine*values["periodic.weight"][(k+2)*8+unit]
		}
		units[unit] = math.Max(0, sum)
	}
	return units
}

// TestPeriodicFrequencies checks that the frequencies start from N(0, 0.1²): to three standard errors of 6400 draws.
func TestPeriodicFrequencies(t *testing.T) {
	spec := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 100, Targets: 1, Hidden: []int{}, Periodic: 64}))
	params := expect.Must(spec.NewParams(1))
	for i, p := range params.List() {
		if p.Name != "periodic.frequency" {
			continue
		}
		squares := 0.0
		for _, v := range graph.ParamValues(params, params.Float32s(), i) {
			squares += float64(v) * float64(v) / 6400
		}
		if p.Decay || p.Len() != 6400 || math.Abs(squares-0.01) > 3*0.01*math.Sqrt(2.0/6400) {
			t.Errorf("%d frequencies have the mean square %v", p.Len(), squares)
		}
		return
	}
	t.Error("there are no frequencies")
}

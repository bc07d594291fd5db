package gradcheck_test

import (
	"maps"
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
)

// maskedProduct returns Σ x·w·m for a dropout mask m, which is 0 or 2.
func maskedProduct(b *graph.Builder) *graph.Node {
	x := b.Mul(b.Input("x", 2, 2), b.Param("w", 2, 2, graph.Fill(1)))
	return b.Sum(b.Dropout(x, graph.Drop(0), 0, 0.5))
}

// By hand, from the mask that was drawn: the gradient is x·m.
func TestAgainst(t *testing.T) {
	drawn := expect.Must(gradcheck.DrawMasks(maskedProduct, gradcheck.Settings{Seed: 3}))
	mask := drawn["mask of sub-network 0, layer 0"]
	if len(drawn) != 1 || len(mask) != 4 {
		t.Fatalf("drawn are %v", drawn)
	}
	x, w, gradient, loss := []float64{1, -2, 4, 8}, []float64{3, 5, 7, 9}, make([]float64, 4), 0.0
	for i, m := range mask {
		gradient[i] = x[i] * m
		loss += float64(gradient[i] * w[i])
	}
	right := gradcheck.Reference{
		Inputs: map[string][]float64{"x": x}, Parameters: map[string][]float64{"w": w},
		Loss: loss, Gradients: map[string][]float64{"w": gradient},
	}
	for _, engine := range graph.Engines() {
		found := expect.Must(gradcheck.CheckReference(maskedProduct, right, gradcheck.Settings{Seed: 3, Engine: engine}))
		if len(found) != 2 || found[0].Name != "loss" || found[0].Error != 0 || found[1].Name != "w" || found[1].Error != 0 {
			t.Errorf("%s engine: %+v", engine, found)
		}
	}

	wrong := right
	wrong.Loss = 2 * loss
	wrong.Gradients = map[string][]float64{"w": {gradient[0], gradient[1], gradient[2] - 1, gradient[3]}}
	found := expect.Must(gradcheck.CheckReference(maskedProduct, wrong, gradcheck.Settings{Seed: 3}))
	largest := math.Max(math.Max(math.Abs(gradient[0]), math.Abs(gradient[1])), math.Max(math.Abs(gradient[2]-1), math.Abs(gradient[3])))
	if found[0].Error != 0.5 || found[1].Index != 2 || found[1].Error != 1/largest {
		t.Errorf("%+v", found)
	}
}

// Rounding errors in a gradient of 0 do not count.
func TestReferenceOfRounding(t *testing.T) {
	centred := func(b *graph.Builder) *graph.Node {
		x := b.Add(b.Mul(b.Param("w", 1, 2, graph.Uniform(1)), b.Input("x", 3, 2)), b.Param("bias", 1, 2, graph.Uniform(1)))
		return b.Mean(b.Square(b.Sub(x, b.MeanRows(x))))
	}
	r := gradcheck.Reference{ // variances of (1, 2, 4) and (0.1, 0.3, 0.8), by hand
		Inputs:     map[string][]float64{"x": {1, 0.1, 2, 0.3, 4, 0.8}},
		Parameters: map[string][]float64{"w": {1, 1}, "bias": {0.7, 0.1}},
		Loss:       (14.0/9 + 0.26/3) / 2, Gradients: map[string][]float64{"w": {14.0 / 9, 0.26 / 3}, "bias": {3e-17, -2e-17}},
	}
	found := expect.Must(gradcheck.CheckReference(centred, r, gradcheck.Settings{}))
	for _, g := range found {
		if !(g.Error <= 1e-14) {
			t.Errorf("%+v", g)
		}
	}
}

func TestReferencesOfOtherGraphs(t *testing.T) {
	four := func(name string) map[string][]float64 { return map[string][]float64{name: {1, 2, 3, 4}} }
	for want, edit := range map[string]func(r *gradcheck.Reference){
		`input "x" has 0 numbers in the reference, want 4`:                             func(r *gradcheck.Reference) { r.Inputs = nil },
		`input "z" of the reference is not in the graph, which has ["x"]`:              func(r *gradcheck.Reference) { maps.Copy(r.Inputs, four("z")) },
		`parameter "w" has 3 numbers in the reference, want 4`:                         func(r *gradcheck.Reference) { r.Parameters["w"] = r.Parameters["w"][:3] },
		`gradient of "w.weight" of the reference is not in the graph, which has ["w"]`: func(r *gradcheck.Reference) { r.Gradients = four("w.weight") },
	} {
		r := gradcheck.Reference{Inputs: four("x"), Parameters: four("w"), Gradients: four("w")}
		edit(&r)
		expect.Error(t, expect.ErrorOf(gradcheck.CheckReference(maskedProduct, r, gradcheck.Settings{})), want)
	}
}

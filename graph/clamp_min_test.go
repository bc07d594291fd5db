package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// x where it is above the floor, else the floor, by definition, for every kind of number, on both engines and
// in both number types; where x is not above the floor the gradient is 0, also
// if the gradient of the result is infinite or NaN.
func TestClampMin(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ x, floor, back, want, grad float64 }{
		{-inf, -100, 2, -100, 0}, {-101, -100, 2, -100, 0}, {-100, -100, 2, -100, 0}, {-99, -100, 2, -99, 2},
		{0, -100, -3, 0, -3}, {inf, -100, 2, inf, 2}, {nan, -100, 2, nan, 0},
		{-inf, -100, inf, -100, 0}, {-200, -100, nan, -100, 0}, {-5, -100, inf, -5, inf},
		{0, 1e-12, 7, 1e-12, 0}, {1e-12, 1e-12, 7, 1e-12, 0}, {2e-12, 1e-12, 7, 2e-12, 7}, {-1, 0, 7, 0, 0},
		{-inf, -inf, 2, -inf, 0}, {3, -inf, 2, 3, 2}, {3, inf, 2, inf, 0},
	} {
		for _, engine := range graph.Engines() {
			for _, columns := range []int{1, 37} { // by a scalar kernel, and by whole lanes
				single, double := clampMin(t, engine, columns, c.x, c.floor, c.back)
				for what, got := range map[string][2]float64{"float32": single, "float64": double} {
					want := [2]float64{c.want, c.grad}
					if what == "float32" {
						want = [2]float64{float64(float32(c.want)), float64(float32(c.grad))}
					}
					for i, name := range []string{"value", "gradient"} {
						if got[i] != want[i] && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
							t.Errorf("%s, %s, %d columns: clamp min %v of %v, %v coming back: %s %v, want %v", engine, what, columns, c.floor, c.x, c.back, name, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

// clampMin returns the value and the gradient of the last element.
func clampMin(t *testing.T, engine graph.Engine, columns int, x, floor, back float64) (single, double [2]float64) {
	t.Helper()
	open := func(b *graph.Builder) *graph.Runner {
		y := b.ClampMin(b.Param("x", 1, columns, graph.Uniform(1)), floor)
		loss := b.Sum(b.Mul(y, b.Input("back", 1, columns)))
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{y}, b.Gradients(loss)...)...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	params32, params64 := new(graph.Params), new(graph.Params)
	r32, r64 := open(graph.New(graph.Float32, params32)), open(graph.New(graph.Float64, params64))
	for i := range columns {
		params32.Float32s()[i], params64.Float64s()[i] = float32(x), x
		r32.Input("back")[i], r64.Input64("back")[i] = float32(back), back
	}
	for _, r := range []*graph.Runner{r32, r64} {
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		defer r.Close()
	}
	last := columns - 1
	return [2]float64{float64(r32.Output(0)[last]), float64(r32.Output(1)[last])}, [2]float64{r64.Output64(0)[last], r64.Output64(1)[last]}
}

// Scalars and constants have a maximum too.
func TestClampMinOfScalars(t *testing.T) {
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		p := b.Sum(b.Param("p", 1, 1, graph.Uniform(1)))
		loss := b.Add(b.ClampMin(b.Const(-3), -2), b.Add(b.ClampMin(p, -5), b.ClampMin(b.Mul(p, p), 1)))
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		if err != nil {
			t.Fatal(err)
		}
		params.Float64s()[0] = 4
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		// −2 + 4 + 16, and 1 + 2·4.
		if value, grad := r.Output64(0)[0], r.Output64(1)[0]; value != 18 || grad != 9 {
			t.Errorf("%s: %v with gradient %v, want 18 and 9", engine, value, grad)
		}
		r.Close()
	}
}

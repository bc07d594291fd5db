package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/expect"
	"sml/internal/ops"
)

// An operation without a kernel gives the bits of its definition, rounded once, for
// every kind of number, also in a chain over many.
func TestDefinitions(t *testing.T) {
	gorgoniaOps := map[string]func(node) (node, error){"sin": gorgonia.Sin, "cos": gorgonia.Cos, "log2": gorgonia.Log2, "ceil": gorgonia.Ceil, "floor": gorgonia.Floor}
	inf, nan := math.Inf(1), math.NaN()
	numbers := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, 0.5, -0.5, 1e30, -1e30, 1e-30, -1e-30, float32(inf), float32(-inf), float32(nan)}
	r := rand.New(rand.NewPCG(1, 2))
	for len(numbers) < 2*defaultPartSizes.block+100 {
		numbers = append(numbers, float32(10*r.NormFloat64()))
	}
	checked := 0
	for _, e := range ops.Table() {
		if e.UnaryKernel != 0 || e.BinaryKernel != 0 || !e.Defined() {
			continue
		}
		checked++
		const c = 2
		apply := func(x node) node {
			if op, ok := gorgoniaOps[e.Name]; ok {
				return expect.Must(op(x))
			}
			return expect.Must(ops.Apply(e.Name, c, x))
		}
		f := e.Function(c).Eval
		x := newInput(gorgonia.NewGraph(), tensor.Float32, "x", len(numbers)/10, 10)
		bindFresh(x, numbers[:len(numbers)/10*10])
		negative := expect.Must(gorgonia.Neg(x))
		results, p, err := compiled[float32](gorgonia.Nodes{apply(x), apply(negative)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Fallbacks()) != 0 {
			t.Errorf("%s runs through Gorgonia", e.Name)
		}
		if n := testing.AllocsPerRun(2, func() { _ = p.Run() }); n != 0 {
			t.Errorf("%s allocates %v times a run", e.Name, n)
		}
		for i, v := range numbers[:len(numbers)/10*10] {
			for k, x := range []float32{v, -v} {
				got, want := results[k][i], float32(f(float64(x)))
				if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
					t.Errorf("%s of %v is %v, the definition gives %v", e.Name, x, got, want)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d operations were checked", checked)
	}
}

package graph

import (
	"math"
	"testing"
)

// Gorgonia takes constants of the same printed form for one: values that
// differ in the last bit must stay apart.
func TestConstantsStayApart(t *testing.T) {
	b := New(Float64, new(Params))
	x := 0.1234567
	r, err := NewRunner(Tape, b, b.Sub(b.Add(b.Mean(b.Input("zero", 1, 1)), b.Const(x)), b.Const(math.Nextafter(x, 1))))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Input64("zero")[0] = 0
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
	if r.Output64(0)[0] == 0 {
		t.Error("two constants became one")
	}
}

func TestInitialiseIsUniformAndSeeded(t *testing.T) {
	draw := func(seed uint64) []float32 {
		p := new(Params)
		b := New(Float32, p)
		b.Param("w", 100, 100, Uniform(0.5))
		if err := p.Allocate(Float32); err != nil {
			t.Fatal(err)
		}
		p.Initialise(seed)
		return p.Float32s()
	}
	a, same, other := draw(1), draw(1), draw(2)
	sum, squares, equal := 0.0, 0.0, 0
	for i, v := range a {
		if v != same[i] {
			t.Fatal("the same seed gave other values")
		}
		if v == other[i] {
			equal++
		}
		if v <= -0.5 || v >= 0.5 {
			t.Fatalf("value %v is outside the bound", v)
		}
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(len(a))
	// U(−½, ½) has mean 0 and variance 1/12; four standard errors.
	if mean := sum / n; math.Abs(mean) > 4/math.Sqrt(12*n) {
		t.Errorf("mean %v", mean)
	}
	if variance := squares / n; math.Abs(variance-1.0/12) > 4*math.Sqrt(1.0/180/n) {
		t.Errorf("variance %v, want 1/12", variance)
	}
	if equal > 10 {
		t.Errorf("%d values are equal under another seed", equal)
	}
}

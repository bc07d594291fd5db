package graph

import (
	"math"
	"strings"
	"testing"
)

func TestErrorsSayWhereAndWhat(t *testing.T) {
	for name, c := range map[string]struct {
		build func(b *Builder)
		want  []string
	}{
		"shapes of MatMul": {func(b *Builder) { b.MatMul(b.Input("x", 2, 3), b.Input("y", 2, 3)) },
			[]string{"MatMul([2 3], [2 3])", "[m k] and [k n]", "builder_test.go:"}},
		"shapes of Add": {func(b *Builder) { b.Add(b.Input("x", 2, 3), b.Input("y", 3, 3)) },
			[]string{"Add([2 3], [3 3])", "want equal shapes"}},
		"nil":            {func(b *Builder) { b.Exp(nil) }, []string{"Exp(nil)", "nil"}},
		"columns":        {func(b *Builder) { b.Columns(b.Input("x", 2, 3), 1, 4) }, []string{"Columns([2 3])", "1 to 3"}},
		"input twice":    {func(b *Builder) { b.Input("x", 2, 3); b.Input("x", 2, 3) }, []string{`input "x" already`}},
		"param reshaped": {func(b *Builder) { b.Param("w", 2, 3, Uniform(1)); b.Param("w", 3, 3, Uniform(1)) }, []string{`"w" is [2 3] already`}},
		"rate":           {func(b *Builder) { b.Dropout(b.Input("x", 2, 3), Drop(0), 0, 1) }, []string{"rate 1 is not in [0, 1)"}},
		"no scalar":      {func(b *Builder) { b.Gradients(b.Input("x", 2, 3)) }, []string{"want a scalar, such as a Mean"}},
		"no gradient":    {func(b *Builder) { b.Gradients(b.Mean(b.Input("x", 2, 3))) }, []string{"no parameter"}},
		"no terms":       {func(b *Builder) { b.WeightedSum(Term{Name: "a", Value: b.Const(1)}) }, []string{"weight 0"}},
	} {
		b := New(Float32, new(Params))
		c.build(b)
		first := b.Err()
		if first == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(first.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, first, w)
			}
		}
		b.Mean(b.Exp(b.Input("later", 1, 1)))
		if b.Err() != first {
			t.Errorf("%s: a later call replaced the error", name)
		}
		if _, err := NewRunner(Tape, b, b.Const(1)); err != first {
			t.Errorf("%s: NewRunner returned %v", name, err)
		}
	}
}

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

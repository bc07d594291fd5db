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

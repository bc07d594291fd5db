package distribution

import (
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
)

// mapped returns parameters of a family that follow from any numbers, as a network puts them
// out.
func mapped(b *graph.Builder, name string, raw []*graph.Node) []*graph.Node {
	p := append([]*graph.Node(nil), raw...)
	switch name {
	case "normal", "logistic":
		p[1] = b.Softplus(raw[1])
	case "student-t":
		p[1], p[2] = b.Softplus(raw[1]), b.Shift(b.Softplus(raw[2]), 2.05)
	case "normal-mixture":
		k := len(raw) / 3
		total := b.LogSumExpOf(raw[:k]...)
		for i := range k {
			p[i], p[2*k+i] = b.Sub(raw[i], total), b.Softplus(raw[2*k+i])
		}
	case "mixture of student-t":
		for i := 0; i < len(raw); i += 3 {
			p[i+1], p[i+2] = b.Softplus(raw[i+1]), b.Shift(b.Softplus(raw[i+2]), 2.05)
		}
	case "mixture of logistic":
		for i := 0; i < len(raw); i += 2 {
			p[i+1] = b.Softplus(raw[i+1])
		}
	case "categorical":
		total := b.LogSumExpOf(raw...)
		for i := range raw {
			p[i] = b.Sub(raw[i], total)
		}
	}
	return p
}

// TestGradientsOfNLL compares gradients of the negative log-likelihood, with respect to the
// numbers that a network puts out, with finite differences.
func TestGradientsOfNLL(t *testing.T) {
	const rows = 12
	checked := 0
	for _, f := range Families {
		at := make([]float64, rows)
		for i := range at {
			at[i] = 2.5 * math.Sin(float64(5*i)) // beyond the outermost quantiles too
			if f.Classes > 0 {
				at[i] = float64(i % f.Classes)
			}
		}
		hasDensity := true
		loss := func(b *graph.Builder) *graph.Node {
			y := b.Constant(rows, 1, at)
			var raw []*graph.Node
			for _, name := range f.Parameters {
				raw = append(raw, b.Param(name, rows, 1, graph.Uniform(1)))
			}
			nll := f.NLL(b, mapped(b, f.Name, raw), y)
			if hasDensity = nll != nil; !hasDensity {
				return b.Mean(b.Square(raw[0]))
			}
			return b.Mean(nll)
		}
		found, err := gradcheck.Check(loss, gradcheck.Settings{Seed: 5})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for _, g := range found {
			if !(g.Error <= 1e-7) {
				t.Errorf("%s, %s engine: gradient of %s[%d] is %v, differences give %v", f.Name, g.Engine, g.Name, g.Index, g.Backward, g.Numeric)
			}
			if g.Zero && hasDensity {
				t.Errorf("%s: %s gets no gradient", f.Name, g.Name)
			}
		}
		if hasDensity {
			checked++
		}
	}
	if want := 8; checked != want { // all but Empirical and Point
		t.Errorf("%d families have a density as nodes; want %d", checked, want)
	}
}

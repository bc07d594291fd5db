package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
)

// momentCase is a graph of dropout masks, in float64 on one engine.
type momentCase struct {
	b      *graph.Builder
	params *graph.Params
	values []float64 // of all parameters, in the order of their declaration
}

func newMomentCase() *momentCase {
	params := new(graph.Params)
	return &momentCase{b: graph.New(graph.Float64, params), params: params}
}

// matrix returns a parameter whose numbers go up and down between −scale and scale, and its numbers.
func (c *momentCase) matrix(name string, rows, columns int, scale float64) (*graph.Node, []float64) {
	values := make([]float64, rows*columns)
	for i := range values {
		values[i] = scale * math.Sin(float64(3*i+7*len(c.values)+1))
	}
	c.values = append(c.values, values...)
	return c.b.Param(name, rows, columns, graph.Fill(0)), values
}

// moments returns the mean and the variance of y.
func (c *momentCase) moments(t *testing.T, engine graph.Engine, y *graph.Node) (mean, variance []float64) {
	t.Helper()
	m, v := c.b.DropoutMoments(y)
	found := evaluate(t, engine, c.b, c.params, c.values, m, v)
	return found[0], found[1]
}

// maskVariance is the variance of an element of a mask with the given rate, which is rounded to a multiple of 2⁻¹⁶: it is
// 1/keep with probability keep, and otherwise 0.
func maskVariance(rate float64) float64 {
	keep := math.Round((1-rate)*65536) / 65536
	return (1 - keep) / keep
}

// times returns the product of the matrices x [m, k] and y [k, n].
func times(x, y []float64, m, k, n int) []float64 {
	z := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				z[i*n+j] += x[i*k+l] * y[l*n+j]
			}
		}
	}
	return z
}

// Two masks with linear layers between have exact moments: all units of the second layer depend on the first mask.
// With a = (h∘z)·v, whose unit k has the variance s Σ (h·v)², the output b + (a∘z')·w has the variance
// s Σ_j h_j² (Σ_k v_jk w_k)² + s Σ_k (Var a_k + (E a_k)²) w_k² for the variance s of a mask.
func TestMomentsOfTwoLinearLayers(t *testing.T) {
	const rows, units = 3, 5
	for _, engine := range graph.Engines() {
		for _, rate := range []float64{1e-4, 0.2, 0.5, 0.95} {
			c := newMomentCase()
			h, hidden := c.matrix("h", rows, units, 1)
			v, first := c.matrix("v", units, units, 1)
			w, second := c.matrix("w", units, 1, 1)
			bias, offset := c.matrix("bias", 1, 1, 1)
			a := c.b.MatMul(c.b.Dropout(h, graph.Drop(0), 0, rate), v)
			mean, variance := c.moments(t, engine, c.b.Linear(c.b.Dropout(a, graph.Drop(0), 1, rate), w, bias))

			s := maskVariance(rate)
			meanA := times(hidden, first, rows, units, units)
			slopes := times(first, second, units, units, 1)
			wantMean := times(meanA, second, rows, units, 1)
			want := make([]float64, rows)
			for row := range rows {
				wantMean[row] += offset[0]
				for j := range units {
					want[row] += s * math.Pow(hidden[row*units+j]*slopes[j], 2)
					varianceA := 0.0
					for i := range units {
						varianceA += s * math.Pow(hidden[row*units+i]*first[i*units+j], 2)
					}
					want[row] += s * (varianceA + math.Pow(meanA[row*units+j], 2)) * second[j] * second[j]
				}
			}
			name := fmt.Sprintf("%s, rate %v", engine, rate)
			checkNear(t, name+", mean", mean, wantMean, 1e-13)
			checkNear(t, name+", variance", variance, want, 1e-13)
		}
	}
}

// Values that depend on the same mask are added with their correlation, and values of two masks without any.
func TestMomentsOfSums(t *testing.T) {
	const units = 4
	s := maskVariance(0.25)
	for name, f := range map[string]func(b *graph.Builder, x *graph.Node) *graph.Node{
		"x + 2x": func(b *graph.Builder, x *graph.Node) *graph.Node {
			d := b.Dropout(x, graph.Drop(0), 0, 0.25)
			return b.Sub(d, b.Scale(-2, d))
		},
		"two masks of x": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Add(b.Dropout(x, graph.Drop(0), 0, 0.25), b.Dropout(x, graph.Drop(0), 1, 0.25))
		},
		"beside x": func(b *graph.Builder, x *graph.Node) *graph.Node {
			both := b.Concat(x, b.Dropout(x, graph.Drop(0), 0, 0.25))
			return b.Div(b.Add(b.Columns(both, 0, units), b.Neg(b.Columns(both, units, 2*units))), b.Const(4))
		},
		"images": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Reshape(b.Dropout(b.Reshape(x, 2, 2, 2, 1), graph.Drop(0), 0, 0.25), 2, units)
		},
	} {
		c := newMomentCase()
		x, values := c.matrix("x", 2, units, 1)
		_, variance := c.moments(t, graph.Compiled, f(c.b, x))
		factor := map[string]float64{"x + 2x": 9, "two masks of x": 2, "beside x": 1. / 16, "images": 1}[name]
		var want []float64
		for _, v := range values {
			want = append(want, factor*s*v*v)
		}
		checkNear(t, name, variance, want, 1e-13)
	}
}

// Without a dropped unit the mean is the value, and the variance is 0.
func TestMomentsWithoutDropout(t *testing.T) {
	c := newMomentCase()
	x, values := c.matrix("x", 2, 3, 1)
	mean, variance := c.moments(t, graph.Compiled, c.b.Dropout(x, graph.Drop(0), 0, 0))
	checkNear(t, "mean", mean, values, 0)
	checkNear(t, "variance", variance, make([]float64, 6), 0)
}

// An activation behind a mask is a function of one value, however it is written: the moments of mish(x) are those of one
// operation with its value.
func TestMomentsOfComposedActivation(t *testing.T) {
	mish := func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) }
	var found [][]float64
	for _, f := range []func(b *graph.Builder, x *graph.Node) *graph.Node{
		func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Mul(x, b.Tanh(b.Softplus(x))) },
		func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Elementwise("mish", x, mish, func(float64) float64 { return math.NaN() }) // no derivative is needed
		},
	} {
		c := newMomentCase()
		x, _ := c.matrix("x", 3, 6, 1)
		w, _ := c.matrix("w", 6, 5, 1)
		v, _ := c.matrix("v", 5, 1, 1)
		h := f(c.b, c.b.MatMul(c.b.Dropout(x, graph.Drop(0), 0, 0.3), w))
		mean, variance := c.moments(t, graph.Compiled, c.b.MatMul(h, v))
		found = append(found, slices.Concat(mean, variance))
	}
	checkNear(t, "mish", found[0], found[1], 1e-12)
}

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths has every tail of every loop.
func lengths() []int {
	var list []int
	for n := range 140 {
		list = append(list, n)
	}
	for n := 250; n < 300; n += 3 {
		list = append(list, n)
	}
	return append(list, 1000, 5000)
}

// comparePaths runs a kernel on copies of its slices, on every path and both
// ends of the fences, and wants the bits of the portable path in all slices:
// in those it writes, and in those it must not.
func comparePaths(t *testing.T, name string, run func(x [][]float32), x ...[]float32) {
	t.Helper()
	want := make([][]float32, len(x))
	for i := range x {
		want[i] = slices.Clone(x[i])
	}
	onPath(t, "portable", func() { run(want) })
	for _, path := range fast() {
		for _, atEnd := range []bool{true, false} {
			f := &fences{t: t, atEnd: atEnd}
			got := make([][]float32, len(x))
			for i := range x {
				got[i] = f.slice(x[i])
			}
			onPath(t, path, func() { run(got) })
			for i := range x {
				if j := firstDifference(want[i], got[i]); j >= 0 {
					t.Fatalf("%s on %s: slice %d of %d numbers differs at %d: %x (%v), want %x (%v)", name, path, i, len(x[i]), j,
						math.Float32bits(got[i][j]), got[i][j], math.Float32bits(want[i][j]), want[i][j])
				}
			}
		}
	}
}

func TestElementwiseOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, n := range lengths() {
		a, b, c, dst := anyFloats(r, n), anyFloats(r, n), anyFloats(r, n), anyFloats(r, n)
		s := anyFloat(r)
		for i := range b {
			if r.IntN(4) == 0 {
				b[i] = a[i]
			}
		}
		for op := Add; op <= lastBinary; op++ {
			name := fmt.Sprintf("binary %d", op)
			comparePaths(t, name, func(x [][]float32) { Binary(op, x[0], x[1], x[2]) }, dst, a, b)
			comparePaths(t, name+" in place", func(x [][]float32) { Binary(op, x[0], x[0], x[1]) }, a, b)
			comparePaths(t, name+" in place", func(x [][]float32) { Binary(op, x[1], x[0], x[1]) }, a, b)
			comparePaths(t, name+" scalar", func(x [][]float32) { BinaryScalar(op, x[0], x[1], s) }, dst, a)
			comparePaths(t, name+" of scalar", func(x [][]float32) { ScalarBinary(op, x[0], s, x[1]) }, dst, a)
		}
		for op := Neg; op <= lastUnary; op++ {
			name := fmt.Sprintf("unary %d", op)
			comparePaths(t, name, func(x [][]float32) { Unary(op, x[0], x[1]) }, dst, a)
			comparePaths(t, name+" in place", func(x [][]float32) { Unary(op, x[0], x[0]) }, c)
		}
	}
}

// TestUnaryOnAllMagnitudes has every sign, exponent and first bits.
func TestUnaryOnAllMagnitudes(t *testing.T) {
	const n = 1 << 16
	x := make([]float32, n)
	for i := range x {
		x[i] = math.Float32frombits(uint32(i)<<16 + uint32(i*7919)&0xFFFF)
	}
	for op := Neg; op <= lastUnary; op++ {
		comparePaths(t, fmt.Sprintf("unary %d", op), func(x [][]float32) { Unary(op, x[0], x[1]) }, make([]float32, n), x)
	}
}

// TestDefinitions has the edges that the doc comments promise: NaN, signs of 0, and denormal numbers. Other numbers are in
// TestTranscendentalError, and infinities in ops.TestKernelsAgreeWithDefinitions.
func TestDefinitions(t *testing.T) {
	nan, inf, minus := float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1))
	onPaths(t, Implementations(), func(path string) {
		for _, c := range []struct {
			op         BinaryOp
			a, b, want float32
		}{
			{Max, 1, 2, 2}, {Max, nan, 2, nan}, {Max, 2, nan, nan}, {Max, 0, minus, minus}, {Max, minus, 0, 0},
			{Min, 1, 2, 1}, {Min, nan, 2, nan}, {Min, 2, nan, nan}, {Sub, 3, 1, 2}, {Div, 3, 2, 1.5},
			{Greater, 2, 1, 1}, {Greater, 1, 1, 0}, {Greater, nan, 1, 0}, {GreaterOrEqual, 1, 1, 1}, {GreaterOrEqual, nan, nan, 0}, {Less, 1, 2, 1}, {Less, nan, 1, 0},
			{LessOrEqual, 1, 1, 1}, {LessOrEqual, 1, nan, 0}, {Equal, 0, minus, 1}, {Equal, nan, nan, 0}, {NotEqual, nan, nan, 1}, {NotEqual, 1, 1, 0},
			{Gate, 2, 1, 2}, {Gate, 2, 0, 0}, {Gate, 2, nan, 0}, {Gate, nan, 1, nan}, {Gate, nan, -1, 0}, {Gate, inf, -1, 0},
		} {
			got := []float32{0}
			Binary(c.op, got, []float32{c.a}, []float32{c.b})
			if !sameBits(got[0], c.want) {
				t.Errorf("%s: binary %d of %v, %v is %v, want %v", path, c.op, c.a, c.b, got[0], c.want)
			}
			BinaryScalar(c.op, got, []float32{c.a}, c.b)
			if !sameBits(got[0], c.want) {
				t.Errorf("%s: binary %d of %v, scalar %v is %v, want %v", path, c.op, c.a, c.b, got[0], c.want)
			}
			ScalarBinary(c.op, got, c.a, []float32{c.b})
			if !sameBits(got[0], c.want) {
				t.Errorf("%s: binary %d of scalar %v, %v is %v, want %v", path, c.op, c.a, c.b, got[0], c.want)
			}
		}
		for _, c := range []struct {
			op      UnaryOp
			a, want float32
		}{
			{Neg, 3, -3}, {Abs, -3, 3}, {Abs, minus, 0}, {Sign, -3, -1}, {Sign, 3, 1}, {Sign, minus, minus}, {Sign, nan, nan},
			{Square, -3, 9}, {Cube, -3, -27}, {Sqrt, 9, 3}, {Sqrt, -1, nan}, {Reciprocal, 4, 0.25}, {InvSqrt, 4, 0.5},
			{Relu, -3, 0}, {Relu, 3, 3}, {Relu, nan, nan}, {Relu, minus, minus},
			{Expm1, 1e-40, 1e-40}, {Log, minus, -inf}, {Log1p, 1e-40, 1e-40}, {Tanh, minus, minus}, {Tanh, 1e-40, 1e-40},
			{Logit, minus, -inf}, {Logit, -1e-45, nan}, {Logit, 1.0000001, nan}, {Erf, minus, minus}, {Erf, 1e-40, 1.12837e-40},
			{LogGammaStep, minus, -inf}, {LogGammaStep, math.MaxFloat32, 44.36142}, {DigammaStep, minus, inf}, {DigammaStep, math.MaxFloat32, 1.469368e-39},
		} {
			got := []float32{0}
			Unary(c.op, got, []float32{c.a})
			if !sameBits(got[0], c.want) {
				t.Errorf("%s: unary %d of %v is %v, want %v", path, c.op, c.a, got[0], c.want)
			}
		}
	})
}

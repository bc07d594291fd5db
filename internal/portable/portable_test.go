package portable

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestSameBits hashes the results of the functions for many arguments. The hashes are the same on every
// CPU and for every compiler; they were computed on amd64.
func TestSameBits(t *testing.T) {
	for name, c := range map[string]struct {
		add  func(add func(float64), r *rand.Rand)
		want uint64
	}{
		"functions":    {addFunctions, 0x8632d12b5a88c0a},
		"Pow":          {addPowers, 0xad9dece33de78112},
		"large angles": {addLargeAngles, 0xc440d1f3af22cdb0},
	} {
		h := fnv.New64a()
		seed := uint64(1)
		if name == "large angles" {
			seed = 3
		}
		c.add(func(x float64) {
			bits := math.Float64bits(x)
			if x != x {
				bits = 0x7FF8000000000001 // which NaN it is may differ
			}
			h.Write(binary.LittleEndian.AppendUint64(nil, bits))
		}, rand.New(rand.NewPCG(seed, seed+1)))
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s: hash %#x, want %#x", name, got, c.want)
		}
	}
}

func addFunctions(add func(float64), r *rand.Rand) {
	for _, size := range []float64{1e-9, 0.1, 1, 5, 30, 800} {
		for range 2000 {
			x := float64(size * (1 - float64(2*r.Float64())))
			for _, f := range []func(float64) float64{
				Exp, Expm1, Log, Log1p, Sin, Cos, Erf, Erfc, NormalCDF, NormalPDF, NormalQuantile, Softplus, Tanh, Sigmoid, Sinh, Cosh, Asinh, Atan,
			} {
				add(f(x))
			}
			add(NormalQuantile(math.Abs(x) / size))
			add(Power(x/size, int(r.Uint64()>>54)))
		}
	}
	for range 10000 {
		add(NormFloat64(r))
	}
	for _, i := range Perm(r, 100000) {
		add(float64(i))
	}
}

func addPowers(add func(float64), r *rand.Rand) {
	for range 20000 {
		x, y := math.Ldexp(1+r.Float64(), int(r.Uint64()>>59)-16), 60*(0.5-r.Float64())
		add(Pow(x, y))
	}
}

func addLargeAngles(add func(float64), r *rand.Rand) {
	for exponent := 20; exponent < 1023; exponent++ {
		for range 5 {
			x := math.Ldexp(1+r.Float64(), exponent)
			add(Sin(x))
			add(Cos(-x))
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64 // by the functions' definitions
	}{
		{"Exp", Exp, inf, inf}, {"Exp", Exp, -inf, 0}, {"Exp", Exp, nan, nan}, {"Exp", Exp, 0, 1}, {"Exp", Exp, 709.79, inf},
		{"Exp", Exp, 709.78, 1.7928227943945155e308}, // mpmath: 1.79282279439451552…e308
		{"Exp", Exp, -745.13, 5e-324}, {"Exp", Exp, -745.14, 0}, {"Exp", Exp, 1, math.E},
		{"Expm1", Expm1, inf, inf}, {"Expm1", Expm1, -inf, -1}, {"Expm1", Expm1, nan, nan}, {"Expm1", Expm1, 0, 0}, {"Expm1", Expm1, 1e-300, 1e-300},
		{"Log", Log, 0, -inf}, {"Log", Log, -1, nan}, {"Log", Log, inf, inf}, {"Log", Log, nan, nan}, {"Log", Log, 1, 0},
		{"Log1p", Log1p, -1, -inf}, {"Log1p", Log1p, -2, nan}, {"Log1p", Log1p, inf, inf}, {"Log1p", Log1p, nan, nan}, {"Log1p", Log1p, 1e-300, 1e-300},
		{"Sin", Sin, 0, 0}, {"Sin", Sin, inf, nan}, {"Sin", Sin, nan, nan}, {"Sin", Sin, 2e6, -0.65571431556347}, {"Sin", Sin, math.Pi / 2, 1},
		{"Sin", Sin, math.Pi, 1.2246467991473532e-16}, // π − float64(π)
		{"Cos", Cos, 0, 1}, {"Cos", Cos, -inf, nan}, {"Cos", Cos, nan, nan}, {"Cos", Cos, math.Pi, -1},
		{"Erf", Erf, 0, 0}, {"Erf", Erf, inf, 1}, {"Erf", Erf, -inf, -1}, {"Erf", Erf, nan, nan}, {"Erf", Erf, 7, 1},
		{"Erfc", Erfc, 0, 1}, {"Erfc", Erfc, inf, 0}, {"Erfc", Erfc, -inf, 2}, {"Erfc", Erfc, nan, nan}, {"Erfc", Erfc, 28, 0}, {"Erfc", Erfc, 27.5, 0},
		{"NormalCDF", NormalCDF, -inf, 0}, {"NormalCDF", NormalCDF, inf, 1}, {"NormalCDF", NormalCDF, 0, 0.5}, {"NormalCDF", NormalCDF, nan, nan},
		{"NormalPDF", NormalPDF, 0, 1 / math.Sqrt(2*math.Pi)}, {"NormalPDF", NormalPDF, inf, 0}, {"NormalPDF", NormalPDF, nan, nan},
		{"NormalQuantile", NormalQuantile, 0, -inf}, {"NormalQuantile", NormalQuantile, 1, inf}, {"NormalQuantile", NormalQuantile, 0.5, 0},
		{"NormalQuantile", NormalQuantile, -0.1, nan}, {"NormalQuantile", NormalQuantile, 1.1, nan}, {"NormalQuantile", NormalQuantile, nan, nan},
		{"Softplus", Softplus, inf, inf}, {"Softplus", Softplus, -inf, 0}, {"Softplus", Softplus, nan, nan}, {"Softplus", Softplus, 0, math.Ln2},
		{"Tanh", Tanh, inf, 1}, {"Tanh", Tanh, -inf, -1}, {"Tanh", Tanh, nan, nan}, {"Tanh", Tanh, 0, 0}, {"Tanh", Tanh, 1e-300, 1e-300},
		{"Sinh", Sinh, inf, inf}, {"Sinh", Sinh, -inf, -inf}, {"Sinh", Sinh, nan, nan}, {"Sinh", Sinh, 0, 0}, {"Sinh", Sinh, 1e-300, 1e-300}, {"Sinh", Sinh, 711, inf},
		{"Cosh", Cosh, inf, inf}, {"Cosh", Cosh, -inf, inf}, {"Cosh", Cosh, nan, nan}, {"Cosh", Cosh, 0, 1}, {"Cosh", Cosh, -711, inf},
		{"Asinh", Asinh, inf, inf}, {"Asinh", Asinh, -inf, -inf}, {"Asinh", Asinh, nan, nan}, {"Asinh", Asinh, 0, 0}, {"Asinh", Asinh, 1e-300, 1e-300},
		{"Asinh", Asinh, math.MaxFloat64, 710.4758600739439}, // mpmath: 710.475860073943942…
		{"Atan", Atan, inf, math.Pi / 2}, {"Atan", Atan, -inf, -math.Pi / 2}, {"Atan", Atan, nan, nan}, {"Atan", Atan, 0, 0}, {"Atan", Atan, 1e-300, 1e-300}, {"Atan", Atan, 1, math.Pi / 4},
		{"Sigmoid", Sigmoid, inf, 1}, {"Sigmoid", Sigmoid, -inf, 0}, {"Sigmoid", Sigmoid, nan, nan}, {"Sigmoid", Sigmoid, 0, 0.5},
	} {
		got := c.f(c.x)
		if got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
	for _, f := range []func(float64) float64{Sin, Tanh, Sinh, Asinh, Atan} {
		if !math.Signbit(f(math.Copysign(0, -1))) {
			t.Error("odd functions lose the sign of zero")
		}
	}
}

func TestSymmetry(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		z := 10 * r.Float64()
		if NormalCDF(z) != 1-NormalCDF(-z) {
			t.Fatalf("Φ(%v) is %v, and 1 − Φ(−z) is %v", z, NormalCDF(z), 1-NormalCDF(-z))
		}
		odd := Erf(-z) == -Erf(z) && Sin(-z) == -Sin(z) && Tanh(-z) == -Tanh(z) && Sinh(-z) == -Sinh(z) && Asinh(-z) == -Asinh(z) && Atan(-z) == -Atan(z)
		even := Cos(-z) == Cos(z) && Cosh(-z) == Cosh(z)
		if !odd || !even {
			t.Fatalf("a function is not odd, or not even, at %v", z)
		}
		q := r.Float64() / 2
		if p := 1 - q; NormalQuantile(p) != -NormalQuantile(1-p) {
			t.Fatalf("Φ⁻¹(%v) is %v, and of the other side %v", p, NormalQuantile(p), NormalQuantile(1-p))
		}
	}
}

// TestMonotone tests the functions at consecutive float64 around the ends of pieces and ranges.
func TestMonotone(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		seams []float64
	}{
		{"Exp", Exp, []float64{-1, -0.5 * math.Ln2, 0.5 * math.Ln2, 1.5 * math.Ln2, 1, 100}},
		{"Sinh", Sinh, []float64{-1, 1, 22}},
		{"Asinh", Asinh, []float64{-2, 2, 1 << 28}},
		{"Atan", Atan, []float64{-1, 0.0625, 0.1875, 0.5625, 0.9375, 1, 16.0 / 15, 16}},
		{"Log", Log, []float64{math.Sqrt2 / 2, math.Sqrt2, 1, 2, 3}},
		{"NormalCDF", NormalCDF, []float64{-8, -4, -2, -1, -0.5 * math.Sqrt2, 0, 0.5 * math.Sqrt2, 1, 2, 4}},
		{"NormalQuantile", NormalQuantile, []float64{1e-300, 1e-9, 0.001, 0.25, 0.5, 0.75, 0.5 - math.Sqrt(1.0/32)}},
	} {
		for _, seam := range c.seams {
			x := seam
			for range 1000 {
				x = math.Nextafter(x, math.Inf(-1))
			}
			for range 2000 {
				next := math.Nextafter(x, math.Inf(1))
				// Neighbours may be rounded apart by an error of each, never by more.
				low, high := c.f(x), c.f(next)
				if slack := 4 * math.Abs(math.Nextafter(high, math.Inf(1))-high); high < low-slack {
					t.Fatalf("%s falls from %v to %v at %v", c.name, low, high, x)
				}
				x = next
			}
		}
	}
}

func TestPower(t *testing.T) {
	for _, x := range []float64{0, 0.9, 0.999, 0.5, 1, 1 - 1e-9} {
		for n := range 5000 {
			// math.Pow multiplies in the same order, with the exponent set aside.
			got, want := Power(x, n), math.Pow(x, float64(n))
			if got != want && want > 0x1p-1000 {
				t.Fatalf("Power(%v, %d) = %v, want %v", x, n, got, want)
			}
		}
	}
}

// TestDrawsAsRand compares the drawn numbers with math/rand/v2, with which earlier versions drew.
func TestDrawsAsRand(t *testing.T) {
	own, theirs := rand.New(rand.NewPCG(5, 6)), rand.New(rand.NewPCG(5, 6))
	differing := 0
	for i := range 2000000 {
		x, want := NormFloat64(own), theirs.NormFloat64()
		if x == want {
			continue
		}
		if differing++; math.Abs(x-want) > 1e-15*math.Abs(want) {
			t.Fatalf("draw %d is %v, and %v of math/rand/v2", i, x, want)
		}
	}
	t.Logf("%d draws of 2000000 differ in the last place", differing)
	if strconv.IntSize == 64 {
		for n := uint64(1); n < 100000; n += 97 {
			if x, want := UintN(own, n), theirs.Uint64N(n); x != want {
				t.Fatalf("below %d: %d, and %d of math/rand/v2", n, x, want)
			}
		}
		const large = 3 << 62
		for range 1000 {
			if x, want := UintN(own, large), theirs.Uint64N(large); x != want {
				t.Fatalf("below %d: %d, and %d of math/rand/v2", uint64(large), x, want)
			}
		}
		p, want := Perm(own, 1000), theirs.Perm(1000)
		for i := range p {
			if p[i] != want[i] {
				t.Fatalf("place %d of a permutation is %d, and %d of math/rand/v2", i, p[i], want[i])
			}
		}
	}
}

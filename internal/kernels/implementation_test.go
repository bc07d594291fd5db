package kernels

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestUse(t *testing.T) {
	defer UseImplementation(Implementation())
	for _, name := range Implementations() {
		if err := UseImplementation(name); err != nil || Implementation() != name {
			t.Errorf("UseImplementation(%q): %v, and %q is in use", name, err, Implementation())
		}
	}
	last := Implementation()
	err := UseImplementation("sse9")
	if err == nil || !strings.Contains(err.Error(), "sse9") || !strings.Contains(err.Error(), "portable") {
		t.Errorf("unknown kernels: %v, want an error that isaNames them and those there are", err)
	}
	if Implementation() != last {
		t.Errorf("a failed UseImplementation changed %q to %q", last, Implementation())
	}
	for _, name := range isaNames {
		if !slices.Contains(Implementations(), name) && UseImplementation(name) == nil {
			t.Errorf("UseImplementation(%q) of kernels that this CPU lacks succeeds", name)
		}
	}
}

func TestStart(t *testing.T) {
	defer UseImplementation(Implementation())
	if err := useFromEnvironment(""); err != nil {
		t.Error(err)
	}
	if err := useFromEnvironment("portable"); err != nil || Implementation() != "portable" {
		t.Errorf("%v, %q in use", err, Implementation())
	}
	if err := useFromEnvironment("fast"); err == nil || !strings.Contains(err.Error(), "SML_KERNELS") {
		t.Errorf("%v, want an error that isaNames the variable", err)
	}
}

// widened returns the same numbers in float64.
func widened(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// plain draws n numbers in (−2, 2) by integer arithmetic alone, so that they
// are the same on every platform.
func plain(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(int32(r.Uint32())>>8) / (1 << 22)
	}
	return x
}

// TestSameBytesOnEveryMachine holds a digest of results of all kernels
// against that of an x86-64 machine with AVX-512, so that a machine that has
// the portable path alone is compared with it too.
func TestSameBytesOnEveryMachine(t *testing.T) {
	const want = 0xff34778298c8231f
	for _, path := range Implementations() {
		onPath(t, path, func() {
			r := rand.New(rand.NewPCG(1, 2))
			h := fnv.New64a()
			word := func(w uint64) {
				for range 8 {
					h.Write([]byte{byte(w)})
					w >>= 8
				}
			}
			add := func(x []float32) {
				for _, v := range x {
					if v != v {
						v = float32(math.NaN())
					}
					word(uint64(math.Float32bits(v)))
				}
			}
			for i := range 200 {
				g := randomGemm(r, 1+i%11, 1+(7*i)%60, (5*i)%31, i, plain)
				g.Run()
				add(g.C)
				add(g.Masked)
			}
			a, b, c, d, dst := plain(r, 777), plain(r, 777), plain(r, 777), plain(r, 777), make([]float32, 777)
			for op := Neg; op <= lastUnary; op++ {
				for _, scale := range []float32{1e-39, 0.5, 1, 60} {
					BinaryScalar(Mul, dst, a, scale)
					Unary(op, dst, dst)
					add(dst)
				}
			}
			for op := Add; op <= lastBinary; op++ {
				Binary(op, dst, a, b)
				add(dst)
			}
			Unary(Abs, d, d)
			Adam(a, b, c, d, 1e-3, 0.9, 0.999, 1e-8, 3, 30, 0.01)
			add(a)
			SumCols(dst, a, 7, 111)
			SumRows(dst, a, 7, 111, true)
			add(append(dst, Sum(a)))
			Masks(dst, 7, 111, 1<<40+5, 6, 7, 8, 50_000, 1.3)
			add(dst)
			GatherStandardised(dst, widened(a), 37, []int32{3, 0, 20}, widened(b[:37]), widened(c[:37]))
			add(dst)
			mean, m2 := make([]float64, 777), make([]float64, 777)
			for i, x := range [][]float32{a, b, c} {
				Welford(mean, m2, x, i+1)
			}
			for _, v := range append(mean, m2...) {
				word(math.Float64bits(v))
			}
			if got := h.Sum64(); got != want {
				t.Errorf("%s: digest %#x, want %#x", path, got, uint64(want))
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	a, b, c, d := randoms(r, 600), randoms(r, 600), randoms(r, 600), randoms(r, 600)
	mean, m2 := make([]float64, 600), make([]float64, 600)
	gemms := []Gemm{randomGemm(r, 20, 30, 20, 0b01111100, randoms), randomGemm(r, 20, 1, 200, 16, randoms), randomGemm(r, 20, 30, 500, 2, randoms), randomGemm(r, 50, 50, 700, 2, randoms)}
	rows := []int32{1, 2, 0}
	table, shift, scale := widened(b), widened(c[:30]), widened(d[:30])
	for _, path := range Implementations() {
		onPath(t, path, func() {
			n := testing.AllocsPerRun(10, func() {
				for _, g := range gemms {
					g.Run() // a copy, on the stack
				}
				Transpose(a, b, 20, 30)
				Binary(Add, a, b, c)
				BinaryScalar(Add, a, b, 2)
				ScalarBinary(Sub, a, 2, b)
				Unary(Softplus, a, b)
				Binary(Gate, a, b, c)
				a[0] = Sum(b)
				SumCols(a, b, 20, 30)
				SumRows(a, b, 20, 30, true)
				Adam(a, b, c, d, 1e-3, 0.9, 0.999, 1e-8, 1, 1, 0)
				Masks(a, 20, 30, 1, 2, 3, 4, 40_000, 1)
				GatherStandardised(a, table, 30, rows, shift, scale)
				Welford(mean, m2, a, 3)
			})
			if n != 0 {
				t.Errorf("%s: %v allocations", path, n)
			}
		})
	}
}
